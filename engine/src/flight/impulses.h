// SPDX-License-Identifier: MIT
/// Simultaneous impulses at several points of two bodies.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>

namespace nearmiss::engine {

/// Contact points of two bodies, each with a normal. An impulse x[j] at point j changes the speed
/// of separation at point i by response[i][j] * x[j].
struct ImpulseProblem {
  static constexpr std::size_t maxPoints = 4;
  using Values = std::array<Real, maxPoints>;

  std::size_t count = 0;
  std::array<Values, maxPoints> response{};  ///< symmetric, positive semidefinite
  Values parting{};  ///< speeds of separation before; negative if the bodies approach there
};

/// Computes nonnegative impulses after which no point separates more slowly than it approached:
/// after[i] + before[i] >= 0, with equality if the impulse is positive. These impulses conserve
/// kinetic energy, because their work is half the sum of x[i] * (after[i] + before[i]).
///
/// The resulting speeds, and therefore the motion, are unique even if the impulses are not. If no
/// such impulses exist, for example for a body between two immovable ones, minimises the speed by
/// which the condition is violated. All impulses are 0 if no point approaches.
[[nodiscard]] ImpulseProblem::Values solve(const ImpulseProblem& problem) noexcept;

}  // namespace nearmiss::engine
