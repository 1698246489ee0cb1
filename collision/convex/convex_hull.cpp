// SPDX-License-Identifier: MIT
#include "convex/convex_hull.h"

#include <algorithm>
#include <cstddef>
#include <glm/geometric.hpp>
#include <tuple>

#include "convex/growing_hull.h"
#include "exact/orientation.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t none = 0xffffffff;

/// Points without repetition, in the order of their coordinates.
std::vector<Vec3> distinct(std::span<const Vec3> points) {
  const auto key = [](const Vec3& p) { return std::tuple(p.x, p.y, p.z); };
  std::vector<Vec3> sorted(points.begin(), points.end());
  std::ranges::sort(sorted, {}, key);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// The point that a face answers for and that lies farthest from it.
std::uint32_t farthestFrom(const HullFace& face, std::span<const Vec3> points) {
  const Vec3& origin = points[face.corners[0]];
  const Vec3 normal =
      glm::cross(points[face.corners[1]] - origin, points[face.corners[2]] - origin);
  return *std::ranges::max_element(
      face.outside, {}, [&](std::uint32_t p) { return glm::dot(normal, points[p] - origin); });
}

/// Counter-clockwise triangles of points; empty if all lie in one plane.
std::vector<std::array<std::uint32_t, 3>> quickhull(const std::vector<Vec3>& points) {
  GrowingHull hull(points);
  if (!hull.begin()) return {};
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (std::ranges::find(hull.firstCorners(), i) == hull.firstCorners().end()) others.push_back(i);
  hull.share(others, 0);
  // Faces are appended while they are gone through
  for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
    if (hull.faces()[f].alive && !hull.faces()[f].outside.empty())
      hull.add(farthestFrom(hull.faces()[f], points), f);
  std::vector<std::array<std::uint32_t, 3>> found;
  for (const HullFace& face : hull.faces())
    if (face.alive) found.push_back(face.corners);
  return found;
}

/// Whether a point is where three planes or more meet: what lies within a face or an edge of the
/// hull, added before the hull had grown so far, is no corner.
std::vector<bool> corners(std::span<const Vec3> points,
                          std::span<const std::array<std::uint32_t, 3>> triangles) {
  std::vector<std::vector<std::uint32_t>> around(points.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t)
    for (const std::uint32_t corner : triangles[t]) around[corner].push_back(t);
  const auto samePlane = [&](std::uint32_t s, std::uint32_t t) {
    return std::ranges::all_of(triangles[t], [&](std::uint32_t p) {
      return orientation(points[triangles[s][0]], points[triangles[s][1]], points[triangles[s][2]],
                         points[p]) == 0;
    });
  };
  std::vector<bool> corner(points.size(), false);
  std::vector<std::uint32_t> planes;
  for (std::size_t p = 0; p < points.size(); ++p) {
    planes.clear();
    for (const std::uint32_t t : around[p])
      if (std::ranges::none_of(planes, [&](std::uint32_t s) { return samePlane(s, t); }))
        planes.push_back(t);
    corner[p] = planes.size() >= 3;
  }
  return corner;
}

}  // namespace

ConvexHull convexHull(std::span<const Vec3> points) {
  ConvexHull hull;
  hull.vertices = distinct(points);
  hull.triangles = quickhull(hull.vertices);
  if (hull.flat()) return hull;
  const std::vector<bool> corner = corners(hull.vertices, hull.triangles);
  std::vector<Vec3> kept;
  for (std::size_t p = 0; p < corner.size(); ++p)
    if (corner[p]) kept.push_back(hull.vertices[p]);
  const bool superfluous = std::ranges::any_of(hull.triangles, [&](const auto& t) {
    return !corner[t[0]] || !corner[t[1]] || !corner[t[2]];
  });
  hull.vertices = kept;
  if (superfluous) {
    hull.triangles = quickhull(hull.vertices);
    return hull;
  }
  std::vector<std::uint32_t> indexOf(corner.size(), none);
  std::uint32_t next = 0;
  for (std::size_t p = 0; p < corner.size(); ++p)
    if (corner[p]) indexOf[p] = next++;
  for (auto& triangle : hull.triangles)
    for (std::uint32_t& p : triangle) p = indexOf[p];
  return hull;
}

}  // namespace nearmiss
