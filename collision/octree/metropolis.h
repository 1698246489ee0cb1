// SPDX-License-Identifier: MIT
/// When simulated annealing accepts a move: the Metropolis rule, the same for all annealing.
#pragma once

#include "spheres/seeded_random.h"

#include <nearmiss/math.h>

#include <cmath>
#include <functional>

namespace nearmiss {

/// The energy below which the next move is accepted. Drawn beforehand, so that a move that cannot
/// be accepted need not be measured to the end: one that loses d is accepted with probability
/// exp(-d / T), one that gains always.
[[nodiscard]] inline Real allowedEnergy(Real energy, Real temperature,
                                        SeededRandom& random) noexcept {
  return energy - temperature * std::log(1.0 - random.unit());
}

/// A move that was tried, for tests of the rule.
struct TriedMove {
  Real loss = 0.0;  ///< energy after it less that before
  Real temperature = 0.0;
  bool taken = false;
};
/// With a watcher, every move is measured to the end.
using MoveWatcher = std::function<void(const TriedMove&)>;

}  // namespace nearmiss
