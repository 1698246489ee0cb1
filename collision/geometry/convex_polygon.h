// SPDX-License-Identifier: MIT
/// Convex polygons in space, cut by planes.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

namespace nearmiss {

/// The corners in order, all in one plane.
using ConvexPolygon = std::vector<Vec3>;

/// Returns the mean of the corners.
[[nodiscard]] inline Vec3 centreOf(std::span<const Vec3> polygon) noexcept {
  Vec3 sum(0.0);
  for (const Vec3& p : polygon) sum += p;
  return sum / static_cast<Real>(polygon.size());
}

/// Returns the part of a polygon on the side of a plane that `along` points to.
[[nodiscard]] inline ConvexPolygon clipped(const ConvexPolygon& polygon, const Vec3& origin,
                                           const Vec3& along) {
  ConvexPolygon rest;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec3 &p = polygon[i], &q = polygon[(i + 1) % polygon.size()];
    const Real atP = glm::dot(along, p - origin), atQ = glm::dot(along, q - origin);
    if (atP >= 0.0) rest.push_back(p);
    if ((atP < 0.0 && atQ > 0.0) || (atP > 0.0 && atQ < 0.0))
      rest.push_back(p + (atP / (atP - atQ)) * (q - p));
  }
  return rest;
}

/// Returns true if a polygon is wider than `least` metres.
[[nodiscard]] inline bool isWide(const ConvexPolygon& polygon, Real least) noexcept {
  Vec3 area(0.0);
  Real longest = 0.0;
  for (std::size_t i = 2; i < polygon.size(); ++i) {
    area += glm::cross(polygon[i - 1] - polygon[0], polygon[i] - polygon[0]);
    longest = std::max(longest, glm::distance(polygon[i], polygon[0]));
  }
  return glm::length(area) > least * longest;
}

}  // namespace nearmiss
