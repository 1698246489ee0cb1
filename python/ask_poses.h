// SPDX-License-Identifier: MIT
/// Queries of two poses from Python.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/time_budget.h>
#include <pybind11/pybind11.h>

#include <optional>
#include <utility>

#include "collisions.h"
#include "heard_clock.h"
#include "unlocked.h"

namespace nearmiss::python {

/// Runs a query within a budget, in seconds, without the GIL and interruptible by Ctrl-C. Poses are
/// matrices of four rows.
auto withPoses(const Vertices& poseA, const Vertices& poseB, std::optional<double> budget,
               const auto& ask) {
  const Pose here = poseFromMatrix(poseA, "pose_a"), there = poseFromMatrix(poseB, "pose_b");
  HeardClock clock;
  const TimeBudget time = clock.budget(budget);
  auto answer = [&] {
    const Unlocked unlocked;
    return ask(here, there, time);
  }();
  clock.raiseIfInterrupted();
  return answer;
}

}  // namespace nearmiss::python
