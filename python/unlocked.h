// SPDX-License-Identifier: MIT
/// Work without the GIL while Python exits. A thread that requests the GIL after that is terminated
/// by Python inside C++, which aborts the program. Python therefore waits before it exits until no
/// thread is without the GIL in here; threads that come later keep the GIL.
#pragma once

#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// Returns true while Python waits for this thread in order to exit, and also after it has given up
/// waiting: long work must then stop.
[[nodiscard]] bool pythonWaits() noexcept;

/// Returns true once Python has given up waiting for this thread, which has released the GIL and
/// must no longer request it.
[[nodiscard]] bool lockIsGone() noexcept;

/// Python's exit waits for some seconds while a thread has one of these.
/// @pre the GIL is held when it is constructed and destroyed
class Awaited {
 public:
  Awaited() noexcept;
  ~Awaited();
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
};

/// Releases the GIL while it lives, unless Python is exiting.
class Unlocked {
 public:
  Unlocked() noexcept;
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Awaited awaited_;
  PyThreadState* state_ = nullptr;  ///< null: the GIL was not released
};

/// Registers the wait at exit.
void declareEnd();

}  // namespace nearmiss::python
