// SPDX-License-Identifier: MIT
/// Normals and areas of triangles, and distances of points from triangles and boxes, in rounded
/// arithmetic.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace nearmiss {

/// Returns the point of a closed triangle nearest to `point`. Its distance is accurate to 1e-9 of
/// the sizes involved, even for the flattest triangles.
[[nodiscard]] Vec3 closestOnTriangle(const Vec3& point, const Triangle& triangle) noexcept;

[[nodiscard]] inline Real squaredDistance(const Vec3& p, const Vec3& q) noexcept {
  const Vec3 between = p - q;
  return glm::dot(between, between);
}
[[nodiscard]] inline Real squaredDistance(const Box& box, const Vec3& point) noexcept {
  return squaredDistance(glm::clamp(point, box.low, box.high), point);
}

/// Returns the normal with the length of twice the area, towards the side from which the corners
/// run counter-clockwise.
[[nodiscard]] inline Vec3 normalOf(const Triangle& t) noexcept {
  return glm::cross(t[1] - t[0], t[2] - t[0]);
}
[[nodiscard]] inline Real areaOf(const Triangle& t) noexcept {
  return 0.5 * glm::length(normalOf(t));
}

}  // namespace nearmiss
