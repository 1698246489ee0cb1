// SPDX-License-Identifier: MIT
/// Work without the GIL when Python ends. A thread that asks for the GIL after that is ended by
/// Python in the midst of C++, which aborts the program. So Python waits, before it ends, until no
/// thread is without the GIL in here; who comes later keeps it.
#pragma once

#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// True while Python waits for this thread, so that it can end, and once it has waited in vain:
/// what takes long is to be given up.
[[nodiscard]] bool pythonWaits() noexcept;

/// True once Python has waited in vain for this thread, which has released the GIL and must not ask
/// for it any more.
[[nodiscard]] bool lockIsGone() noexcept;

/// Python does not end, for some seconds, while a thread has one of these.
/// @pre the GIL is held when it is made and when it goes
class Awaited {
 public:
  Awaited() noexcept;
  ~Awaited();
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
};

/// Releases the GIL while it lives, unless Python is ending.
class Unlocked {
 public:
  Unlocked() noexcept;
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Awaited awaited_;
  PyThreadState* state_ = nullptr;  ///< null: it was not released
};

/// Lets Python wait when it ends.
void declareEnd();

}  // namespace nearmiss::python
