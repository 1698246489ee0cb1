// SPDX-License-Identifier: MIT
#include "spheres/triangle_clipping.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace nearmiss {
namespace {

/// A convex polygon gains one corner from a plane. If rounding has dented it, at most every other
/// corner is cut off and replaced by two: 3, 4, 6, 9, 13, 19, 28 corners after six planes.
struct Polygon {
  std::array<Vec3, 28> corners;
  std::size_t count = 0;
  void add(const Vec3& p) noexcept { corners[count++] = p; }
};

/// Returns the part of the polygon on the near side of a plane perpendicular to `axis`. `side` is 1
/// for the part below the plane, -1 for the part above.
Polygon clipped(const Polygon& whole, int axis, Real plane, Real side) noexcept {
  Polygon part;
  for (std::size_t i = 0; i < whole.count; ++i) {
    const Vec3& a = whole.corners[i];
    const Vec3& b = whole.corners[(i + 1) % whole.count];
    const Real depthA = side * (plane - a[axis]), depthB = side * (plane - b[axis]);
    if (depthA >= 0.0) part.add(a);
    if ((depthA >= 0.0) == (depthB >= 0.0)) continue;
    Vec3 crossing = a + depthA / (depthA - depthB) * (b - a);
    crossing[axis] = plane;
    part.add(crossing);
  }
  return part;
}

}  // namespace

void appendClipped(const Triangle& triangle, const Box& box, std::vector<Vec3>& corners) {
  Polygon polygon;
  for (const Vec3& corner : triangle) polygon.add(corner);
  for (int axis = 0; axis < 3 && polygon.count > 0; ++axis) {
    polygon = clipped(polygon, axis, box.high[axis], 1.0);
    polygon = clipped(polygon, axis, box.low[axis], -1.0);
  }
  corners.insert(corners.end(), polygon.corners.begin(),
                 polygon.corners.begin() + static_cast<std::ptrdiff_t>(polygon.count));
}

void findCorners(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles, const Box& box,
                 std::vector<Vec3>& corners) {
  corners.clear();
  for (const std::uint32_t t : triangles) appendClipped(mesh.corners(t), box, corners);
  const auto before = [](const Vec3& a, const Vec3& b) {
    return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z < b.z;
  };
  std::sort(corners.begin(), corners.end(), before);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
}

Box widened(const Box& box, Real share) noexcept {
  Real greatest = 0.0;
  for (int axis = 0; axis < 3; ++axis)
    greatest = std::max({greatest, std::abs(box.low[axis]), std::abs(box.high[axis])});
  const Vec3 margin = share * box.extent() + 1e-13 * greatest;
  Box wide;
  wide.low = box.low - margin;
  wide.high = box.high + margin;
  return wide;
}

namespace {

/// Returns true if `axis` separates the triangle with corners `v` from the box of half extents
/// `half` about the origin by more than `slack`.
bool parts(const Vec3& axis, const Vec3 (&v)[3], const Vec3& half, Real slack = 0.0) noexcept {
  const Real p0 = glm::dot(axis, v[0]);
  const Real p1 = glm::dot(axis, v[1]);
  const Real p2 = glm::dot(axis, v[2]);
  const Real reach = glm::dot(glm::abs(axis), half) + slack;
  return std::min({p0, p1, p2}) > reach || std::max({p0, p1, p2}) < -reach;
}

}  // namespace

bool triangleMayMeetBox(const Triangle& triangle, const Box& box) noexcept {
  // Enlarge the box by far more than the rounding errors below. Errors of differences of doubles
  // and their products are relative, so a share of the largest length is enough.
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

  // Plane of the triangle. The normal of a sliver is mostly rounding error, and small, so the
  // enlarged box does not cover it.
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
