// SPDX-License-Identifier: MIT
/// Geometry in rational numbers: slow, plain, exact, and written apart from what it judges.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <utility>
#include <vector>

namespace nearmiss::test {

using Rational = boost::multiprecision::cpp_rational;
using RationalPoint = std::array<Rational, 3>;

inline RationalPoint rational(const Vec3& p) {
  return {Rational(p.x), Rational(p.y), Rational(p.z)};
}
inline RationalPoint minus(const RationalPoint& a, const RationalPoint& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline RationalPoint opposite(const RationalPoint& a) { return {-a[0], -a[1], -a[2]}; }
inline Rational dot(const RationalPoint& a, const RationalPoint& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline RationalPoint cross(const RationalPoint& a, const RationalPoint& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline bool isZero(const RationalPoint& a) { return a[0] == 0 && a[1] == 0 && a[2] == 0; }

/// All points with dot(normal, p) <= offset.
struct HalfSpace {
  RationalPoint normal;
  Rational offset;
};

/// A closed triangle, segment or point as the half-spaces whose intersection it is.
inline std::vector<HalfSpace> halfSpacesOf(const Triangle& triangle) {
  const std::array<RationalPoint, 3> p{rational(triangle[0]), rational(triangle[1]),
                                       rational(triangle[2])};
  std::vector<HalfSpace> spaces;
  const auto below = [&spaces](const RationalPoint& normal, const RationalPoint& at) {
    spaces.push_back({normal, dot(normal, at)});
  };
  const auto on = [&](const RationalPoint& normal, const RationalPoint& at) {
    below(normal, at);
    below(opposite(normal), at);
  };
  const RationalPoint normal = cross(minus(p[1], p[0]), minus(p[2], p[0]));
  if (!isZero(normal)) {
    on(normal, p[0]);
    for (int i = 0; i < 3; ++i) below(cross(minus(p[(i + 1) % 3], p[i]), normal), p[i]);
    return spaces;
  }
  // Without area: the longest edge is all of it
  std::array<RationalPoint, 2> ends{p[0], p[1]};
  for (const auto& [i, j] : {std::pair{1, 2}, {2, 0}}) {
    const RationalPoint edge = minus(p[j], p[i]), longest = minus(ends[1], ends[0]);
    if (dot(edge, edge) > dot(longest, longest)) ends = {p[i], p[j]};
  }
  const RationalPoint along = minus(ends[1], ends[0]);
  if (isZero(along)) {
    for (int axis = 0; axis < 3; ++axis) {
      RationalPoint unit{0, 0, 0};
      unit[axis] = 1;
      on(unit, ends[0]);
    }
    return spaces;
  }
  RationalPoint across = cross(along, {1, 0, 0});
  if (isZero(across)) across = cross(along, {0, 1, 0});
  on(across, ends[0]);
  on(cross(along, across), ends[0]);
  below(along, ends[1]);
  below(opposite(along), ends[0]);
  return spaces;
}

/// Cuts a convex polygon, segment or point by a half-space.
inline std::vector<RationalPoint> clipped(const std::vector<RationalPoint>& polygon,
                                          const HalfSpace& space) {
  std::vector<RationalPoint> kept;
  std::vector<Rational> height;
  for (const RationalPoint& p : polygon) height.push_back(dot(space.normal, p) - space.offset);
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const std::size_t j = (i + 1) % polygon.size();
    if (height[i] <= 0) kept.push_back(polygon[i]);
    if ((height[i] < 0 && height[j] > 0) || (height[i] > 0 && height[j] < 0)) {
      const Rational t = height[i] / (height[i] - height[j]);
      RationalPoint cut;
      for (int k = 0; k < 3; ++k) cut[k] = polygon[i][k] + t * (polygon[j][k] - polygon[i][k]);
      kept.push_back(cut);
    }
  }
  return kept;
}

/// True if two closed triangles share a point: one is clipped by the half-spaces of the other.
inline bool trianglesMeetByClipping(const Triangle& a, const Triangle& b) {
  std::vector<RationalPoint> rest{rational(a[0]), rational(a[1]), rational(a[2])};
  for (const HalfSpace& space : halfSpacesOf(b)) {
    rest = clipped(rest, space);
    if (rest.empty()) return false;
  }
  return true;
}

/// The sign of det[a - d; b - d; c - d].
inline int rationalOrientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const RationalPoint base = rational(d);
  const Rational volume =
      dot(minus(rational(a), base), cross(minus(rational(b), base), minus(rational(c), base)));
  return volume.sign();
}

}  // namespace nearmiss::test
