// SPDX-License-Identifier: MIT
/// Inside, outside and contact of meshes in wide integers: every triangle, no hierarchy, no filter.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <cstdint>
#include <optional>

#include "oracle/rational.h"
#include "support/random.h"

namespace nearmiss::test {

using Wide = boost::multiprecision::int256_t;
using WidePoint = std::array<Wide, 3>;

/// Coordinates rounded to multiples of 2^-50, which wide integers hold exactly below 1024.
inline Vec3 snapped(const Vec3& p) {
  return {std::ldexp(std::round(std::ldexp(p.x, 50)), -50),
          std::ldexp(std::round(std::ldexp(p.y, 50)), -50),
          std::ldexp(std::round(std::ldexp(p.z, 50)), -50)};
}

inline TriangleMesh snapped(TriangleMesh mesh) {
  for (Vec3& p : mesh.positions) p = snapped(p);
  return mesh;
}

/// p - q in units of 2^-50. @pre both are snapped.
inline WidePoint wideDifference(const Vec3& p, const Vec3& q) {
  WidePoint difference;
  for (int axis = 0; axis < 3; ++axis)
    difference[axis] = Wide(static_cast<std::int64_t>(std::ldexp(p[axis], 50))) -
                       Wide(static_cast<std::int64_t>(std::ldexp(q[axis], 50)));
  return difference;
}

inline int signOfDeterminant(const WidePoint& a, const WidePoint& b, const WidePoint& c) {
  const Wide volume = a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
                      a[2] * (b[0] * c[1] - b[1] * c[0]);
  return volume.sign();
}

/// Crossings of the ray from `point` in a direction, with sign; none if it grazes something.
inline std::optional<int> crossingsAlong(const WidePoint& direction, const TriangleMesh& mesh,
                                         const Vec3& point) {
  int crossings = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    std::array<WidePoint, 3> corners;
    for (int i = 0; i < 3; ++i) corners[i] = wideDifference(mesh.corners(t)[i], point);
    int sides[3];
    for (int i = 0; i < 3; ++i)
      sides[i] = signOfDeterminant(direction, corners[i], corners[(i + 1) % 3]);
    const bool anyLeft = sides[0] > 0 || sides[1] > 0 || sides[2] > 0;
    const bool anyRight = sides[0] < 0 || sides[1] < 0 || sides[2] < 0;
    if (anyLeft && anyRight) continue;
    if (sides[0] == 0 || sides[1] == 0 || sides[2] == 0) return std::nullopt;
    if (signOfDeterminant(corners[0], corners[1], corners[2]) == sides[0]) crossings += sides[0];
  }
  return crossings;
}

/// True if the boxes around two triangles touch, as they must if the triangles do.
inline bool boxesMeet(const Triangle& a, const Triangle& b) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [lowA, highA] = std::minmax({a[0][axis], a[1][axis], a[2][axis]});
    const auto [lowB, highB] = std::minmax({b[0][axis], b[1][axis], b[2][axis]});
    if (lowA > highB || lowB > highA) return false;
  }
  return true;
}

inline bool meetExactly(const Triangle& a, const Triangle& b) {
  return boxesMeet(a, b) && trianglesMeetByClipping(a, b);
}

/// True if `point` lies inside or on a closed mesh. @pre mesh and point are snapped.
inline bool containsByRays(const TriangleMesh& mesh, const Vec3& point) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (meetExactly({point, point, point}, mesh.corners(t))) return true;
  Random random(99);
  for (;;) {
    const WidePoint direction{random.whole(-999, 999), random.whole(-999, 999),
                              random.whole(-999, 999)};
    if (const auto crossings = crossingsAlong(direction, mesh, point)) return *crossings > 0;
  }
}

/// True if two solids have a point in common. @pre both are snapped.
inline bool solidsMeet(const TriangleMesh& a, const TriangleMesh& b) {
  for (std::size_t i = 0; i < a.triangles.size(); ++i)
    for (std::size_t j = 0; j < b.triangles.size(); ++j)
      if (meetExactly(a.corners(i), b.corners(j))) return true;
  // The surfaces are apart: each vertex answers for its piece
  for (const Vec3& p : b.positions)
    if (containsByRays(a, p)) return true;
  for (const Vec3& p : a.positions)
    if (containsByRays(b, p)) return true;
  return false;
}

}  // namespace nearmiss::test
