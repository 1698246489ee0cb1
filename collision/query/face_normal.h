// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/mesh.h>

#include <glm/geometric.hpp>

#include "geometry/closest_points.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {

/// Of unit length and outward, however thin the triangle; some direction across its longest side
/// where rounding leaves no area.
[[nodiscard]] inline Vec3 faceNormal(const Triangle& corners) noexcept {
  // Sine of an angle above which the usual cross product has enough digits
  constexpr Real wide = 1e-8;
  const Vec3 usual = normalOf(corners), side = longestSideOf(corners);
  const Real length = glm::length(usual);
  // Divided once: unitNormalOf() rounds the last digit differently
  return length > wide * glm::dot(side, side) ? usual / length : unitNormalOf(corners);
}

}  // namespace nearmiss
