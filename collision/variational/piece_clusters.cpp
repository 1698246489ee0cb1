// SPDX-License-Identifier: MIT
#include "variational/piece_clusters.h"

#include "sampling/enclosing_ball.h"
#include "variational/cover_seeds.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace nearmiss {
namespace {

/// Of the radius, counted as cost beside the distance from the surface.
constexpr Real radiusWeight = 0.15;
/// Near the greatest, and yet all count.
constexpr Real norm = 8.0;
constexpr Real infinite = std::numeric_limits<Real>::infinity();

Real farthestCorner(const SurfacePiece& piece, const Vec3& from) noexcept {
  Real most = 0.0;
  for (const Vec3& corner : piece.corners) {
    const Vec3 v = corner - from;
    most = std::max(most, glm::dot(v, v));
  }
  return std::sqrt(most);
}

}  // namespace

/// Deep inside of a solid smaller balls have no smaller Hausdorff distance, until they are small
/// enough to lie along its surface: the radius in the cost leads there.
Real SurfaceDivision::costOf(const Sphere& ball, ProbeMemory& memory, Real giveUp) const noexcept {
  const Real share = radiusWeight * ball.radius;
  if (share >= giveUp) return share;
  return share + probe_->estimate(ball, memory, giveUp - share);
}

void SurfaceDivision::gather(std::span<const std::uint32_t> members) {
  corners_.start(3 * members.size());
  for (const std::uint32_t i : members)
    for (const Vec3& corner : pieces_[i].corners) corners_.add(corner);
}

/// The smallest ball, or the old centre's with the least radius, whichever has the lesser Hausdorff
/// distance.
void SurfaceDivision::fit(PieceCluster& cluster) {
  gather(cluster.pieces);
  Sphere smallest = smallestEnclosingBall(corners_.points());
  Real smallestFits = costOf(smallest, cluster.memory, infinite);
  if (cluster.ball.radius >= 0.0) {
    const Sphere kept{cluster.ball.centre,
                      std::sqrt(greatestSquaredDistance(cluster.ball.centre, corners_.points()))};
    const Real keptFits = costOf(kept, cluster.memory, smallestFits);
    if (keptFits < smallestFits) {
      smallest = kept;
      smallestFits = keptFits;
    }
  }
  cluster.ball = smallest;
  cluster.cost = smallestFits;
}

/// The corners of `from` that can be farthest from a point within `reach` of the ball's centre.
void SurfaceDivision::keepRim(const Sphere& ball, Real reach) {
  rim_.clear();
  const Real inner = ball.radius - 2.0 * reach;
  for (const Vec3& corner : corners_.points()) {
    const Vec3 from = corner - ball.centre;
    if (inner <= 0.0 || glm::dot(from, from) >= inner * inner) rim_.push_back(corner);
  }
}

/// Moves the centre as long as the cost falls, at first by `firstStep` of the radius.
void SurfaceDivision::search(PieceCluster& cluster, Real firstStep) {
  static const std::array<Vec3, 14> directions{
      Vec3{1, 0, 0}, {-1, 0, 0},     {0, 1, 0},       {0, -1, 0},    {0, 0, 1},
      {0, 0, -1},    {.6, .6, .5},   {-.6, -.6, -.5}, {.6, -.6, .5}, {-.6, .6, -.5},
      {.6, .6, -.5}, {-.6, -.6, .5}, {-.6, .6, .5},   {.6, -.6, -.5}};
  gather(cluster.pieces);
  const Real smallest = effort_.finestStep * cluster.ball.radius;
  for (Real step = firstStep * cluster.ball.radius; step > smallest; step *= 0.5) {
    // As long as the centre stays near, only corners near the rim can decide the radius
    Vec3 start = cluster.ball.centre;
    keepRim(cluster.ball, 2.5 * step);
    std::size_t idle = 0;
    for (std::size_t i = 0; idle < directions.size(); i = (i + 1) % directions.size(), ++idle) {
      Sphere tried{cluster.ball.centre + step * directions[i], 0.0};
      if (glm::distance(tried.centre, start) > 2.5 * step) {
        start = cluster.ball.centre;
        keepRim(cluster.ball, 2.5 * step);
      }
      tried.radius = std::sqrt(greatestSquaredDistance(tried.centre, rim_));
      const Real cost = costOf(tried, cluster.memory, cluster.cost);
      if (!(cost < cluster.cost * (1.0 - 1e-4))) continue;
      cluster.ball = tried;
      cluster.cost = cost;
      // The same way again
      idle = static_cast<std::size_t>(-1);
      i = (i + directions.size() - 1) % directions.size();
    }
  }
  cluster.cost = radiusWeight * cluster.ball.radius + probe_->explore(cluster.ball, cluster.memory);
}

