// SPDX-License-Identifier: MIT
/// Rays and moved balls against every triangle: rays in rational numbers, balls by nested sections.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "oracle/distance.h"
#include "oracle/rational.h"

namespace nearmiss::test {

/// A mesh as half-spaces, triangle by triangle.
class RationalSurface {
 public:
  explicit RationalSurface(const TriangleMesh& mesh) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      triangles_.push_back(halfSpacesOf(mesh.corners(t)));
  }

  /// The least t >= 0 at which a ray is in triangle `t`.
  [[nodiscard]] std::optional<Rational> meeting(std::size_t t, const RationalPoint& origin,
                                                const RationalPoint& direction) const {
    Rational low = 0, high;
    bool bounded = false;
    for (const HalfSpace& space : triangles_[t]) {
      const Rational rise = dot(space.normal, direction);
      const Rational left = space.offset - dot(space.normal, origin);
      if (rise == 0) {
        if (left < 0) return std::nullopt;
        continue;
      }
      const Rational at = left / rise;
      if (rise > 0 && (!bounded || at < high)) high = at;
      bounded = bounded || rise > 0;
      if (rise < 0 && at > low) low = at;
      if (bounded && low > high) return std::nullopt;
    }
    return low;
  }

  /// The least of all triangles.
  [[nodiscard]] std::optional<Rational> first(const Vec3& origin, const Vec3& direction) const {
    const RationalPoint from = rational(origin), along = rational(direction);
    std::optional<Rational> least;
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      if (const auto at = meeting(t, from, along); at && (!least || *at < *least)) least = at;
    return least;
  }

 private:
  std::vector<std::vector<HalfSpace>> triangles_;
};

/// When a point that moves along a line first comes within `radius` of a triangle; the distance is
/// convex in time. Nothing if it does not until `end`.
inline std::optional<Real> firstWithin(const Vec3& origin, const Vec3& direction, Real end,
                                       Real radius, const Triangle& triangle) {
  const auto distance = [&](Real t) { return pointToTriangle(origin + t * direction, triangle); };
  if (distance(0.0) <= radius) return 0.0;
  Real low = 0.0, high = end;
  for (int i = 0; i < 90; ++i) {
    const Real third = (high - low) / 3.0;
    (distance(low + third) < distance(high - third) ? high : low) +=
        distance(low + third) < distance(high - third) ? -third : third;
  }
  const Real nearest = 0.5 * (low + high);
  if (distance(nearest) > radius) return std::nullopt;
  Real before = 0.0, after = nearest;
  for (int i = 0; i < 90; ++i) {
    const Real middle = 0.5 * (before + after);
    (distance(middle) <= radius ? after : before) = middle;
  }
  return after;
}

inline Real distanceTo(const TriangleMesh& mesh, const Vec3& point) {
  Real least = std::numeric_limits<Real>::infinity();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    least = std::min(least, pointToTriangle(point, mesh.corners(t)));
  return least;
}

}  // namespace nearmiss::test
