// SPDX-License-Identifier: MIT
#include "geometry/convex_hull.h"

#include <nearmiss/detail/out_of_memory.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/geometric.hpp>
#include <tuple>
#include <utility>

#include "geometry/exact_predicates.h"

namespace nearmiss {
namespace {

constexpr std::uint32_t noNumber = 0xffffffff;

/// The horizon of a point, as an edge and the face beyond it.
struct HorizonEdge {
  std::uint32_t from, to, beyond;
};

template <class Measure>
std::uint32_t best(std::span<const Vec3> points, const Measure& measure) {
  std::uint32_t found = 0;
  Real greatest = -1.0;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (const Real value = measure(i); value > greatest) {
      greatest = value;
      found = i;
    }
  return found;
}

}  // namespace

std::optional<std::array<std::uint32_t, 4>> GrowingHull::spanning() const {
  const auto count = static_cast<std::uint32_t>(points_.size());
  if (count < 4) return std::nullopt;
  const std::uint32_t a = 0;
  const std::uint32_t b =
      best(points_, [&](std::uint32_t i) { return glm::distance(points_[a], points_[i]); });
  const Vec3 along = points_[b] - points_[a];
  const auto area = [&](std::uint32_t i) {
    return glm::length(glm::cross(along, points_[i] - points_[a]));
  };
  std::uint32_t c = best(points_, area);
  if (collinear(points_[a], points_[b], points_[c])) {
    c = 0;
    while (c < count && collinear(points_[a], points_[b], points_[c])) ++c;
    if (c == count) return std::nullopt;
  }
  const Vec3 normal = glm::cross(along, points_[c] - points_[a]);
  const auto side = [&](std::uint32_t i) {
    return orientation(points_[a], points_[b], points_[c], points_[i]);
  };
  std::uint32_t d = best(points_, [&](std::uint32_t i) {
    return std::abs(glm::dot(normal, points_[i] - points_[a]));
  });
  if (side(d) == 0) {
    d = 0;
    while (d < count && side(d) == 0) ++d;
    if (d == count) return std::nullopt;
  }
  // Swap so that the last point is on the inner side of the first three
  if (side(d) < 0) return std::array{a, c, b, d};
  return std::array{a, b, c, d};
}

bool GrowingHull::begin() {
  const auto found = spanning();
  if (!found) return false;
  first_ = *found;
  const auto& t = first_;
  faces_.push_back({{t[0], t[1], t[2]}, {1, 2, 3}, {}});
  faces_.push_back({{t[1], t[0], t[3]}, {0, 3, 2}, {}});
  faces_.push_back({{t[2], t[1], t[3]}, {0, 1, 3}, {}});
  faces_.push_back({{t[0], t[2], t[3]}, {0, 2, 1}, {}});
  return true;
}

void GrowingHull::share(std::span<const std::uint32_t> points, std::size_t first) {
  for (const std::uint32_t p : points)
    for (std::size_t f = first; f < faces_.size(); ++f)
      if (sideOf(faces_[f], p) > 0) {
        faces_[f].outside.push_back(p);
        break;
      }
}

void GrowingHull::add(std::uint32_t point, std::uint32_t seen) {
  // The faces that the point sees are connected
  std::vector<std::uint32_t> visible{seen};
  std::vector<HorizonEdge> horizon;
  faces_[seen].seenBy = point;
  for (std::size_t i = 0; i < visible.size(); ++i) {
    const HullFace& face = faces_[visible[i]];
    for (std::size_t e = 0; e < 3; ++e) {
      HullFace& next = faces_[face.neighbours[e]];
      if (next.seenBy == point) continue;
      if (sideOf(next, point) > 0) {
        next.seenBy = point;
        visible.push_back(face.neighbours[e]);
      } else {
        horizon.push_back({face.corners[e], face.corners[(e + 1) % 3], face.neighbours[e]});
      }
    }
  }
  std::vector<std::uint32_t> points;
  for (const std::uint32_t f : visible) {
    faces_[f].alive = false;
    for (const std::uint32_t p : std::exchange(faces_[f].outside, {}))
      if (p != point) points.push_back(p);
  }

  // One new face per edge of the horizon, which is one loop
  const auto first = static_cast<std::uint32_t>(faces_.size());
  for (const HorizonEdge& edge : horizon) {
    const auto own = static_cast<std::uint32_t>(faces_.size());
    faces_.push_back({{edge.from, edge.to, point}, {edge.beyond, noNumber, noNumber}, {}});
    HullFace& beyond = faces_[edge.beyond];
    for (std::size_t e = 0; e < 3; ++e)
      if (beyond.corners[e] == edge.to) beyond.neighbours[e] = own;
  }
  startingAt_.resize(points_.size(), noNumber);
  for (std::uint32_t f = first; f < faces_.size(); ++f) startingAt_[faces_[f].corners[0]] = f;
  for (std::uint32_t f = first; f < faces_.size(); ++f) {
    const std::uint32_t next = startingAt_[faces_[f].corners[1]];
    faces_[f].neighbours[1] = next;
    faces_[next].neighbours[2] = f;
  }
  share(points, first);
}

namespace {

/// Returns the points without duplicates, sorted by their coordinates.
std::vector<Vec3> distinct(std::span<const Vec3> points) {
  const auto key = [](const Vec3& p) { return std::tuple(p.x, p.y, p.z); };
  std::vector<Vec3> sorted(points.begin(), points.end());
  std::ranges::sort(sorted, {}, key);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

/// Returns the point farthest from a face, among the points assigned to the face.
std::uint32_t farthestFrom(const HullFace& face, std::span<const Vec3> points) {
  const Vec3& origin = points[face.corners[0]];
  const Vec3 normal =
      glm::cross(points[face.corners[1]] - origin, points[face.corners[2]] - origin);
  return *std::ranges::max_element(
      face.outside, {}, [&](std::uint32_t p) { return glm::dot(normal, points[p] - origin); });
}

/// Returns counter-clockwise triangles of points; empty if all are coplanar.
std::vector<std::array<std::uint32_t, 3>> quickhull(const std::vector<Vec3>& points) {
  GrowingHull hull(points);
  if (!hull.begin()) return {};
  std::vector<std::uint32_t> others;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    if (std::ranges::find(hull.firstCorners(), i) == hull.firstCorners().end()) others.push_back(i);
  hull.share(others, 0);
  // Faces are appended during the iteration
  for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
    if (hull.faces()[f].alive && !hull.faces()[f].outside.empty())
      hull.add(farthestFrom(hull.faces()[f], points), f);
  std::vector<std::array<std::uint32_t, 3>> found;
  for (const HullFace& face : hull.faces())
    if (face.alive) found.push_back(face.corners);
  return found;
}

/// Returns, per point, whether at least three planes meet there. Points within a face or an edge of
/// the hull, added before the hull had grown that far, are not corners.
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
    // Three planes are enough to decide; at the tip of a cone there are as many as triangles
    for (std::size_t i = 0; i < around[p].size() && planes.size() < 3; ++i) {
      const std::uint32_t t = around[p][i];
      if (std::ranges::none_of(planes, [&](std::uint32_t s) { return samePlane(s, t); }))
        planes.push_back(t);
    }
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
  std::vector<std::uint32_t> indexOf(corner.size(), noNumber);
  std::uint32_t next = 0;
  for (std::size_t p = 0; p < corner.size(); ++p)
    if (corner[p]) indexOf[p] = next++;
  for (auto& triangle : hull.triangles)
    for (std::uint32_t& p : triangle) p = indexOf[p];
  return hull;
}

Result<TriangleMesh> convexHullMesh(std::span<const Vec3> points) {
  return orOutOfMemory("cannot make a convex hull", [&]() -> Result<TriangleMesh> {
    const Error flat{ErrorCode::EmptyMesh, "all points lie in one plane: their hull is no solid"};
    if (points.empty()) return flat;
    // A mesh with one triangle, so that the vertices are checked
    const TriangleMesh looked{{points.begin(), points.end()}, {{0, 0, 0}}};
    if (const auto sound = checkTriangles(looked); !sound) return sound.error();
    ConvexHull hull = convexHull(points);
    if (hull.flat()) return flat;
    return TriangleMesh{std::move(hull.vertices), std::move(hull.triangles)};
  });
}

}  // namespace nearmiss