/// Farthest points, from a start that differs from `start` to `start`.
void SurfaceDivision::seed(std::span<const std::uint32_t> members, std::size_t count, int start,
                           Clusters& clusters) {
  clusters.clear();
  std::vector<Real> nearest(members.size(), infinite);
  Vec3 mean(0.0);
  for (const std::uint32_t i : members) mean += pieces_[i].middle;
  mean /= static_cast<Real>(members.size());
  // The first seed is the piece farthest from the middle, or some other piece, and is forgotten in
  // odd starts
  Vec3 from = start / 2 == 0 ? mean
                             : pieces_[members[static_cast<std::size_t>(start / 2) * 7919 *
                                               members.size() / 20011 % members.size()]]
                                   .middle;
  const bool counts = start % 2 != 0;
  if (counts) clusters.emplace_back().ball = {from, 0.0};
  for (std::size_t i = 0; i < members.size(); ++i)
    nearest[i] = glm::distance(pieces_[members[i]].middle, from);
  while (clusters.size() < count) {
    const auto far = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) -
                                              nearest.begin());
    if (clusters.size() > 0 && nearest[far] <= 0.0) break;
    const Vec3 at = pieces_[members[far]].middle;
    const bool first = clusters.empty();
    clusters.emplace_back().ball = {at, 0.0};
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Real distance = glm::distance(pieces_[members[i]].middle, at);
      nearest[i] = first ? distance : std::min(nearest[i], distance);
    }
  }
}

/// The balls of the medial axis, or others, that best cover the pieces.
void SurfaceDivision::seedFrom(std::span<const Sphere> balls,
                               std::span<const std::uint32_t> members, std::size_t count,
                               Clusters& clusters) {
  clusters.clear();
  for (const Sphere& ball : coverSeeds(balls, pieces_, members, count))
    clusters.emplace_back().ball = ball;
}

/// Gives each piece to the ball whose centre is nearest, less what that ball may reach.
void SurfaceDivision::assign(std::span<const std::uint32_t> members, std::span<const Real> reach,
                             Clusters& clusters) {
  for (PieceCluster& cluster : clusters) cluster.pieces.clear();
  for (const std::uint32_t i : members) {
    const Vec3& p = pieces_[i].middle;
    std::size_t owner = 0;
    Real least = infinite;
    for (std::size_t k = 0; k < clusters.size(); ++k) {
      const Real distance = glm::distance(p, clusters[k].ball.centre) - reach[k];
      if (distance < least) {
        least = distance;
        owner = k;
      }
    }
    clusters[owner].pieces.push_back(i);
  }
}

Real SurfaceDivision::areaOf(const PieceCluster& cluster) const {
  Real area = 0.0;
  for (const std::uint32_t i : cluster.pieces) area += nearmiss::areaOf(pieces_[i]);
  return area;
}

Real SurfaceDivision::score(const Clusters& clusters) const {
  Real sum = 0.0;
  if (effort_.byArea) {
    // The area of all is always the same
    for (const PieceCluster& cluster : clusters) sum += areaOf(cluster) * cluster.cost;
    return sum;
  }
  for (const PieceCluster& cluster : clusters) sum += std::pow(cluster.cost, norm);
  return sum / static_cast<Real>(clusters.size());
}

/// What the starts of a division are compared by.
Real SurfaceDivision::rank(const Clusters& clusters) const {
  if (!effort_.meeting) return score(clusters);
  std::vector<Sphere> balls;
  for (const PieceCluster& cluster : clusters) balls.push_back(cluster.ball);
  return effort_.meeting->meanDistance(balls);
}

void SurfaceDivision::balance(std::span<const std::uint32_t> members, int rounds,
                              Clusters& clusters) {
  // A seed that is a ball reaches as far as its radius
  std::vector<Real> reach;
  for (const PieceCluster& cluster : clusters) reach.push_back(cluster.ball.radius);
  Clusters best;
  Real bestScore = infinite;
  for (int round = 0; round < rounds; ++round) {
    assign(members, reach, clusters);
    for (std::size_t k = 0; k < clusters.size();) {
      if (!clusters[k].pieces.empty()) {
        ++k;
        continue;
      }
      clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(k));
      reach.erase(reach.begin() + static_cast<std::ptrdiff_t>(k));
    }
    Real mean = 0.0;
    for (PieceCluster& cluster : clusters) {
      // A seed on the surface is no centre to keep, a ball's may be
      if (round == 1 || (round == 0 && cluster.ball.radius == 0.0)) cluster.ball.radius = -1.0;
      fit(cluster);
      mean += cluster.cost;
    }
    mean /= static_cast<Real>(clusters.size());
    const Real now = score(clusters);
    if (now < bestScore) {
      bestScore = now;
      best = clusters;
    }
    if (round >= 2)
      for (std::size_t k = 0; k < clusters.size(); ++k)
        reach[k] += 0.25 * (mean - clusters[k].cost);
  }
  clusters = std::move(best);
}

