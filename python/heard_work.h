// SPDX-License-Identifier: MIT
/// Long work that Python can interrupt.
#pragma once

#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/result.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>

#include "shapes.h"
#include "unlocked.h"

namespace nearmiss::python {

/// Returns the fraction of a whole build that is done. Stages count alike, whether a builder has
/// them or not.
inline double overall(const BuildProgress& progress) noexcept {
  const double stages = static_cast<double>(BuildStage::Done);
  const double stage = static_cast<double>(progress.stage.load());
  const double part = static_cast<double>(progress.fraction.load());
  return std::clamp((stage + part) / stages, 0.0, 1.0);
}

/// Runs `work` on its own thread, so that Ctrl-C and `report` are handled meanwhile. `work` reports
/// to and is cancelled by `progress`.
/// @throws Failure if `report` returns False
template <class T>
T heard(BuildProgress& progress, const Progress& report, const std::function<Result<T>()>& work) {
  constexpr std::chrono::milliseconds pause(50);
  double done = 0.0;  // never decreases, although some builders enter a stage again
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
      done = std::max(done, overall(progress));
      if (report && (*report)(done).is(pybind11::bool_(false)))
        throw Failure("cancelled, because progress returned False");
    }
  } catch (...) {
    progress.cancelled = true;
    const Unlocked unlocked;
    made.wait();
    throw;
  }
  T value = valueOf(made.get());
  if (report) (*report)(1.0);
  return value;
}

}  // namespace nearmiss::python
