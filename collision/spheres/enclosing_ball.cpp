// SPDX-License-Identifier: MIT
#include "spheres/enclosing_ball.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace nearmiss {
namespace {

/// Unit vectors that span a smaller volume count as coplanar.
constexpr Real flatVolume = 1e-12;

/// Returns the point x relative to `origin` with dot(row, x) = right for each of three unit rows.
std::optional<Vec3> solved(const Eigen::Matrix3d& rows, const Eigen::Vector3d& right,
                           const Vec3& origin) noexcept {
  Eigen::Matrix3d inverse;
  Real volume = 0.0;
  bool invertible = false;
  rows.computeInverseAndDetWithCheck(inverse, volume, invertible, flatVolume);
  if (!invertible) return {};
  const Eigen::Vector3d x = inverse * right;
  return origin + Vec3(x[0], x[1], x[2]);
}

Eigen::RowVector3d rowOf(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }

}  // namespace

// On the plane midway between the first point and another, x . u = |u| / 2 for the unit vector u
// from one to the other. Unit rows make the determinant independent of scale.

std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 normal = glm::cross(ab, ac);
  const Real height = glm::length(normal), u = glm::length(ab), v = glm::length(ac);
  if (!(height > flatVolume * u * v)) return {};
  Eigen::Matrix3d rows;
  rows << rowOf(ab / u), rowOf(ac / v), rowOf(normal / height);
  return solved(rows, {0.5 * u, 0.5 * v, 0.0}, a);
}

std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                 const Vec3& d) noexcept {
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const Real u = glm::length(ab), v = glm::length(ac), w = glm::length(ad);
  if (!(u > 0.0 && v > 0.0 && w > 0.0)) return {};
  Eigen::Matrix3d rows;
  rows << rowOf(ab / u), rowOf(ac / v), rowOf(ad / w);
  return solved(rows, {0.5 * u, 0.5 * v, 0.5 * w}, a);
}

namespace {

/// Points on the border of a ball that determine it.
struct Support {
  std::array<Vec3, 5> points;
  int count = 0;
};

/// Returns the smallest ball that contains every point of `support` and has the last point and up
/// to three others on its border. Reduces `support` to those border points.
Sphere smallestOf(Support& support) noexcept {
  const int last = support.count - 1;
  const auto& p = support.points;
  Sphere best{p[static_cast<std::size_t>(last)], std::numeric_limits<Real>::infinity()};
  unsigned chosen = 0;
  for (unsigned subset = 0; subset < 1u << last; ++subset) {
    std::array<Vec3, 5> on;
    std::size_t count = 0;
    on[count++] = p[static_cast<std::size_t>(last)];
    for (int i = 0; i < last; ++i)
      if (subset >> i & 1) on[count++] = p[static_cast<std::size_t>(i)];
    if (count > 4) continue;
    std::optional<Vec3> found = on[0];
    if (count == 2) found = 0.5 * (on[0] + on[1]);
    if (count == 3) found = circumcentre(on[0], on[1], on[2]);
    if (count == 4) found = circumcentre(on[0], on[1], on[2], on[3]);
    if (!found) continue;
    const Vec3 centre = *found;
    const Real square = glm::dot(on[0] - centre, on[0] - centre);
    if (square >= best.radius * best.radius) continue;
    bool holdsAll = true;
    for (int i = 0; i <= last; ++i) {
      const Vec3 from = p[static_cast<std::size_t>(i)] - centre;
      holdsAll = holdsAll && glm::dot(from, from) <= square * (1.0 + 1e-10);
    }
    if (!holdsAll) continue;
    best = {centre, std::sqrt(square)};
    chosen = subset;
  }
  int count = 0;
  for (int i = 0; i < last; ++i)
    if (chosen >> i & 1)
      support.points[static_cast<std::size_t>(count++)] = p[static_cast<std::size_t>(i)];
  support.points[static_cast<std::size_t>(count++)] = p[static_cast<std::size_t>(last)];
  support.count = count;
  return best;
}

}  // namespace

std::size_t farthestPoint(const Vec3& centre, std::span<const Vec3> points) noexcept {
  std::size_t found = 0;
  Real most = -1.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 from = points[i] - centre;
    const Real square = glm::dot(from, from);
    if (square > most) {
      most = square;
      found = i;
    }
  }
  return found;
}

Real maxSquaredDistance(const Vec3& centre, std::span<const Vec3> points) noexcept {
  Real most = -1.0;
  for (const Vec3& p : points) {
    const Vec3 from = p - centre;
    most = std::max(most, glm::dot(from, from));
  }
  return most;
}

namespace {

Sphere smallestBall(const auto& points, const auto& farthest, const auto& maxSquare) noexcept {
  if (points.empty()) return {};
  // Add the farthest point to the support until none lies outside [G99]. The radius grows with
  // every step, so the loop ends; the limit only guards against rounding
  Support support;
  support.points[0] = points[farthest(points[0])];
  support.count = 1;
  Sphere ball{support.points[0], 0.0};
  for (int step = 0; step < 64; ++step) {
    const Vec3 out = points[farthest(ball.centre)];
    if (glm::distance(out, ball.centre) <= ball.radius * (1.0 + 1e-9)) break;
    Support grown = support;
    grown.points[static_cast<std::size_t>(grown.count++)] = out;
    const Sphere larger = smallestOf(grown);
    if (!(larger.radius > ball.radius) || !std::isfinite(larger.radius)) break;
    ball = larger;
    support = grown;
  }
  ball.radius = std::sqrt(maxSquare(ball.centre));
  return ball;
}

}  // namespace

Sphere smallestEnclosingBall(std::span<const Vec3> points) noexcept {
  return smallestBall(
      points, [points](const Vec3& p) { return farthestPoint(p, points); },
      [points](const Vec3& p) { return maxSquaredDistance(p, points); });
}

Sphere smallestEnclosingBall(const PointTable& points) noexcept {
  return smallestBall(
      points, [&points](const Vec3& p) { return points.farthest(p); },
      [&points](const Vec3& p) { return points.maxSquaredDistance(p); });
}

}  // namespace nearmiss