/// Pieces that lie in another ball as well leave the ball with the largest Hausdorff distance.
void SurfaceDivision::handOver(Clusters& clusters) {
  std::vector<std::size_t> order(clusters.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return clusters[a].cost != clusters[b].cost ? clusters[a].cost > clusters[b].cost : a < b;
  });
  std::vector<std::size_t> near;
  for (const std::size_t k : order) {
    PieceCluster& from = clusters[k];
    near.clear();
    for (std::size_t j = 0; j < clusters.size(); ++j)
      if (j != k && overlap(clusters[j].ball, from.ball) > 0.0) near.push_back(j);
    if (near.empty()) continue;
    std::size_t kept = 0;
    for (const std::uint32_t i : from.pieces) {
      std::size_t taker = k;
      Real deepest = 0.0;
      for (const std::size_t j : near) {
        const Real depth =
            clusters[j].ball.radius - farthestCorner(pieces_[i], clusters[j].ball.centre);
        if (depth > deepest) {
          deepest = depth;
          taker = j;
        }
      }
      if (taker == k)
        from.pieces[kept++] = i;
      else
        clusters[taker].pieces.push_back(i);
    }
    if (kept == from.pieces.size()) continue;
    from.pieces.resize(kept);
    if (kept == 0) {
      from.cost = 0.0;
      from.ball.radius = -1.0;
      continue;
    }
    fit(from);
    search(from, 0.06);
  }
  std::erase_if(clusters, [](const PieceCluster& c) { return c.pieces.empty(); });
}

void SurfaceDivision::refine(Clusters& clusters) {
  for (PieceCluster& cluster : clusters) search(cluster);
  Real before = score(clusters);
  for (int i = 0; i < 4; ++i) {
    handOver(clusters);
    const Real now = score(clusters);
    if (now > 0.98 * before) break;
    before = now;
  }
}

PieceCluster SurfaceDivision::enclose(std::span<const SurfacePiece> pieces) {
  pieces_ = pieces;
  PieceCluster cluster;
  cluster.pieces.resize(pieces.size());
  std::iota(cluster.pieces.begin(), cluster.pieces.end(), 0u);
  fit(cluster);
  search(cluster);
  cluster.hausdorff = probe_->explore(cluster.ball, cluster.memory);
  return cluster;
}

/// Cuts the pieces that reach the rim of their ball, so that what lies in another ball as well can
/// go there.
void SurfaceDivision::trim(std::vector<SurfacePiece>& pieces, Clusters& clusters) {
  for (int pass = 0; pass < 2; ++pass) {
    for (PieceCluster& cluster : clusters) {
      const Real radius = cluster.ball.radius;
      const std::size_t count = cluster.pieces.size();
      for (std::size_t i = 0; i < count; ++i) {
        const SurfacePiece piece = pieces[cluster.pieces[i]];
        if (farthestCorner(piece, cluster.ball.centre) < 0.9 * radius) continue;
        const Real size = farthestCorner(piece, piece.middle);
        if (size < 0.05 * radius) continue;
        const auto parts = halves(piece);
        pieces[cluster.pieces[i]] = parts[0];
        cluster.pieces.push_back(static_cast<std::uint32_t>(pieces.size()));
        pieces.push_back(parts[1]);
      }
    }
    pieces_ = pieces;
    handOver(clusters);
  }
}

std::vector<PieceCluster> SurfaceDivision::divide(std::vector<SurfacePiece>& pieces,
                                                  std::size_t count, const DivisionEffort& effort) {
  pieces_ = pieces;
  effort_ = effort;
  const std::vector<std::uint32_t> sample = evenSample(pieces, effort.sample);
  Clusters best;
  Real bestScore = infinite;
  const int starts = effort.starts + (effort.balls.empty() ? 0 : 1);
  for (int start = 0; start < starts && !cancelled(); ++start) {
    Clusters clusters;
    if (start == effort.starts) seedFrom(effort.balls, sample, count, clusters);
    if (clusters.empty()) seed(sample, count, start, clusters);
    balance(sample, effort.rounds, clusters);
    refine(clusters);
    refill(clusters, count);
    const Real now = rank(clusters);
    if (now < bestScore) {
      bestScore = now;
      best = std::move(clusters);
    }
  }
  if (effort.byArea) {
    exchangeByArea(best);
    handOver(best);
    refill(best, count);
  } else {
    for (int i = 0; i < effort.exchanges && !cancelled() && exchange(best); ++i) {
    }
  }
  if (cancelled()) return {};
  if (sample.size() < pieces.size()) {
    // What held for the sample is now done with every piece
    std::vector<std::uint32_t> all(pieces.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<Real> reach;
    for (const PieceCluster& cluster : best) reach.push_back(cluster.ball.radius);
    assign(all, reach, best);
    std::erase_if(best, [](const PieceCluster& c) { return c.pieces.empty(); });
    for (PieceCluster& cluster : best) fit(cluster);
    refine(best);
    refill(best, count);
  }
  trim(pieces, best);
  refill(best, count);
  for (PieceCluster& cluster : best)
    cluster.hausdorff = probe_->explore(cluster.ball, cluster.memory);
  return best;
}

}  // namespace nearmiss
