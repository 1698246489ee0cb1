// SPDX-License-Identifier: MIT
#include "builders/flat_search.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/coverage.h"

namespace nearmiss {
namespace {

/// A corner counts as contained in a ball only if it is this deep in it, relative to the radius:
/// more than rounding errors.
constexpr Real depthOfCorners = 1e-9;

/// Returns the two points where three spheres meet, or nothing. If they nearly touch, both points
/// are the same.
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

/// For each ball, the balls of higher index that meet it.
std::vector<std::vector<std::size_t>> meetings(std::span<const Sphere> balls) {
  std::vector<std::vector<std::size_t>> lists(balls.size());
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t j = i + 1; j < balls.size(); ++j)
      if (overlap(balls[i], balls[j]) >= 0.0) lists[i].push_back(j);
  return lists;
}

/// Tests whether points are in balls. Caches its last answers, because many spheres may pass
/// through one place and the next point is often close to the last one.
class HeldPoints {
 public:
  explicit HeldPoints(std::span<const Sphere> balls) : balls_(balls), holder_(balls.size()) {
    for (const Sphere& ball : balls)
      slack_ = std::max(slack_, glm::length(ball.centre) + ball.radius);
    slack_ *= 1e-13;
  }

  [[nodiscard]] bool isHeld(const Vec3& point, const std::array<std::size_t, 3>& except) {
    const auto counts = [&except](std::size_t i) {
      return i != except[0] && i != except[1] && i != except[2];
    };
    if (holder_ < balls_.size() && counts(holder_) && depthIn(holder_, point) > 0.0) return true;
    // No ball can contain this point deeper than the last free point by more than the distance of
    // the two points
    if (deepest_ + glm::distance(point, free_) < -slack_) return false;
    Real deepest = -std::numeric_limits<Real>::infinity();
    for (std::size_t i = 0; i < balls_.size(); ++i) {
      const Real depth = depthIn(i, point);
      deepest = std::max(deepest, depth);
      if (!(depth > 0.0) || !counts(i)) continue;
      holder_ = i;
      return true;
    }
    free_ = point;
    deepest_ = deepest;
    return false;
  }

 private:
  [[nodiscard]] Real depthIn(std::size_t i, const Vec3& point) const noexcept {
    return balls_[i].radius * (1.0 - depthOfCorners) - glm::distance(point, balls_[i].centre);
  }

  std::span<const Sphere> balls_;
  Real slack_ = 0.0;    ///< more than all rounding errors
  std::size_t holder_;  ///< the ball that contained the last contained point
  Vec3 free_{0.0};      ///< the last point that was in no ball
  /// Depth of free_ in the ball nearest to it, below 0.
  Real deepest_ = std::numeric_limits<Real>::infinity();
};

}  // namespace

std::vector<Sphere> ballsNear(const Triangle& triangle, std::span<const Sphere> balls) {
  // A sphere around the triangle rules out most balls at the cost of one distance
  const Vec3 middle = (triangle[0] + triangle[1] + triangle[2]) / 3.0;
  Real reach = 0.0;
  for (const Vec3& corner : triangle) reach = std::max(reach, squaredDistance(corner, middle));
  reach = std::sqrt(reach);
  constexpr Real rounding = 1e-9;
  std::vector<Sphere> near;
  for (const Sphere& ball : balls) {
    const Real apart = (reach + ball.radius) * (1.0 + rounding);
    if (squaredDistance(ball.centre, middle) > apart * apart) continue;
    if (glm::distance(closestOnTriangle(ball.centre, triangle), ball.centre) <= ball.radius)
      near.push_back(ball);
  }
  return near;
}

std::vector<Vec3> holeCorners(const SolidParts& parts, std::span<const Sphere> balls,
                              std::size_t most, const std::atomic<bool>* cancelled) {
  std::vector<Vec3> corners;
  if (parts.empty()) return corners;
  const auto lists = meetings(balls);
  HeldPoints held(balls);
  for (std::size_t i = 0; i < balls.size(); ++i)
    for (std::size_t n = 0; n < lists[i].size() && !wasCancelled(cancelled); ++n)
      for (std::size_t m = n + 1; m < lists[i].size(); ++m) {
        const std::size_t j = lists[i][n], k = lists[i][m];
        if (overlap(balls[j], balls[k]) < 0.0) continue;
        const auto points = meetingOf(balls[i], balls[j], balls[k]);
        if (!points) continue;
        for (const Vec3& point : *points) {
          if (held.isHeld(point, {i, j, k}) || !parts.contains(point)) continue;
          corners.push_back(point);
          if (corners.size() >= most) return corners;
        }
      }
  return corners;
}

