// SPDX-License-Identifier: MIT
#include "geometry/triangle_normal.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <cmath>

#include "geometry/exact_arithmetic.h"

namespace nearmiss {
namespace {

/// Returns true if the usual cross product has lost too many digits.
bool isThin(const Triangle& triangle, const Vec3& usual) noexcept {
  const Vec3 longest = longestSideOf(triangle);
  return !(glm::length(usual) > thinSine * glm::dot(longest, longest));
}

/// Returns the normal from a precise cross product; if that is 0, a direction perpendicular to the
/// longest side.
Vec3 thinNormalOf(const Triangle& triangle) noexcept {
  const Vec3 precise = preciseCross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
  const Real area = glm::length(precise);
  return area > 0.0 ? precise / area : acrossEdge(longestSideOf(triangle));
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
  const Vec3 usual = normalOf(triangle);
  return isThin(triangle, usual) ? thinNormalOf(triangle) : glm::normalize(usual);
}

Vec3 faceNormalOf(const Triangle& triangle) noexcept {
  const Vec3 usual = normalOf(triangle);
  return isThin(triangle, usual) ? thinNormalOf(triangle) : usual / glm::length(usual);
}

}  // namespace nearmiss
