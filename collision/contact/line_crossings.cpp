// SPDX-License-Identifier: MIT
#include "contact/line_crossings.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>

#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// Returns true if a line that reaches both sides of a triangle's plane hits the triangle.
bool meets(const Vec3& from, const Vec3& to, const Triangle& corners) {
  const auto [low, high] = std::minmax({orientation(from, to, corners[0], corners[1]),
                                        orientation(from, to, corners[1], corners[2]),
                                        orientation(from, to, corners[2], corners[0])});
  return low >= 0 || high <= 0;
}

/// Returns 1 for a point in front of the plane of a triangle, -1 behind it.
int sideOf(const Triangle& corners, const Vec3& point) {
  return -orientation(corners[0], corners[1], corners[2], point);
}

Box boxAround(const Vec3& from, const Vec3& to) { return {glm::min(from, to), glm::max(from, to)}; }

}  // namespace

int lastSideLeft(const ContactBody& body, const Vec3& from, const Vec3& to) {
  Real last = -1.0;
  int left = 0;
  body.polyhedron().forEachTriangleIn(boxAround(from, to), [&](std::uint32_t t) {
    const Triangle corners = body.mesh().corners(t);
    const int end = sideOf(corners, to);
    if (end == 0 || sideOf(corners, from) == end || !meets(from, to, corners)) return;
    const Vec3& normal = body.normalOf(t);
    const Real height = std::abs(glm::dot(normal, from - corners[0]));
    const Real at = height / (height + std::abs(glm::dot(normal, to - corners[0])));
    if (at > last) {
      last = at;
      left = -end;
    }
  });
  return left;
}

bool holdsLine(const ContactBody& solid, const Vec3& from, const Vec3& to) {
  if (!solid.contains(to)) return false;
  bool leaves = false;
  solid.polyhedron().forEachTriangleIn(boxAround(from, to), [&](std::uint32_t t) {
    if (leaves || solid.buried(t)) return;
    const Triangle corners = solid.mesh().corners(t);
    leaves = sideOf(corners, from) != sideOf(corners, to) && meets(from, to, corners);
  });
  return !leaves;
}

}  // namespace nearmiss
