// SPDX-License-Identifier: MIT
/// Nearest points of points, segments and triangles, normals and areas, in rounded arithmetic.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {

/// The point of a closed triangle nearest to `point`. Its distance is right within 1e-7 of the
/// sizes involved however flat the triangle is, and within 1e-9 up to an aspect of 10^5.
[[nodiscard]] Vec3 closestOnTriangle(const Vec3& point, const Triangle& triangle) noexcept;

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

/// The distance of `other` from the plane of a triangle, within 1e-9 of its size; 0 if it crosses
/// the plane or the plane is ill defined. At most their distance, and much quicker.
[[nodiscard]] Real gapFromPlane(const Triangle& plane, const Triangle& other) noexcept;

[[nodiscard]] inline Real squaredDistance(const Vec3& p, const Vec3& q) noexcept {
  const Vec3 between = p - q;
  return glm::dot(between, between);
}
[[nodiscard]] inline Real squaredDistance(const Box& box, const Vec3& point) noexcept {
  return squaredDistance(glm::clamp(point, box.low, box.high), point);
}
[[nodiscard]] inline Real squaredDistance(const Box& a, const Box& b) noexcept {
  const Vec3 gap = glm::max(Vec3(0.0), glm::max(a.low - b.high, b.low - a.high));
  return glm::dot(gap, gap);
}

/// Twice its area long, towards the side that its corners run counter-clockwise about.
[[nodiscard]] inline Vec3 normalOf(const Triangle& t) noexcept {
  return glm::cross(t[1] - t[0], t[2] - t[0]);
}
[[nodiscard]] inline Real areaOf(const Triangle& t) noexcept {
  return 0.5 * glm::length(normalOf(t));
}

}  // namespace nearmiss
