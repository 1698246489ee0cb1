// SPDX-License-Identifier: MIT
#include "geometry/triangle_normal.h"

#include <cmath>

#include "geometry/exact_arithmetic.h"

namespace nearmiss {
namespace {

/// Sine of an angle below which the usual cross product has lost half of its digits.
constexpr Real thin = 1e-8;

/// The usual cross product; for triangles too thin for it a precise one, or some direction across.
Vec3 normalAlong(const Triangle& triangle) noexcept {
  const Vec3 p = triangle[1] - triangle[0], q = triangle[2] - triangle[0];
  const Vec3 usual = glm::cross(p, q), longest = longestSideOf(triangle);
  if (glm::length(usual) > thin * glm::dot(longest, longest)) return usual;
  const Vec3 precise = preciseCross(p, q);
  return glm::length(precise) > 0.0 ? precise : acrossEdge(longest);
}

}  // namespace

Vec3 preciseCross(const Vec3& p, const Vec3& q) noexcept {
  const auto difference = [](Real a, Real b, Real c, Real d) {
    const exact::TwoTerms first = exact::twoProduct(a, b), second = exact::twoProduct(c, d);
    return (first.head - second.head) + (first.tail - second.tail);
  };
  return {difference(p.y, q.z, p.z, q.y), difference(p.z, q.x, p.x, q.z),
          difference(p.x, q.y, p.y, q.x)};
}

Vec3 longestSideOf(const Triangle& triangle) noexcept {
  Vec3 longest = triangle[1] - triangle[0];
  for (std::size_t i = 1; i < 3; ++i) {
    const Vec3 other = triangle[(i + 1) % 3] - triangle[i];
    if (glm::dot(other, other) > glm::dot(longest, longest)) longest = other;
  }
  return longest;
}

Vec3 acrossEdge(const Vec3& edge) noexcept {
  int least = 0;
  for (int axis = 1; axis < 3; ++axis)
    if (std::abs(edge[axis]) < std::abs(edge[least])) least = axis;
  Vec3 across{0.0};
  across[least] = 1.0;
  const Vec3 normal = glm::cross(edge, across);
  const Real length = glm::length(normal);
  return length > 0.0 ? normal / length : across;
}

Vec3 unitNormalOf(const Triangle& triangle) noexcept {
  return glm::normalize(normalAlong(triangle));
}

Vec3 faceNormalOf(const Triangle& triangle) noexcept {
  const Vec3 normal = normalAlong(triangle);
  return normal / glm::length(normal);
}

}  // namespace nearmiss
