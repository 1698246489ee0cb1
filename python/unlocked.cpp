// SPDX-License-Identifier: MIT
#include "unlocked.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace py = pybind11;

namespace nearmiss::python {
namespace {

std::atomic<int> awaitedThreads{0};
thread_local int awaitedHere = 0;  ///< how many of these are of this thread
std::atomic<std::thread::id> endingThread;

/// @pre the GIL is released
[[noreturn]] void stopForGood() noexcept {
  awaitedThreads -= awaitedHere;
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Until no other thread is at work, for what it uses goes when the program does.
void awaitThreads() {
  constexpr std::chrono::seconds longest(10);
  constexpr std::chrono::milliseconds pause(1);
  endingThread = std::this_thread::get_id();
  const Unlocked unlocked;
  const auto end = std::chrono::steady_clock::now() + longest;
  while (awaitedThreads > awaitedHere && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(pause);
}

}  // namespace

bool pythonEnds() noexcept {
  const std::thread::id ending = endingThread;
  return ending != std::thread::id{} && ending != std::this_thread::get_id();
}

Awaited::Awaited() noexcept {
  if (awaitedHere == 0 && pythonEnds()) {
    PyEval_SaveThread();
    stopForGood();
  }
  ++awaitedThreads;
  ++awaitedHere;
}

Awaited::~Awaited() {
  --awaitedHere;
  --awaitedThreads;
}

Unlocked::Unlocked() noexcept : state_(PyEval_SaveThread()) {}

Unlocked::~Unlocked() {
  if (pythonEnds()) stopForGood();
  // Awaited until it has the GIL, for the member goes afterwards
  PyEval_RestoreThread(state_);
}

void declareEnd() {
  py::module_::import("atexit").attr("register")(py::cpp_function(&awaitThreads));
  // Of the threads of a process only the one that forks goes on in its child
  py::module_::import("os").attr("register_at_fork")(
      py::arg("after_in_child") = py::cpp_function([] { awaitedThreads = awaitedHere; }));
}

}  // namespace nearmiss::python
