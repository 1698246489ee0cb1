// SPDX-License-Identifier: MIT
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "interrupt.h"

namespace nearmiss::app {
namespace {

std::string_view nameOf(BuildStage stage) {
  switch (stage) {
    case BuildStage::Waiting:
      return "reading";
    case BuildStage::Structure:
      return "structure";
    case BuildStage::Triangles:
      return "triangles";
    case BuildStage::Accuracy:
      return "accuracy";
    case BuildStage::Inside:
      return "inside";
    case BuildStage::Writing:
      return "writing";
    case BuildStage::Done:
      return "done";
  }
  return "";
}

std::string_view stageOf(const BuildProgress& progress) { return nameOf(progress.stage); }
std::string_view stageOf(const WorkProgress&) { return "done"; }

template <class Progress>
void show(std::string_view what, const std::function<void(Progress&)>& work) {
  using std::chrono::steady_clock;
  constexpr auto glance = std::chrono::milliseconds(50);
  constexpr auto patience = std::chrono::milliseconds(300);  // what is quicker needs no line
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  const auto start = steady_clock::now();

  Progress progress;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, shown = false;
  std::jthread worker([&] {
    work(progress);
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  });

  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, glance, [&] { return done; })) {
    if (interrupted()) progress.cancelled = true;
    const auto elapsed = steady_clock::now() - start;
    if (!terminal || elapsed < patience) continue;
    const double percent = 100.0 * static_cast<double>(progress.fraction.load());
    fmt::print(stderr, "\r\033[K{}: {} {:.0f} %, {:.1f} s (ctrl-C cancels)", what,
               progress.cancelled ? "cancelling," : stageOf(progress), percent,
               std::chrono::duration<double>(elapsed).count());
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace

void withProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work) {
  show(what, work);
}

void withProgressLine(std::string_view what, const std::function<void(WorkProgress&)>& work) {
  show(what, work);
}

}  // namespace nearmiss::app
