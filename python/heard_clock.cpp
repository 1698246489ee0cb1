// SPDX-License-Identifier: MIT
#include "heard_clock.h"

#include <pybind11/pybind11.h>

#include <chrono>

#include "shapes.h"
#include "unlocked.h"

namespace py = pybind11;

namespace nearmiss::python {

Clock::Duration HeardClock::now() const noexcept {
  constexpr std::chrono::milliseconds pause(50);
  if (interrupted()) return Duration::max();
  const Duration time = wall_.now();
  if (looked_ == Duration{}) looked_ = time;
  if (time - looked_ < pause) return time;
  const py::gil_scoped_acquire locked;
  interrupted_ = PyErr_CheckSignals() != 0;
  // Exclude the wait for the GIL from the interval between polls
  looked_ = wall_.now();
  return interrupted_ ? Duration::max() : time;
}

TimeBudget HeardClock::budget(std::optional<double> seconds) {
  if (!seconds) return {*this, Duration::max()};
  if (!(*seconds >= 0.0 && *seconds <= 1e6)) throw Failure("a budget must be 0 to 1e6 seconds");
  return {*this, std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds))};
}

bool HeardClock::interrupted() const noexcept { return interrupted_ || pythonWaits(); }

void HeardClock::raiseIfInterrupted() const {
  if (interrupted_) throw py::error_already_set();
}

void HeardClock::raiseUnless(bool complete) const {
  raiseIfInterrupted();
  if (!complete) throw Failure("Python is ending: there was no time for all");
}

}  // namespace nearmiss::python
