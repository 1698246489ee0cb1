// SPDX-License-Identifier: MIT
#include "flat/union_gaps.h"

#include "geometry/closest_points.h"
#include "spheres/coverage_lemma.h"

#include <nearmiss/flat_set.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>

namespace nearmiss {
namespace {

/// Of the radius: a corner counts as held only this deep in a ball, more than its rounding.
constexpr Real depthOfCorners = 1e-9;

/// The two points where three spheres meet, or none; one twice where they nearly touch.
std::optional<std::array<Vec3, 2>> meetingOf(const Sphere& a, const Sphere& b,
                                             const Sphere& c) noexcept {
  const Vec3 toB = b.centre - a.centre, toC = c.centre - a.centre;
  const Real distance = glm::length(toB);
  if (distance == 0.0) return {};
  const Vec3 x = toB / distance;
  const Real along = glm::dot(x, toC);
  const Vec3 aside = toC - along * x;
  const Real height = glm::length(aside);
  if (height <= 1e-12 * distance) return {};
  const Vec3 y = aside / height;
  const Real squareA = a.radius * a.radius;
  const Real atX = (squareA - b.radius * b.radius + distance * distance) / (2.0 * distance);
  const Real atY =
      (squareA - c.radius * c.radius + glm::dot(toC, toC) - 2.0 * along * atX) / (2.0 * height);
  const Real square = squareA - atX * atX - atY * atY;
  if (square < -1e-9 * squareA) return {};
  const Vec3 middle = a.centre + atX * x + atY * y;
  const Vec3 away = std::sqrt(std::max(square, 0.0)) * glm::cross(x, y);
  return std::array{middle + away, middle - away};
}

/// Per ball those of higher index that it meets.
std::vector<std::vector<std::size_t>> meetings(std::span<const Sphere> balls) {
  std::vector<std::vector<std::size_t>> lists(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j)
      if (overlap(balls[i], balls[j]) >= 0.0) lists[i].push_back(j);
  return lists;
}

bool isHeld(const Vec3& point, std::span<const Sphere> balls,
            const std::array<std::size_t, 3>& except) noexcept {
  for (std::size_t i = 0; i < balls.size(); ++i) {
    if (i == except[0] || i == except[1] || i == except[2]) continue;
    if (glm::distance(point, balls[i].centre) < balls[i].radius * (1.0 - depthOfCorners))
      return true;
  }
  return false;
}

}  // namespace

std::vector<Sphere> ballsNear(const Triangle& triangle, std::span<const Sphere> balls) {
  std::vector<Sphere> near;
  for (const Sphere& ball : balls)
    if (glm::distance(closestOnTriangle(ball.centre, triangle), ball.centre) <= ball.radius)
      near.push_back(ball);
  return near;
}

std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls) {
  std::vector<Vec3> corners;
  if (parts.empty()) return corners;
  const auto lists = meetings(balls);
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t n = 0; n < lists[i].size(); ++n)
      for (std::size_t m = n + 1; m < lists[i].size(); ++m) {
        const std::size_t j = lists[i][n], k = lists[i][m];
        if (overlap(balls[j], balls[k]) < 0.0) continue;
        const auto points = meetingOf(balls[i], balls[j], balls[k]);
        if (!points) continue;
        for (const Vec3& point : *points)
          if (!isHeld(point, balls, {i, j, k}) && parts.contains(point)) corners.push_back(point);
      }
  return corners;
}

FlatSetCheck checkFlatSet(const Polyhedron& polyhedron, std::span<const Sphere> spheres) {
  FlatSetCheck check;
  for (std::size_t t = 0; t < polyhedron.mesh().triangles.size(); ++t) {
    const Triangle triangle = polyhedron.mesh().corners(t);
    const auto open = openPoint(triangle, ballsNear(triangle, spheres));
    if (open && check.openTriangles++ == 0) check.where = *open;
  }
  const std::vector<Vec3> corners = holeCorners(SolidParts(polyhedron), spheres);
  check.holes = corners.size();
  if (check.openTriangles == 0 && check.holes > 0) check.where = corners.front();
  return check;
}

}  // namespace nearmiss
