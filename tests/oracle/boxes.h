// SPDX-License-Identifier: MIT
/// Tests if two boxes of tree nodes meet, exactly: as the parallelepipeds that their numbers say.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>

#include <array>

#include "oracle/rational.h"

namespace nearmiss::test {

/// Faces normal to `normal[k]`, edges along `edge[k]`: dot(normal[i], edge[j]) is 1 for i = j,
/// otherwise 0.
struct ExactBox {
  RationalPoint centre;
  std::array<RationalPoint, 3> normal, edge;
  std::array<Rational, 3> half;

  ExactBox(const NodeBox& box) {
    const auto point = [](const float* p) { return rational(Vec3(p[0], p[1], p[2])); };
    centre = point(box.centre);
    for (std::size_t k = 0; k < 3; ++k) {
      normal[k] = point(box.axis[k]);
      half[k] = Rational(box.half[k]);
    }
    const Rational determinant = dot(normal[0], cross(normal[1], normal[2]));
    for (std::size_t k = 0; k < 3; ++k) {
      edge[k] = cross(normal[(k + 1) % 3], normal[(k + 2) % 3]);
      for (Rational& x : edge[k]) x /= determinant;
    }
  }
  /// Moved by the linear map that the pose's numbers say, which is no pure rotation where they are
  /// not of unit length.
  ExactBox(const NodeBox& box, const Pose& by) : ExactBox(box) {
    const Rational w(by.rotation.w);
    const RationalPoint u = rational(Vec3(by.rotation.x, by.rotation.y, by.rotation.z));
    const auto turned = [&](const RationalPoint& p) {
      const RationalPoint once = cross(u, p), twice = cross(u, once);
      RationalPoint sum = p;
      for (std::size_t k = 0; k < 3; ++k) sum[k] += 2 * (w * once[k] + twice[k]);
      return sum;
    };
    centre = minus(turned(centre), rational(-by.position));
    for (RationalPoint& e : edge) e = turned(e);
    const Rational determinant = dot(edge[0], cross(edge[1], edge[2]));
    for (std::size_t k = 0; k < 3; ++k) {
      normal[k] = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
      for (Rational& x : normal[k]) x /= determinant;
    }
  }
  /// Half the width along `direction`, times its length.
  [[nodiscard]] Rational reach(const RationalPoint& direction) const {
    Rational sum = 0;
    for (std::size_t k = 0; k < 3; ++k) sum += half[k] * abs(dot(direction, edge[k]));
    return sum;
  }
};

/// Two parallelepipeds are apart iff a normal of theirs or a product of edges parts them.
inline bool boxesMeetExactly(const ExactBox& a, const ExactBox& b) {
  const RationalPoint between = minus(b.centre, a.centre);
  const auto parts = [&](const RationalPoint& direction) {
    return abs(dot(direction, between)) > a.reach(direction) + b.reach(direction);
  };
  for (std::size_t i = 0; i < 3; ++i)
    if (parts(a.normal[i]) || parts(b.normal[i])) return false;
  for (const RationalPoint& u : a.edge)
    for (const RationalPoint& v : b.edge)
      if (parts(cross(u, v))) return false;
  return true;
}

}  // namespace nearmiss::test
