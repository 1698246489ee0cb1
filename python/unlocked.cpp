// SPDX-License-Identifier: MIT
#include "unlocked.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace nearmiss::python {
namespace {

std::atomic<int> awaitedThreads{0};
thread_local int awaitedHere = 0;   ///< how many of these are of this thread
thread_local int releasedHere = 0;  ///< times that this thread has released the GIL
std::atomic<std::thread::id> endingThread;
std::atomic<bool> waited = false;  ///< Python goes on to end

/// False for the thread that ends it.
bool pythonEnds() noexcept {
  const std::thread::id ending = endingThread;
  return ending != std::thread::id{} && ending != std::this_thread::get_id();
}

/// Until no other thread is at work, for what it uses goes when the program does.
void awaitThreads() {
  constexpr std::chrono::seconds longest(10);
  constexpr std::chrono::milliseconds pause(1);
  endingThread = std::this_thread::get_id();
  {
    const Unlocked unlocked;
    const auto end = std::chrono::steady_clock::now() + longest;
    while (awaitedThreads > awaitedHere && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(pause);
  }
  waited = true;
}

}  // namespace

bool pythonWaits() noexcept { return pythonEnds() && (!waited || releasedHere > 0); }

bool lockIsGone() noexcept { return pythonEnds() && waited && releasedHere > 0; }

Awaited::Awaited() noexcept {
  ++awaitedThreads;
  ++awaitedHere;
}

Awaited::~Awaited() {
  --awaitedHere;
  --awaitedThreads;
}

Unlocked::Unlocked() noexcept {
  // Whoever begins while Python ends might not get it back
  if (pythonEnds()) return;
  state_ = PyEval_SaveThread();
  ++releasedHere;
}

Unlocked::~Unlocked() {
  if (!state_) return;
  // Python has not waited for so long: it must not be asked
  while (lockIsGone()) std::this_thread::sleep_for(std::chrono::hours(1));
  // Awaited until it has the GIL, for the member goes afterwards
  PyEval_RestoreThread(state_);
  --releasedHere;
}

void declareEnd() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&awaitThreads));
  // Of the threads of a process only the one that forks goes on in its child
  py::module_::import("os").attr("register_at_fork")(
      py::arg("after_in_child") = py::cpp_function([] { awaitedThreads = awaitedHere; }));
}

}  // namespace nearmiss::python
