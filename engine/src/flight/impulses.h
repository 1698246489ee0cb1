// SPDX-License-Identifier: MIT
/// Impulses at several points of two bodies at once.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>

namespace nearmiss::engine {

/// Points of two bodies, each with a normal. An impulse x[j] at point j changes the speed at which
/// the bodies part at point i by response[i][j] * x[j].
struct ImpulseProblem {
  static constexpr std::size_t maxPoints = 4;
  using Values = std::array<Real, maxPoints>;

  std::size_t count = 0;
  std::array<Values, maxPoints> response{};  ///< symmetric, positive semidefinite
  Values parting{};  ///< speeds before; negative: the bodies approach at that point
};

/// Computes impulses, each at least 0, after which no point parts more slowly than it approached:
/// after[i] + before[i] >= 0, with equality where the impulse is positive. So the impulses keep the
/// kinetic energy: their work is half the sum of x[i] * (after[i] + before[i]).
///
/// The speeds after it are unique, and so is the bodies' motion, even where the impulses are not.
/// If no impulses can do that, such as for a body pinched between two that cannot be moved, the
/// result is the one that fails by the least speed. All impulses are 0 if no point approaches.
[[nodiscard]] ImpulseProblem::Values solve(const ImpulseProblem& problem) noexcept;

}  // namespace nearmiss::engine
