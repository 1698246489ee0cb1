// SPDX-License-Identifier: MIT
#include "progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

#include "build_stage_text.h"
#include "interrupt.h"

namespace nearmiss::app {
namespace {

std::string describe(const BuildProgress& progress, double seconds, StageStart& start) {
  return describe(progress.stage, progress.fraction, seconds, start);
}
std::string describe(const WorkProgress& progress, double seconds, StageStart& start) {
  return describe("done", progress.fraction, seconds, start);
}

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
  StageStart stageStart;
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
    const double seconds = std::chrono::duration<double>(elapsed).count();
    fmt::print(stderr, "\r\033[K{}: {} (ctrl-C cancels)", what,
               progress.cancelled ? "cancelling" : describe(progress, seconds, stageStart));
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
