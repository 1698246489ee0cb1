// SPDX-License-Identifier: MIT
/// Trees of a shape: read from the cache, or built and kept there.
#pragma once

#include <engine/model/shape_set.h>
#include <nearmiss/build_progress.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// The trees of one shape while they are being made; each task writes to its own fields.
struct TreeDraft {
  TreeDraft(std::string_view model, Shape shape) : name(model), bare(std::move(shape)) {}
  std::string_view name;
  Shape bare;
  std::string_view builder;
  std::uint64_t treeHash = 0;
  std::optional<Shape> withSpheres, withPlanes;
  double treeSeconds = 0.0, bspSeconds = 0.0;
  std::vector<std::string> treeNotes, bspNotes;
};

/// Reads the sphere tree of `builder` into the draft, or builds and keeps it; or makes the stand-in
/// that `options` allow. A cache that cannot be read or written is noted. Errors: the builder's.
std::optional<Error> makeSphereTree(TreeDraft& draft, const SphereTreeBuilderEntry& builder,
                                    const ShapeOptions& options, BuildProgress& progress);
/// The same of the BSP tree.
std::optional<Error> makeBspTree(TreeDraft& draft, const ShapeOptions& options,
                                 BuildProgress& progress);

/// Removes leftovers of killed writes.
void removeUnfinishedTrees(const std::filesystem::path& folder);

// Long pieces of work side by side, with one progress and one cancellation.

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
