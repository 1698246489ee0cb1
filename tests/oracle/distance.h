// SPDX-License-Identifier: MIT
/// Distances of points, segments and triangles, feature by feature, in rounded arithmetic.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "oracle/rational.h"

namespace nearmiss::test {

inline Real pointToSegment(const Vec3& point, const Vec3& p, const Vec3& q) {
  const Real length = glm::distance(p, q);
  if (length == 0.0) return glm::distance(point, p);
  const Vec3 along = (q - p) / length;
  const Real t = glm::dot(point - p, along);
  if (t <= 0.0) return glm::distance(point, p);
  if (t >= length) return glm::distance(point, q);
  return glm::length(glm::cross(point - p, along));
}

inline Real pointToTriangle(const Vec3& point, const std::array<Vec3, 3>& t) {
  Real least = std::numeric_limits<Real>::infinity();
  const Vec3 normal = glm::normalize(glm::cross(t[1] - t[0], t[2] - t[0]));
  bool above = true;
  for (int i = 0; i < 3; ++i) {
    const Vec3& p = t[i];
    const Vec3& q = t[(i + 1) % 3];
    above = above && glm::dot(glm::cross(normal, q - p), point - p) >= 0.0;
    least = std::min(least, pointToSegment(point, p, q));
  }
  return above ? std::min(least, std::fabs(glm::dot(normal, point - t[0]))) : least;
}

/// Of the lines' nearest points if they lie in the segments, else of an end.
inline Real segmentToSegment(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) {
  Real least = std::min({pointToSegment(p, r, s), pointToSegment(q, r, s), pointToSegment(r, p, q),
                         pointToSegment(s, p, q)});
  const Vec3 across = glm::cross(q - p, s - r);
  const Real square = glm::dot(across, across);
  if (square == 0.0) return least;
  const Real onFirst = glm::dot(glm::cross(r - p, s - r), across) / square;
  const Real onSecond = glm::dot(glm::cross(r - p, q - p), across) / square;
  if (onFirst > 0.0 && onFirst < 1.0 && onSecond > 0.0 && onSecond < 1.0)
    least = std::min(least, std::fabs(glm::dot(r - p, across)) / std::sqrt(square));
  return least;
}

/// @pre The triangles do not meet.
inline Real triangleToTriangle(const std::array<Vec3, 3>& a, const std::array<Vec3, 3>& b) {
  Real least = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 3; ++i) {
    least = std::min({least, pointToTriangle(a[i], b), pointToTriangle(b[i], a)});
    for (int j = 0; j < 3; ++j)
      least = std::min(least, segmentToSegment(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
  }
  return least;
}

}  // namespace nearmiss::test
