// SPDX-License-Identifier: MIT
/// Where two edges cross, and which ways out of each other they have.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <optional>

#include "geometry/closest_points.h"
#include "query/surface_edges.h"

namespace nearmiss {

/// The nearest points of two segments that are not parallel, if they lie within both.
[[nodiscard]] inline std::optional<PointPair> crossingWithin(const std::array<Vec3, 2>& p,
                                                             const std::array<Vec3, 2>& q) {
  const Vec3 alongP = p[1] - p[0], alongQ = q[1] - q[0], between = q[0] - p[0];
  const Real pp = glm::dot(alongP, alongP), qq = glm::dot(alongQ, alongQ);
  const Real pq = glm::dot(alongP, alongQ);
  const Real determinant = pp * qq - pq * pq;
  if (!(determinant > 1e-12 * pp * qq)) return std::nullopt;
  const Real dp = glm::dot(alongP, between), dq = glm::dot(alongQ, between);
  const Real s = (dp * qq - dq * pq) / determinant, t = (dp * pq - dq * pp) / determinant;
  // The ends are vertices, which are looked at themselves
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return std::nullopt;
  PointPair pair{p[0] + s * alongP, q[0] + t * alongQ, 0.0};
  pair.squared = squaredDistance(pair.a, pair.b);
  return pair;
}

/// True if a way outwards across an edge lies between the normals of its two faces, or if these do
/// not say what outwards is.
[[nodiscard]] inline bool liesBetween(const Vec3& first, const Vec3& second,
                                      const Vec3& way) noexcept {
  constexpr Real doubt = 1e-6;
  if (first == Vec3(0.0)) return true;
  const Vec3 along = glm::cross(first, second);
  const Real length = glm::length(along);
  return glm::dot(glm::cross(first, way), along) >= -doubt * length &&
         glm::dot(glm::cross(way, second), along) >= -doubt * length &&
         glm::dot(way, first + second) > 0.0;
}

/// False only if no way across both an edge and one along `along` lies between the normals of the
/// edge's two faces: these then turn to the same side of it.
[[nodiscard]] inline bool turnsAcross(const SurfaceEdge& edge, const Vec3& along) noexcept {
  const Vec3 size = glm::abs(along);
  const Real doubt = 1e-5 * (size.x + size.y + size.z);
  const Real first = glm::dot(edge.normals[0], along), second = glm::dot(edge.normals[1], along);
  return std::min(first, second) <= doubt && std::max(first, second) >= -doubt;
}

}  // namespace nearmiss
