// SPDX-License-Identifier: MIT
/// Distances and nearest points of triangles and boxes, in rounded arithmetic.
#pragma once

#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {

/// The square of the distance of two closed triangles; 0 iff they meet, which is decided exactly.
[[nodiscard]] Real squaredDistance(const Triangle& a, const Triangle& b) noexcept;

/// A point of each of two things, and the square of their distance.
struct PointPair {
  Vec3 a{0.0}, b{0.0};
  Real squared = std::numeric_limits<Real>::infinity();
};

/// The closest points of two closed triangles, within 1e-9 of the sizes involved: corners, points
/// of edges, and where an edge crosses the other triangle.
[[nodiscard]] PointPair closestPoints(const Triangle& a, const Triangle& b) noexcept;

/// Returns a point of two triangles that meet, within 1e-9 of the sizes involved. Much quicker than
/// closestPoints().
/// @pre They meet.
[[nodiscard]] Vec3 pointOfBoth(const Triangle& a, const Triangle& b) noexcept;

/// The distance of `other` from the plane of a triangle, within 1e-9 of its size; 0 if it crosses
/// the plane or the plane is ill defined. At most their distance, and much quicker.
[[nodiscard]] Real gapFromPlane(const Triangle& plane, const Triangle& other) noexcept;

[[nodiscard]] inline Real squaredDistance(const Box& a, const Box& b) noexcept {
  const Vec3 gap = glm::max(Vec3(0.0), glm::max(a.low - b.high, b.low - a.high));
  return glm::dot(gap, gap);
}

}  // namespace nearmiss
