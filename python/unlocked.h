// SPDX-License-Identifier: MIT
/// Work without the GIL when Python ends. A thread that asks for the GIL after that is ended by
/// Python in the midst of C++, which aborts the program: here it stops for good instead, as newer
/// versions of Python let it, and Python waits until it has.
#pragma once

#include <pybind11/pybind11.h>

namespace nearmiss::python {

/// True once Python is ending, but for the thread that ends it. What takes long is then to be
/// given up.
[[nodiscard]] bool pythonEnds() noexcept;

/// Python does not end, for some seconds, while a thread has one of these and goes on.
/// @pre the GIL is held when it is made and when it goes
class Awaited {
 public:
  /// Never returns if pythonEnds(), unless the thread has one already.
  Awaited() noexcept;
  ~Awaited();
  Awaited(const Awaited&) = delete;
  Awaited& operator=(const Awaited&) = delete;
};

/// Releases the GIL while it lives. The thread stops for good at its end if pythonEnds().
class Unlocked {
 public:
  Unlocked() noexcept;
  ~Unlocked();
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Awaited awaited_;
  PyThreadState* state_;
};

/// Lets Python wait when it ends.
void declareEnd();

}  // namespace nearmiss::python
