// SPDX-License-Identifier: MIT
#include "geometry/expanding_polytope.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "geometry/convex_hull.h"

namespace nearmiss {
namespace {

constexpr int maxExpansions = 500;
/// Bounds that differ by less than this share of the size of the difference are equal.
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

/// The corners of the difference along the axes and the diagonals of their octants.
std::vector<Vec3> firstPoints(const ConvexPair& pair) {
  std::vector<Vec3> points;
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const int axes = std::abs(x) + std::abs(y) + std::abs(z);
        if (axes != 1 && axes != 3) continue;
        const Vec3 point = pair.support({x, y, z}).difference;
        if (std::ranges::find(points, point) == points.end()) points.push_back(point);
      }
  return points;
}

}  // namespace

ConvexPenetration penetrationOf(const ConvexPair& pair) {
  ConvexPenetration answer;
  std::vector<Vec3> points = firstPoints(pair);
  GrowingHull hull(points);
  // A flat difference has no inside
  if (!hull.begin()) return answer;
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
    // The face that is nearest to the origin, or has it outside
    while (planes.size() < hull.faces().size())
      planes.push_back(planeOf(hull.faces()[planes.size()], points));
    std::uint32_t nearest = 0xffffffff;
    for (std::uint32_t f = 0; f < hull.faces().size(); ++f)
      if (hull.faces()[f].alive &&
          (nearest == 0xffffffff || planes[f].offset < planes[nearest].offset))
        nearest = f;
    const OriginPlane plane = planes[nearest];
    // How far the difference reaches along its normal
    const Vec3 point = pair.support(plane.normal).difference;
    const Real reach = glm::dot(plane.normal, point);
    if (reach < 0.0) return {0.0, 0.0, Vec3(0.0), false, answer.steps};
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