namespace {

/// Returns the results so far if cancelled.
FlatSetCheck checkUntilCancelled(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                                 BuildProgress* progress) {
  const std::atomic<bool>* cancelled = cancellationOf(progress);
  FlatSetCheck check;
  const std::size_t count = polyhedron.mesh().triangles.size();
  for (std::size_t t = 0; t < count && !wasCancelled(cancelled); ++t) {
    const Triangle triangle = polyhedron.mesh().corners(t);
    const auto open = openPoint(triangle, ballsNear(triangle, spheres), cancelled);
    if (open && check.openTriangles++ == 0) check.where = *open;
    if (progress) progress->advance(t, count);
  }
  if (wasCancelled(cancelled)) return check;
  const SolidParts parts(polyhedron, cancelled);
  const std::vector<Vec3> corners = holeCorners(parts, spheres, maxHolesOfFlatSet, cancelled);
  // A part that is left out may have a hole
  check.holes = corners.size() + parts.leftOut();
  if (check.openTriangles == 0 && !corners.empty()) check.where = corners.front();
  return check;
}

}  // namespace

FlatSetCheck checkFlatSet(const Polyhedron& polyhedron, std::span<const Sphere> spheres) {
  return checkUntilCancelled(polyhedron, spheres, nullptr);
}

Result<FlatSetCheck> checkFlatSet(const Polyhedron& polyhedron, std::span<const Sphere> spheres,
                                  BuildProgress* progress) {
  return orOutOfMemory("cannot check the spheres", [&]() -> Result<FlatSetCheck> {
    const FlatSetCheck check = checkUntilCancelled(polyhedron, spheres, progress);
    if (wasCancelled(progress)) return Error{ErrorCode::Cancelled, "the check was cancelled"};
    return check;
  });
}

namespace {

std::optional<Vec3> lemma(const Triangle& triangle, std::span<const Sphere> balls,
                          const std::atomic<bool>* cancelled) {
  return uncoveredPoint(triangle, balls, cancelled);
}

/// Maximum number of points in gaps per round, and in total. The remaining gaps are handled in
/// later rounds, or covered by one ball.
constexpr std::size_t maxGapsAtATime = 1'000'000, maxGapsInAll = 8'000'000;
/// Maximum number of growth steps: enough for the smallest ball to reach around the body.
constexpr int maxGrowths = 512;

/// Adds points of a uniform grid on the triangle that are in none of the balls.
void addOpenSamples(const Triangle& triangle, std::span<const Sphere> balls, int steps,
                    std::vector<Vec3>& open) {
  for (int i = 0; i <= steps; ++i)
    for (int k = 0; i + k <= steps; ++k) {
      const Vec3 point = triangle[0] +
                         (static_cast<Real>(i) / steps) * (triangle[1] - triangle[0]) +
                         (static_cast<Real>(k) / steps) * (triangle[2] - triangle[0]);
      if (std::none_of(balls.begin(), balls.end(), [&point](const Sphere& ball) {
            return glm::distance(point, ball.centre) <= ball.radius;
          }))
        open.push_back(point);
    }
}

/// Returns points in gaps: corners of holes, and uncovered points of a grid of `steps` steps on
/// each piece that `openOf` does not prove to be covered. If a piece has no uncovered grid point,
/// uses the point that `openOf` returns, which is on a rim.
std::vector<Vec3> gapsOf(const CoveredBody& body, std::span<const Sphere> balls, int steps,
                         const std::atomic<bool>* cancelled, auto openOf) {
  std::vector<Vec3> gaps = holeCorners(body.parts, balls, maxGapsAtATime, cancelled);
  for (const SurfacePiece& piece : body.pieces) {
    if (wasCancelled(cancelled)) return gaps;
    const std::vector<Sphere> near = ballsNear(piece.corners, balls);
    const std::optional<Vec3> open = openOf(piece.corners, near, cancelled);
    if (!open) continue;
    if (gaps.size() >= maxGapsAtATime) return gaps;
    const std::size_t before = gaps.size();
    addOpenSamples(piece.corners, near, steps, gaps);
    if (gaps.size() == before) gaps.push_back(*open);
  }
  return gaps;
}

/// Returns the points that checkFlatSet() finds uncovered. Pieces are rounded, but the guarantee is
/// about triangles.
std::vector<Vec3> openPoints(const Polyhedron& polyhedron, std::span<const Sphere> balls,
                             const std::atomic<bool>* cancelled) {
  std::vector<Vec3> points;
  const std::size_t count = polyhedron.mesh().triangles.size();
  for (std::size_t t = 0; t < count && !wasCancelled(cancelled); ++t) {
    const Triangle triangle = polyhedron.mesh().corners(t);
    if (const auto open = openPoint(triangle, ballsNear(triangle, balls), cancelled))
      points.push_back(*open);
  }
  return points;
}

/// Returns true if balls cover all of the body that `old` reached. Once cancelled, it returns soon
/// and the result is meaningless.
bool coverAgain(const CoveredBody& body, const Sphere& old, std::span<const Sphere> balls,
                const std::atomic<bool>* cancelled) {
  for (const std::uint32_t t : trianglesMeeting(body.polyhedron, old)) {
    const Triangle triangle = body.polyhedron.mesh().corners(t);
    if (openPoint(triangle, ballsNear(triangle, balls), cancelled)) return false;
  }
  return holeCorners(body.parts, balls, 1, cancelled).empty();
}

}  // namespace

