// SPDX-License-Identifier: MIT
/// Long work that Python can interrupt.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>

#include <chrono>
#include <functional>
#include <future>

#include "shapes.h"
#include "unlocked.h"

namespace nearmiss::python {

/// Runs `work` on its own thread, so that Ctrl-C and `report` are handled meanwhile. `work` reports
/// to and is cancelled by `progress`.
template <class T>
T heard(BuildProgress& progress, const Progress& report, const std::function<Result<T>()>& work) {
  constexpr std::chrono::milliseconds pause(50);
  const Awaited awaited;
  auto made = std::async(std::launch::async, work);
  try {
    while (true) {
      {
        const Unlocked unlocked;
        if (made.wait_for(pause) == std::future_status::ready) break;
        if (pythonWaits()) {
          progress.cancelled = true;
          made.wait();
        }
      }
      if (PyErr_CheckSignals() != 0) throw pybind11::error_already_set();
      if (report) (*report)(static_cast<int>(progress.stage.load()), progress.fraction.load());
    }
  } catch (...) {
    progress.cancelled = true;
    const Unlocked unlocked;
    made.wait();
    throw;
  }
  return valueOf(made.get());
}

}  // namespace nearmiss::python
