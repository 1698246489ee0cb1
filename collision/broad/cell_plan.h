// SPDX-License-Identifier: MIT
/// Chooses the cell width of the grid of bounds and the lifetime of bounds.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

struct CellPlan {
  Real cell = 1.0;     ///< edge of the finest cells, metres
  Real longest = 0.0;  ///< lifetime of a bound, seconds

  /// The longest lifetime of a bound whose box fits into the narrowest cells that hold it for a
  /// reasonable time, not counting `margin` metres. `speed` is the body's speed along an axis.
  [[nodiscard]] Real lifeOf(const BodyState& body, Real speed, Real margin) const noexcept;
};

/// Makes plans for crowds. Buffers are reused.
class CellPlanner {
 public:
  /// `tick` is the time between two calls, seconds.
  [[nodiscard]] CellPlan plan(std::span<const BodyState> bodies, Real tick);

 private:
  [[nodiscard]] Real cellFor(std::span<const BodyState> bodies, Real life);
  [[nodiscard]] Real candidates(std::span<const BodyState> bodies, Real cell);

  std::vector<Real> halves_;
  std::vector<std::uint32_t> counts_;  ///< number of bodies, by the hash of their cell
};

}  // namespace nearmiss