void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search) {
  for (int round = 0; round < rounds && !search.cancelled(); ++round) {
    const std::vector<Vec3> gaps =
        gapsOf(body, search.used(), 4 << round, search.cancellation(), lemma);
    if (gaps.empty()) return;
    for (const Vec3& gap : gaps) search.add(gap, 0.0);
    search.settle(2);
  }
}

bool coverSurely(const CoveredBody& body, FlatSearch& search, const BuildProgress* progress) {
  constexpr int steps = 32;
  const std::atomic<bool>* cancelled = cancellationOf(progress);
  // A ball may have radius 0, which relative growth would not change
  const Real minGrowth = 1e-6 * body.polyhedron.radius();
  constexpr Real firstSlack = 1e-5, maxSlack = 0.1;
  // The lemma is imprecise in the planes of slivers
  constexpr Real slackForSlivers = 1e-2;
  Real slack = firstSlack;
  std::size_t found = 0;
  for (int growth = 0; growth < maxGrowths && found < maxGapsInAll;
       ++growth, slack = std::min(2.0 * slack, maxSlack)) {
    if (wasCancelled(cancelled)) return false;
    const std::vector<Sphere> balls = search.used();
    std::vector<Vec3> gaps =
        gapsOf(body, balls, steps, cancelled, slack < slackForSlivers ? lemma : openPoint);
    if (gaps.empty()) gaps = openPoints(body.polyhedron, balls, cancelled);
    // If the search was cancelled, the points found may not be gaps
    if (wasCancelled(cancelled)) return false;
    if (gaps.empty()) return true;
    found += gaps.size();
    for (const Vec3& gap : gaps) search.add(gap, slack);
    // A point reported for a sliver may already be contained; then grow the balls that pass near it
    const bool grew = std::any_of(balls.begin(), balls.end(), [&search](const Sphere& old) {
      return std::none_of(search.balls().begin(), search.balls().end(), [&old](const Sphere& ball) {
        return ball.centre == old.centre && ball.radius == old.radius;
      });
    });
    if (grew) continue;
    const std::size_t place = search.nearestPlace(gaps.front());
    const Real radius = search.balls()[place].radius;
    search.resize(place, std::max(radius * (1.0 + slack), slack * minGrowth));
  }

  // If growth does not converge, one ball covers everything
  Sphere whole = ballOf(body.polyhedron.mesh().positions);
  whole.radius *= 1.0 + depthOfCorners;
  search.replaceAll(whole);
  return true;
}

void shrinkBalls(const CoveredBody& body, FlatSearch& search) {
  constexpr Real least = 0.9;  // relative to the radius
  constexpr int halvings = 7;
  for (std::size_t place = 0; place < search.balls().size(); ++place) {
    const Sphere old = search.balls()[place];
    if (old.radius < 0.0) continue;
    Real open = least, covering = 1.0;
    for (int i = 0; i < halvings; ++i) {
      const Real middle = 0.5 * (open + covering);
      search.resize(place, middle * old.radius);
      const bool covers = coverAgain(body, old, search.used(), search.cancellation());
      if (search.cancelled()) return search.resize(place, old.radius);
      (covers ? covering : open) = middle;
    }
    search.resize(place, covering * old.radius);
  }
}

}  // namespace nearmiss
