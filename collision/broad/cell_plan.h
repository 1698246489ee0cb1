// SPDX-License-Identifier: MIT
/// How wide the cells of the grid of bounds are, and how long bounds last.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

struct CellPlan {
  Real cell = 1.0;     ///< the edge of the finest cells, metres
  Real longest = 0.0;  ///< life of a bound, seconds

  /// The longest duration of a bound whose box fits the narrowest cells that hold it for a fair
  /// while, `margin` metres aside. `speed`: of the body, along an axis.
  [[nodiscard]] Real lifeOf(const BodyState& body, Real speed, Real margin) const noexcept;
};

/// Makes plans for crowds; keeps its memory.
class CellPlanner {
 public:
  /// `tick`: the time between two calls, seconds.
  [[nodiscard]] CellPlan plan(std::span<const BodyState> bodies, Real tick);

 private:
  [[nodiscard]] Real cellFor(std::span<const BodyState> bodies, Real life);
  [[nodiscard]] Real candidates(std::span<const BodyState> bodies, Real cell);

  std::vector<Real> halves_;
  std::vector<std::uint32_t> counts_;  ///< of bodies, by the hash of their cell
};

}  // namespace nearmiss
