// SPDX-License-Identifier: MIT
#include "console/progress_line.h"

#include <engine/base/threads.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <string>

#include "console/build_stage_text.h"
#include "console/complaint.h"
#include "console/interrupt.h"

namespace nearmiss::app {
namespace {

std::string describe(const BuildProgress& progress, double seconds, StageStart& start) {
  return describe(progress.stage, progress.fraction, seconds, start);
}
std::string describe(const SharedProgress& progress, double seconds, StageStart& start) {
  return describe("done", progress.fraction, seconds, start);
}
std::string describe(const WorkProgress& progress, double seconds, StageStart& start) {
  return describe("done", progress.fraction, seconds, start);
}

/// Ignores failures, because the line is optional.
template <class Progress>
void draw(std::string_view what, const Progress& progress, double seconds,
          StageStart& start) noexcept {
  try {
    printStderr(
        fmt::format("\r\033[K{}: {} (ctrl-C cancels)", what,
                    progress.cancelled ? "cancelling" : describe(progress, seconds, start)));
  } catch (const std::exception&) {
  }
}

/// Returns true if the program may end without waiting for work that does not react to
/// cancellation. A build loses nothing except while it writes a file; an experiment has results to
/// write.
bool endsWithTheProgram(const BuildProgress& progress) {
  return progress.stage != BuildStage::Writing;
}
constexpr bool endsWithTheProgram(const WorkProgress&) { return false; }
constexpr bool endsWithTheProgram(const SharedProgress&) { return false; }

template <class Progress>
void show(std::string_view what, const std::function<void(Progress&)>& work, bool waits = false) {
  using std::chrono::steady_clock;
  constexpr auto glance = std::chrono::milliseconds(50);
  constexpr auto patience = std::chrono::milliseconds(300);  // faster work shows no line
  const bool terminal = ::isatty(STDERR_FILENO) == 1;
  constexpr auto grace = std::chrono::milliseconds(100);
  const auto start = steady_clock::now();
  auto stopRequested = start;

  Progress progress;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, shown = false;
  StageStart stageStart;
  std::exception_ptr fault;
  const auto serve = [&] {
    try {
      work(progress);
    } catch (...) {
      fault = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    done = true;
    changed.notify_one();
  };
  std::jthread worker = engine::startThread(std::ref(serve));
  if (!worker.joinable()) serve();  // without a line

  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, glance, [&] { return done; })) {
    const auto now = steady_clock::now();
    if (interrupted() && !progress.cancelled) {
      progress.cancelled = true;
      stopRequested = now;
    }
    // Some steps of a build run for minutes without checking for cancellation. Do not wait longer
    // than this grace period
    if (!waits && progress.cancelled && endsWithTheProgram(progress) &&
        now > stopRequested + grace) {
      if (shown) printStderr("\r\033[K");
      complain("cancelled");
      std::_Exit(Interrupted);
    }
    const auto elapsed = now - start;
    if (!terminal || elapsed < patience) continue;
    draw(what, progress, std::chrono::duration<double>(elapsed).count(), stageStart);
    shown = true;
  }
  lock.unlock();
  if (shown) printStderr("\r\033[K");
  if (worker.joinable()) worker.join();
  if (fault) std::rethrow_exception(fault);
}

}  // namespace

void withProgressLine(std::string_view what, const std::function<void(BuildProgress&)>& work) {
  show(what, work);
}

void withProgressLineToEnd(std::string_view what, const std::function<void(BuildProgress&)>& work) {
  show(what, work, true);
}

void withProgressLine(std::string_view what, const std::function<void(WorkProgress&)>& work) {
  show(what, work);
}

void withProgressLineToEnd(std::string_view what,
                           const std::function<void(SharedProgress&)>& work) {
  show(what, work, true);
}

void clearProgressLine() noexcept {
  if (::isatty(STDERR_FILENO) == 1) printStderr("\r\033[K");
}

}  // namespace nearmiss::app
