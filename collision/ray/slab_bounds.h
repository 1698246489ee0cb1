// SPDX-License-Identifier: MIT
/// Computes when a moving ball reaches the boxes of a hierarchy, in double, so that distance costs
/// few digits.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/local_ray.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// The time at which the centre of a moving ball enters boxes widened by its radius, rounded down.
class SlabBounds {
 public:
  SlabBounds() = default;
  /// @param around metres about each box
  SlabBounds(const LocalRay& ray, const WideBoxes& boxes, Real around) noexcept
      : approach_(ray, boxes, around), unit_(boxes.unit()) {
    start_ = boxes.inUnits(approach_.near);
    around_ = (around + 4.0 * approach_.off) / unit_ * (1.0 + 1e-12) +
              16.0 * std::numeric_limits<Real>::epsilon() * approach_.reach / unit_;
    for (int axis = 0; axis < 3; ++axis) {
      const Real along = ray.direction[axis];
      perUnit_[axis] = 1.0 / std::copysign(std::max(std::abs(along), 1e-18), along);
    }
  }

  [[nodiscard]] const RayApproach& approach() const noexcept { return approach_; }

  /// Returns one bit for each box that is reached by `limit`. Times are local t, relative to the
  /// approach.
  [[nodiscard]] unsigned lanes(const WideBoxes::Node& node, Real limit,
                               std::array<Real, WideBoxes::width>& least) const noexcept {
    constexpr Real rounding = 1e-12;
    unsigned reached = 0;
    for (unsigned lane = 0; lane < WideBoxes::width; ++lane) {
      Real enter = 0.0, leave = std::numeric_limits<Real>::infinity();
      for (int axis = 0; axis < 3; ++axis) {
        const Real low = (node.low[axis][lane] - around_ - start_[axis]) * perUnit_[axis];
        const Real high = (node.high[axis][lane] + around_ - start_[axis]) * perUnit_[axis];
        enter = std::max(enter, std::min(low, high));
        leave = std::min(leave, std::max(low, high));
      }
      least[lane] = enter * unit_ * (1.0 - rounding);
      if (enter * (1.0 - rounding) <= leave * (1.0 + rounding) && least[lane] <= limit)
        reached |= 1u << lane;
    }
    return reached;
  }

  /// Returns the local t of a bound, rounded down.
  [[nodiscard]] Real timeOf(Real bound) const noexcept {
    const Real t = approach_.start + bound;
    if (!std::isfinite(t)) return t;
    return std::max(t - 4.0 * std::numeric_limits<Real>::epsilon() * t, 0.0);
  }

  /// Returns the bound of a local t, rounded up.
  [[nodiscard]] Real boundOf(Real t) const noexcept {
    const Real bound = t - approach_.start;
    return bound + 1e-12 * std::abs(bound) +
           8.0 * std::numeric_limits<Real>::epsilon() * approach_.start;
  }

 private:
  RayApproach approach_;
  Real unit_ = 1.0;
  Real around_ = 0.0;  ///< in units, including rounding
  Vec3 start_{0.0}, perUnit_{0.0};
};

}  // namespace nearmiss
