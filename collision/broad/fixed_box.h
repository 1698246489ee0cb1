// SPDX-License-Identifier: MIT
/// The box around a body's bounding sphere: of fixed size, so that a body may turn without a
/// change.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <cmath>
#include <limits>

namespace nearmiss {

/// Holds the bounding sphere and all rounding: bodies whose spheres meet have boxes that overlap. A
/// body with numbers too large to compute with, or with NaN, gets all of space.
[[nodiscard]] inline Box fixedBoxOf(const BodyState& body) noexcept {
  constexpr Real largest = 1e140;
  const Vec3& centre = body.pose.position;
  const bool sound = std::abs(centre.x) < largest && std::abs(centre.y) < largest &&
                     std::abs(centre.z) < largest && std::abs(body.shape.radius()) < largest;
  Box box;
  if (!sound) {
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    box.low = Vec3(-infinity);
    box.high = Vec3(infinity);
    return box;
  }
  const Real radius = std::abs(body.shape.radius()) * (1.0 + 1e-12) + 1e-15;
  const Vec3 reach = radius + 1e-15 * glm::abs(centre);
  box.low = centre - reach;
  box.high = centre + reach;
  return box;
}

/// False for a box that holds all of space.
[[nodiscard]] inline bool bounded(const Box& box) noexcept {
  return box.low.x > -std::numeric_limits<Real>::infinity();
}

}  // namespace nearmiss
