// SPDX-License-Identifier: MIT
#include "sampling/triangle_box.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

/// Whether `axis` separates the triangle with corners `v` from the box of half extents `half` about
/// the origin by more than `slack`.
bool parts(const Vec3& axis, const Vec3 (&v)[3], const Vec3& half, Real slack = 0.0) noexcept {
  const Real p0 = glm::dot(axis, v[0]);
  const Real p1 = glm::dot(axis, v[1]);
  const Real p2 = glm::dot(axis, v[2]);
  const Real reach = glm::dot(glm::abs(axis), half) + slack;
  return std::min({p0, p1, p2}) > reach || std::max({p0, p1, p2}) < -reach;
}

}  // namespace

bool triangleMayMeetBox(const Triangle& triangle, const Box& box) noexcept {
  // Grow the box by far more than the rounding below can amount to. Differences of doubles and
  // products of them err relative to themselves, so a share of the greatest length is enough.
  const Vec3 centre = box.centre();
  Vec3 half = 0.5 * box.extent();
  const Vec3 v[3] = {triangle[0] - centre, triangle[1] - centre, triangle[2] - centre};
  Real greatest = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    greatest = std::max({greatest, std::abs(box.low[axis]), std::abs(box.high[axis]),
                         std::abs(v[0][axis]), std::abs(v[1][axis]), std::abs(v[2][axis])});
  half += 1e-12 * greatest;

  // Faces of the box
  for (int axis = 0; axis < 3; ++axis)
    if (std::min({v[0][axis], v[1][axis], v[2][axis]}) > half[axis] ||
        std::max({v[0][axis], v[1][axis], v[2][axis]}) < -half[axis])
      return false;

  // Plane of the triangle. The normal of a sliver is all rounding, and small, so that the growth
  // of the box does not cover it.
  const Vec3 edges[3] = {triangle[1] - triangle[0], triangle[2] - triangle[1],
                         triangle[0] - triangle[2]};
  const Real edgeProduct = glm::length(edges[0]) * glm::length(edges[1]);
  if (parts(glm::cross(edges[0], edges[1]), v, half, 1e-14 * edgeProduct * greatest)) return false;

  // Edge against edge
  for (const Vec3& e : edges)
    if (parts({0.0, -e.z, e.y}, v, half) || parts({e.z, 0.0, -e.x}, v, half) ||
        parts({-e.y, e.x, 0.0}, v, half))
      return false;
  return true;
}

}  // namespace nearmiss
