// SPDX-License-Identifier: MIT
/// Distances and nearest points of triangles and boxes, in floating-point arithmetic.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {

/// Squared distance of two closed triangles; 0 iff they meet, which is decided exactly.
[[nodiscard]] Real squaredDistance(const Triangle& a, const Triangle& b) noexcept;

/// A point of each of two objects, and the square of their distance.
struct PointPair {
  Vec3 a{0.0}, b{0.0};
  Real squared = std::numeric_limits<Real>::infinity();
};

/// Returns the closest points of two closed triangles, accurate to 1e-9 of the sizes involved.
/// Compares corners, points of edges, and crossings of an edge with the other triangle.
[[nodiscard]] PointPair closestPoints(const Triangle& a, const Triangle& b) noexcept;

/// Returns a common point of two triangles that meet, accurate to 1e-9 of the sizes involved. Much
/// faster than closestPoints().
/// @pre the triangles meet
[[nodiscard]] Vec3 pointOfBoth(const Triangle& a, const Triangle& b) noexcept;

/// Returns the distance of `other` from the plane of a triangle, accurate to 1e-9 of its size; 0 if
/// `other` crosses the plane or the plane is ill defined. A lower bound of the distance of the
/// triangles, and much faster to compute.
[[nodiscard]] Real gapFromPlane(const Triangle& plane, const Triangle& other) noexcept;

[[nodiscard]] inline Real squaredDistance(const Box& a, const Box& b) noexcept {
  const Vec3 gap = glm::max(Vec3(0.0), glm::max(a.low - b.high, b.low - a.high));
  return glm::dot(gap, gap);
}

}  // namespace nearmiss
