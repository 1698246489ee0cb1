// SPDX-License-Identifier: MIT
/// Long work on its own thread, with a line on the terminal that shows its progress.
#pragma once

#include <nearmiss/build_progress.h>

#include <atomic>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace nearmiss::app {

/// Runs `work` and returns when it is done. Meanwhile `what` and describe() stand on stderr if
/// that is a terminal, and an interrupt cancels the work. What `work` throws comes out here. Where
/// no thread can be had it works on the caller's, without a line.
void withProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work);

/// The same for work that has an answer.
template <class Work>
[[nodiscard]] auto answerWithProgressLine(std::string_view what, const Work& work) {
  std::optional<std::invoke_result_t<const Work&, BuildProgress&>> answer;
  withProgressLine(what, [&](BuildProgress& progress) { answer.emplace(work(progress)); });
  return *std::move(answer);
}

/// The same for work that keeps what is finished when it is cancelled: it is always waited for.
void withKeptProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work);

template <class Work>
[[nodiscard]] auto answerWithKeptProgressLine(std::string_view what, const Work& work) {
  std::optional<std::invoke_result_t<const Work&, BuildProgress&>> answer;
  withKeptProgressLine(what, [&](BuildProgress& progress) { answer.emplace(work(progress)); });
  return *std::move(answer);
}

/// How far work without stages has come. Written by the work, but for `cancelled`.
struct WorkProgress {
  std::atomic<float> fraction{0.0f};   ///< 0 to 1
  std::atomic<bool> cancelled{false};  ///< then the work returns early
};

/// The same for work without stages.
void withProgressLine(std::string_view what, const std::function<void(WorkProgress&)>& work);

}  // namespace nearmiss::app
