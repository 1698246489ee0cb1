// SPDX-License-Identifier: MIT
#include "world_lock.h"

#include <pybind11/pybind11.h>

#include <chrono>
#include <string>

#include "shapes.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {

void WorldLock::lock() {
  constexpr std::chrono::milliseconds pause(50);
  if (owner_ == std::this_thread::get_id())
    throw Failure(std::string("the ") + what_ +
                  " is being asked by this very thread: what runs meanwhile, as the handler of a "
                  "signal, cannot use it");
  while (!one_.try_lock_for(pause)) {
    // The holder may need the GIL to finish, which is not released while Python exits
    if (lockIsGone() || PyGILState_Check())
      throw Failure(std::string("Python is ending: another thread has the ") + what_);
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  owner_ = std::this_thread::get_id();
}

void WorldLock::unlock() noexcept {
  owner_ = std::thread::id{};
  one_.unlock();
}

}  // namespace nearmiss::python
