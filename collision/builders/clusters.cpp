// SPDX-License-Identifier: MIT
#include "builders/clusters.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/seeded_random.h"
#include "spheres/enclosing_ball.h"

namespace nearmiss {
namespace {

/// The cost of a ball is its distance from the surface plus this share of its radius.
constexpr Real fitRadiusWeight = 0.15;

}  // namespace

/// Deep inside a solid, smaller balls do not have a smaller Hausdorff distance until they are small
/// enough to lie along the surface. The radius term in the cost leads the search there.
Real BallFit::costOf(const Sphere& ball, ProbeMemory& memory, Real giveUp) const noexcept {
  const Real share = fitRadiusWeight * ball.radius;
  if (share >= giveUp) return share;
  const ProbeDensity density = precision_.rough ? ProbeDensity::Coarse : ProbeDensity::Fine;
  return share + probe_->estimate(ball, memory, giveUp - share, density);
}

/// Numbers all corners once, because pieces are gathered far more often than they change.
void BallFit::setPieces(std::span<const SurfacePiece> pieces) {
  pieces_ = pieces;
  numbered_.start(pieces.size());
  cornersOf_.resize(pieces.size());
  middles_.resize(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) number(i);
  gatheredIn_.assign(numbered_.points().size(), 0);
  gathering_ = 0;
}

void BallFit::updatePieces(std::span<const SurfacePiece> pieces,
                           std::span<const std::uint32_t> cutFrom) {
  const std::size_t before = pieces_.size();
  pieces_ = pieces;
  cornersOf_.resize(pieces.size());
  middles_.resize(pieces.size());
  for (const std::uint32_t i : cutFrom) number(i);
  for (std::size_t i = before; i < pieces.size(); ++i) number(i);
  gatheredIn_.resize(numbered_.points().size(), 0);
}

void BallFit::number(std::size_t piece) {
  for (std::size_t k = 0; k < 3; ++k)
    cornersOf_[piece][k] = numbered_.add(pieces_[piece].corners[k]);
  middles_[piece] = pieces_[piece].middle;
}

void BallFit::startGathering() noexcept {
  corners_.clear();
  ++gathering_;
}

void BallFit::gather(std::span<const std::uint32_t> members) {
  const std::span<const Vec3> points = numbered_.points();
  for (std::size_t n = 0; n < members.size(); ++n) {
    if (n + fetchedAhead < members.size())
      __builtin_prefetch(&cornersOf_[members[n + fetchedAhead]]);
    for (const std::uint32_t corner : cornersOf_[members[n]]) {
      if (gatheredIn_[corner] == gathering_) continue;
      gatheredIn_[corner] = gathering_;
      corners_.add(points[corner]);
    }
  }
}

void BallFit::fit(PieceCluster& cluster) {
  startGathering();
  gather(cluster.pieces);
  Sphere smallest = smallestEnclosingBall(corners_);
  Real smallestFits = costOf(smallest, cluster.memory, unlimited);
  if (cluster.ball.radius >= 0.0) {
    const Sphere kept{cluster.ball.centre,
                      std::sqrt(corners_.maxSquaredDistance(cluster.ball.centre))};
    const Real keptFits = costOf(kept, cluster.memory, smallestFits);
    if (keptFits < smallestFits) {
      smallest = kept;
      smallestFits = keptFits;
    }
  }
  cluster.ball = smallest;
  cluster.cost = smallestFits;
}

/// Selects the gathered corners that can be farthest from a point within `reach` of the ball's
/// centre.
void BallFit::keepRim(const Sphere& ball, Real reach) {
  rim_.clear();
  const Real inner = ball.radius - 2.0 * reach;
  for (std::size_t i = 0; i < corners_.size(); ++i) {
    const Vec3 corner = corners_[i], from = corner - ball.centre;
    if (inner <= 0.0 || glm::dot(from, from) >= inner * inner) rim_.add(corner);
  }
}

void BallFit::search(PieceCluster& cluster, Real firstStep) {
  static const std::array<Vec3, 14> allDirections{
      Vec3{1, 0, 0}, {-1, 0, 0},     {0, 1, 0},       {0, -1, 0},    {0, 0, 1},
      {0, 0, -1},    {.6, .6, .5},   {-.6, -.6, -.5}, {.6, -.6, .5}, {-.6, .6, -.5},
      {.6, .6, -.5}, {-.6, -.6, .5}, {-.6, .6, .5},   {.6, -.6, -.5}};
  // The last eight directions also cover all sides
  const auto directions = std::span(allDirections).subspan(precision_.rough ? 6 : 0);
  startGathering();
  gather(cluster.pieces);
  const Real smallest = precision_.finestStep * cluster.ball.radius;
  for (Real step = firstStep * cluster.ball.radius; step > smallest; step *= 0.5) {
    // As long as the centre stays near, only corners near the rim determine the radius
    Vec3 start = cluster.ball.centre;
    keepRim(cluster.ball, 2.5 * step);
    std::size_t idle = 0;
    for (std::size_t i = 0; idle < directions.size(); i = (i + 1) % directions.size(), ++idle) {
      Sphere tried{cluster.ball.centre + step * directions[i], 0.0};
      if (glm::distance(tried.centre, start) > 2.5 * step) {
        start = cluster.ball.centre;
        keepRim(cluster.ball, 2.5 * step);
      }
      tried.radius = std::sqrt(rim_.maxSquaredDistance(tried.centre));
      const Real cost = costOf(tried, cluster.memory, cluster.cost);
      if (!(cost < cluster.cost * (1.0 - 1e-4))) continue;
      cluster.ball = tried;
      cluster.cost = cost;
      // Try the same direction again
      idle = static_cast<std::size_t>(-1);
      i = (i + directions.size() - 1) % directions.size();
    }
  }
  if (precision_.rough) return;
  cluster.cost =
      fitRadiusWeight * cluster.ball.radius + probe_->explore(cluster.ball, cluster.memory);
}

Sphere BallFit::ballOfBoth(const PieceCluster& first, const PieceCluster& second) {
  startGathering();
  gather(first.pieces);
  gather(second.pieces);
  return smallestEnclosingBall(corners_);
}

PieceCluster BallFit::merged(const PieceCluster& first, const PieceCluster& second, Real giveUp) {
  PieceCluster both = mergedWithoutPieces(first, ballOfBoth(first, second), giveUp);
  addPieces(first, second, both);
  return both;
}

PieceCluster BallFit::mergedWithoutPieces(const PieceCluster& first, const Sphere& ball,
                                          Real giveUp) const {
  PieceCluster both;
  both.memory = first.memory;
  both.ball = ball;
  both.cost = costOf(both.ball, both.memory, giveUp);
  return both;
}

void BallFit::addPieces(const PieceCluster& first, const PieceCluster& second, PieceCluster& both) {
  both.pieces.reserve(first.pieces.size() + second.pieces.size());
  both.pieces.insert(both.pieces.end(), first.pieces.begin(), first.pieces.end());
  both.pieces.insert(both.pieces.end(), second.pieces.begin(), second.pieces.end());
}

void BallFit::measure(PieceCluster& cluster) const {
  cluster.hausdorff = probe_->explore(cluster.ball, cluster.memory);
}

namespace {

/// A uniformly distributed rotation: a point in the four-dimensional ball, projected to its
/// surface.
Quat randomTurn(SeededRandom& random) noexcept {
  for (;;) {
    const Real w = 2.0 * random.unit() - 1.0, x = 2.0 * random.unit() - 1.0;
    const Real y = 2.0 * random.unit() - 1.0, z = 2.0 * random.unit() - 1.0;
    const Real square = w * w + x * x + y * y + z * z;
    if (square < 0.01 || square > 1.0) continue;
    const Real scale = 1.0 / std::sqrt(square);
    return Quat(scale * w, scale * x, scale * y, scale * z);
  }
}

Vec3 randomDirection(SeededRandom& random) noexcept {
  for (;;) {
    const Vec3 at = random.inBall();
    const Real length = glm::length(at);
    if (length > 0.1) return at / length;
  }
}

}  // namespace

MeetingMeasure::MeetingMeasure(const Sphere& bound, std::size_t ways) : bound_(bound) {
  SeededRandom random(1);
  for (std::size_t i = 0; i < ways; ++i) {
    const Quat turn = randomTurn(random);
    ways_.push_back({turn, randomDirection(random)});
  }
}

Real MeetingMeasure::meanDistance(std::span<const Sphere> balls) const {
  Real sum = 0.0;
  std::vector<Vec3> turned(balls.size());
  for (const Way& way : ways_) {
    for (std::size_t i = 0; i < balls.size(); ++i)
      turned[i] = way.turn * (balls[i].centre - bound_.centre);
    // The copy comes from afar, so the first pair of balls to touch decides
    Real first = 0.0;
    for (const Sphere& own : balls)
      for (std::size_t i = 0; i < balls.size(); ++i) {
        const Vec3 offset = turned[i] - (own.centre - bound_.centre);
        const Real reach = own.radius + balls[i].radius;
        const Real along = glm::dot(offset, way.from);
        const Real square = along * along - glm::dot(offset, offset) + reach * reach;
        if (square >= 0.0) first = std::max(first, std::sqrt(square) - along);
      }
    sum += first;
  }
  return sum / (static_cast<Real>(ways_.size()) * bound_.radius);
}

}  // namespace nearmiss
