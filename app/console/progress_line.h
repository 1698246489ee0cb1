// SPDX-License-Identifier: MIT
/// Runs long work on another thread and shows its progress on the terminal.
#pragma once

#include <nearmiss/advanced/build_progress.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace nearmiss::app {

/// Runs `work` and waits for it. If stderr is a terminal, shows `what` and describe() there. An
/// interrupt cancels the work. Rethrows exceptions of `work`. Without another thread, runs `work`
/// on the caller's, without a line.
void withProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work);

/// As above, for work with a result.
template <class Work>
[[nodiscard]] auto runWithProgressLine(std::string_view what, const Work& work) {
  std::optional<std::invoke_result_t<const Work&, BuildProgress&>> answer;
  withProgressLine(what, [&](BuildProgress& progress) { answer.emplace(work(progress)); });
  return *std::move(answer);
}

/// As above, for work that keeps its finished part when cancelled; always waits for it.
void withProgressLineToEnd(std::string_view what, const std::function<void(BuildProgress&)>& work);

template <class Work>
[[nodiscard]] auto runToEndWithProgressLine(std::string_view what, const Work& work) {
  std::optional<std::invoke_result_t<const Work&, BuildProgress&>> answer;
  withProgressLineToEnd(what, [&](BuildProgress& progress) { answer.emplace(work(progress)); });
  return *std::move(answer);
}

/// Progress of work without stages. Written by the work, except for `cancelled`.
struct WorkProgress {
  std::atomic<float> fraction{0.0f};   ///< 0 to 1
  std::atomic<bool> cancelled{false};  ///< the work should return early
};

/// As above, for work without stages.
void withProgressLine(std::string_view what, const std::function<void(WorkProgress&)>& work);

/// Progress of several builds that run side by side.
struct SharedProgress {
  std::atomic<float> fraction{0.0f};  ///< of all builds, 0 to 1
  BuildProgress each;                 ///< passes the cancellation on; its stage means nothing
  std::atomic<bool>& cancelled = each.cancelled;
};

/// As withProgressLineToEnd(), for several builds.
void withProgressLineToEnd(std::string_view what, const std::function<void(SharedProgress&)>& work);

/// Clears the progress line, before something else is printed. Does nothing without a terminal.
void clearProgressLine() noexcept;

}  // namespace nearmiss::app
