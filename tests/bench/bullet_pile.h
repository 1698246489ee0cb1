// SPDX-License-Identifier: MIT
/// The same stacks and heaps in Bullet, which has GImpact for concave bodies.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <span>
#include <vector>

#include "contact_piles.h"

namespace nearmiss::bench {

struct BulletSteps {
  std::vector<double> millis;    ///< CPU time of each step
  std::vector<double> energies;  ///< joules, after each step
  std::vector<double> fastest;   ///< metres per second, after each step
  std::vector<Pose> poses;       ///< in the end
};
/// Bodies of a kilogram over a floor whose top is y = 0, with the settings of our solver. Stops
/// after the step in which `seconds` of CPU time are exceeded.
[[nodiscard]] BulletSteps bulletSteps(std::span<const Dropped> bodies, int steps, double seconds);

/// Nanoseconds of a box on a box; the first call makes the algorithm.
[[nodiscard]] BoxCalls bulletBoxCalls(int rounds);

}  // namespace nearmiss::bench
