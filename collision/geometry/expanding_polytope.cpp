// SPDX-License-Identifier: MIT
#include "geometry/expanding_polytope.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

constexpr int maxExpansions = 500;
/// Bounds are equal if they differ by less than this share of the size of the difference.
constexpr Real expansionPrecision = 1e-12;

struct OriginPlane {
  Vec3 normal{0.0};
  Real offset = std::numeric_limits<Real>::infinity();
};

OriginPlane planeOf(const HullFace& face, const std::vector<Vec3>& points) noexcept {
  const Vec3& p = points[face.corners[0]];
  const Vec3 normal = glm::cross(points[face.corners[1]] - p, points[face.corners[2]] - p);
  const Real length = glm::length(normal);
  if (!(length > 0.0)) return {};
  return {normal / length, glm::dot(normal / length, p)};
}

void include(const Vec3& point, std::vector<Vec3>& points) {
  if (std::ranges::find(points, point) == points.end()) points.push_back(point);
}

/// Returns the corners of the difference along the axes and the diagonals of their octants.
std::vector<Vec3> firstPoints(const ConvexPair& pair) {
  std::vector<Vec3> points;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int axes = std::abs(x) + std::abs(y) + std::abs(z);
        if (axes != 1 && axes != 3) continue;
        include(pair.support({x, y, z}).difference, points);
      }
  return points;
}

/// Returns two perpendicular unit vectors that are also perpendicular to the longest line from the
/// first of some points to another. The first is normal to the plane of the points.
std::array<Vec3, 2> acrossPlane(std::span<const Vec3> points) noexcept {
  Vec3 line(0.0), normal(0.0);
  for (const Vec3& p : points)
    if (glm::length(p - points[0]) > glm::length(line)) line = p - points[0];
  line = glm::length(line) > 0.0 ? glm::normalize(line) : Vec3(1.0, 0.0, 0.0);
  const auto offer = [&](const Vec3& other) {
    const Vec3 across = glm::cross(line, other);
    if (glm::length(across) > glm::length(normal)) normal = across;
  };
  for (const Vec3& p : points) offer(p - points[0]);
  // All points are collinear: use any perpendicular direction
  normal = glm::length(normal) > 0.0 ? glm::normalize(normal) : acrossEdge(line);
  return {normal, glm::cross(normal, line)};
}

/// Starts with the first points. If they are coplanar, also looks for corners off that plane.
/// Returns false if none is left.
bool begun(GrowingHull& hull, const ConvexPair& pair, std::vector<Vec3>& points) {
  // At most from a line to a plane, and from there to a solid
  constexpr int maxLooks = 3;
  for (int look = 0; look < maxLooks; ++look) {
    if (hull.begin()) return true;
    for (const Vec3& way : acrossPlane(points))
      for (const Vec3& side : {way, -way}) include(pair.support(side).difference, points);
  }
  return hull.begin();
}

/// Separates a difference without an interior across its plane.
ConvexPenetration acrossFlat(const ConvexPair& pair, std::span<const Vec3> points) {
  ConvexPenetration answer;
  answer.meet = !(gjkDistance(pair).lower > 0.0);
  if (!answer.meet) return answer;
  answer.flat = true;
  answer.upper = std::numeric_limits<Real>::infinity();
  const Vec3 normal = acrossPlane(points)[0];
  for (const Vec3& way : {normal, -normal}) {
    const Real reach = std::max(glm::dot(way, pair.support(way).difference), 0.0);
    if (!(reach < answer.upper)) continue;
    answer.upper = reach;
    answer.direction = way;
  }
  return answer;
}

}  // namespace

ConvexPenetration penetrationOf(const ConvexPair& pair) {
  ConvexPenetration answer;
  std::vector<Vec3> points = firstPoints(pair);
  GrowingHull hull(points);
  if (!begun(hull, pair, points)) return acrossFlat(pair, points);
  for (std::uint32_t p = 0; p < points.size(); ++p)
    for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
      if (hull.faces()[f].alive && hull.sideOf(hull.faces()[f], p) > 0) {
        hull.add(p, f);
        break;
      }
  Real size = 0.0;
  for (const Vec3& p : points) size = std::max(size, glm::length(p));

  std::vector<OriginPlane> planes;
  answer.upper = std::numeric_limits<Real>::infinity();
  for (; answer.steps < maxExpansions; ++answer.steps) {
    // The face nearest to the origin, or one that has the origin outside
    while (planes.size() < hull.faces().size())
      planes.push_back(planeOf(hull.faces()[planes.size()], points));
    std::uint32_t nearest = 0xffffffff;
    for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
      if (hull.faces()[f].alive &&
          (nearest == 0xffffffff || planes[f].offset < planes[nearest].offset))
        nearest = f;
    const OriginPlane plane = planes[nearest];
    // How far the difference extends along the face's normal
    const Vec3 point = pair.support(plane.normal).difference;
    const Real reach = glm::dot(plane.normal, point);
    if (reach < 0.0) return {.direction = plane.normal, .gap = -reach, .steps = answer.steps};
    if (reach < answer.upper) {
      answer.upper = reach;
      answer.direction = plane.normal;
    }
    answer.lower = std::max(answer.lower, plane.offset);
    if (answer.upper - plane.offset <= expansionPrecision * size) break;
    points.push_back(point);
    const auto added = static_cast<std::uint32_t>(points.size() - 1);
    if (hull.sideOf(hull.faces()[nearest], added) <= 0) break;
    hull.add(added, nearest);
  }
  answer.meet = true;
  answer.lower = std::clamp(answer.lower, 0.0, answer.upper);
  return answer;
}

}  // namespace nearmiss
