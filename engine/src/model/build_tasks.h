// SPDX-License-Identifier: MIT
/// Long pieces of work side by side, with one progress and one cancellation.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>

#include <functional>
#include <optional>
#include <span>

namespace nearmiss::engine {

/// Returns its error, or nothing. An exception counts as its error.
using BuildTask = std::function<std::optional<Error>(BuildProgress&)>;

/// The number of threads for `jobs`: itself, or as many as cores if it is 0.
[[nodiscard]] int threadsFor(int jobs) noexcept;

/// Runs all tasks on up to threadsFor(jobs) threads; fewer, down to the caller's own, where the
/// machine has no more. `progress`, if there is one, shows the first task that is not done; its
/// `cancelled` reaches all. Returns the error of the first task, in their order, that had one:
/// after an error the tasks not yet begun are left out.
std::optional<Error> runTasks(std::span<const BuildTask> tasks, int jobs, BuildProgress* progress);

}  // namespace nearmiss::engine
