// SPDX-License-Identifier: MIT
#include "flat/gap_closing.h"

#include "flat/union_gaps.h"
#include "spheres/coverage_lemma.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace nearmiss {
namespace {

std::optional<Vec3> lemma(const Triangle& triangle, std::span<const Sphere> balls) {
  return uncoveredPoint(triangle, balls);
}

/// Adds points of an even grid on the triangle that are in none of the balls.
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

/// Points of gaps: corners of holes, and of each piece that `openOf` leaves a doubt about the open
/// ones of a grid of so many steps; where there is none, what `openOf` names, which is on a rim.
std::vector<Vec3> gapsOf(const CoveredBody& body, std::span<const Sphere> balls, int steps,
                         auto openOf) {
  std::vector<Vec3> gaps = holeCorners(body.parts, balls);
  for (const SurfacePiece& piece : body.pieces) {
    const std::vector<Sphere> near = ballsNear(piece.corners, balls);
    const std::optional<Vec3> open = openOf(piece.corners, near);
    if (!open) continue;
    const std::size_t before = gaps.size();
    addOpenSamples(piece.corners, near, steps, gaps);
    if (gaps.size() == before) gaps.push_back(*open);
  }
  return gaps;
}

/// What checkFlatSet() finds open: the pieces are rounded, the triangles are what is promised.
std::vector<Vec3> openPoints(const Polyhedron& polyhedron, std::span<const Sphere> balls) {
  std::vector<Vec3> points;
  for (std::size_t t = 0; t < polyhedron.mesh().triangles.size(); ++t) {
    const Triangle triangle = polyhedron.mesh().corners(t);
    if (const auto open = openPoint(triangle, ballsNear(triangle, balls))) points.push_back(*open);
  }
  return points;
}

/// Whether balls cover all that `old` reached of the body.
bool coverAgain(const CoveredBody& body, const Sphere& old, std::span<const Sphere> balls) {
  for (const std::uint32_t t : trianglesMeeting(body.polyhedron, old)) {
    const Triangle triangle = body.polyhedron.mesh().corners(t);
    if (openPoint(triangle, ballsNear(triangle, balls))) return false;
  }
  return holeCorners(body.parts, balls).empty();
}

}  // namespace

void closeGaps(const CoveredBody& body, int rounds, FlatSearch& search) {
  for (int round = 0; round < rounds; ++round) {
    const std::vector<Vec3> gaps = gapsOf(body, search.used(), 4 << round, lemma);
    if (gaps.empty()) return;
    for (const Vec3& gap : gaps) search.add(gap, 0.0);
    search.settle(2);
  }
}

bool coverSurely(const CoveredBody& body, FlatSearch& search, const BuildProgress* progress) {
  constexpr int steps = 32;
  constexpr Real firstSlack = 1e-5, maxSlack = 0.1;
  // In the planes of slivers the lemma is imprecise
  constexpr Real slackForSlivers = 1e-2;
  for (Real slack = firstSlack;; slack = std::min(2.0 * slack, maxSlack)) {
    if (progress && progress->cancelled) return false;
    const std::vector<Sphere> balls = search.used();
    std::vector<Vec3> gaps =
        gapsOf(body, balls, steps, slack < slackForSlivers ? lemma : openPoint);
    if (gaps.empty()) gaps = openPoints(body.polyhedron, balls);
    if (gaps.empty()) return true;
    for (const Vec3& gap : gaps) search.add(gap, slack);
    // A doubt about a sliver can name a point that is held: what passes beside it grows then
    const bool grew = std::any_of(balls.begin(), balls.end(), [&search](const Sphere& old) {
      return std::none_of(search.balls().begin(), search.balls().end(), [&old](const Sphere& ball) {
        return ball.centre == old.centre && ball.radius == old.radius;
      });
    });
    if (grew) continue;
    const std::size_t place = search.nearestPlace(gaps.front());
    search.resize(place, search.balls()[place].radius * (1.0 + slack));
  }
}

void shrinkBalls(const CoveredBody& body, FlatSearch& search, const BuildProgress* progress) {
  constexpr Real least = 0.9;  // of the radius
  constexpr int halvings = 7;
  for (std::size_t place = 0; place < search.balls().size(); ++place) {
    const Sphere old = search.balls()[place];
    if (old.radius < 0.0) continue;
    if (progress && progress->cancelled) return;
    Real open = least, covering = 1.0;
    for (int i = 0; i < halvings; ++i) {
      const Real middle = 0.5 * (open + covering);
      search.resize(place, middle * old.radius);
      (coverAgain(body, old, search.used()) ? covering : open) = middle;
    }
    search.resize(place, covering * old.radius);
  }
}

}  // namespace nearmiss
