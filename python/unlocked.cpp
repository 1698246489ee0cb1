// SPDX-License-Identifier: MIT
#include "unlocked.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace nearmiss::python {
namespace {

std::atomic<int> awaitedThreads{0};
thread_local int awaitedHere = 0;   ///< number of Awaited objects of this thread
thread_local int releasedHere = 0;  ///< number of times that this thread has released the GIL
std::atomic<std::thread::id> endingThread;
std::atomic<bool> waited = false;  ///< Python continues to exit

/// Returns true while Python exits, except on the thread that ends it.
bool pythonEnds() noexcept {
  const std::thread::id ending = endingThread;
  return ending != std::thread::id{} && ending != std::this_thread::get_id();
}

/// Blocks until all other threads have finished, because static objects they use are destroyed at
/// exit.
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
  // Threads that start while Python exits might not get the GIL back
  if (pythonEnds()) return;
  state_ = PyEval_SaveThread();
  ++releasedHere;
}

Unlocked::~Unlocked() {
  if (!state_) return;
  // Python has given up waiting: the GIL must not be requested
  while (lockIsGone()) std::this_thread::sleep_for(std::chrono::hours(1));
  // Stay awaited until this thread has the GIL; the member is destroyed afterwards
  PyEval_RestoreThread(state_);
  --releasedHere;
}

void declareEnd() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&awaitThreads));
  // After a fork, only the forking thread continues in the child
  py::module_::import("os").attr("register_at_fork")(
      py::arg("after_in_child") = py::cpp_function([] { awaitedThreads = awaitedHere; }));
}

}  // namespace nearmiss::python
