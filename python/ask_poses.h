// SPDX-License-Identifier: MIT
/// Questions about two poses, as Python asks them.
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

/// Asks within a budget, in seconds, while other threads run and Ctrl-C is heard; poses as matrices
/// of four rows.
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
