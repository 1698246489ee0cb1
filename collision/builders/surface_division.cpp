// SPDX-License-Identifier: MIT
#include "builders/surface_division.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "builders/clusters.h"

namespace nearmiss {
namespace {

/// Exponent of the norm: close to the maximum, but all clusters count.
constexpr Real norm = 8.0;
/// Maximum number of cuts per cluster, on average. Usual meshes have far fewer pieces at rims.
constexpr std::size_t rimCutsEach = 300;

Real farthestCorner(const SurfacePiece& piece, const Vec3& from) noexcept {
  Real most = 0.0;
  for (const Vec3& corner : piece.corners) {
    const Vec3 v = corner - from;
    most = std::max(most, glm::dot(v, v));
  }
  return std::sqrt(most);
}

}  // namespace

/// Gives each piece to the ball with the smallest difference of its centre's distance and its
/// reach.
void SurfaceDivision::assign(std::span<const std::uint32_t> members, std::span<const Real> reach,
                             Clusters& clusters) {
  table_.clear();
  for (PieceCluster& cluster : clusters) {
    cluster.pieces.clear();
    table_.add(cluster.ball);
  }
  for (const std::uint32_t i : members)
    clusters[table_.nearest(fit_.middles()[i], reach)].pieces.push_back(i);
}

Real SurfaceDivision::areaOf(const PieceCluster& cluster) const {
  Real area = 0.0;
  for (const std::uint32_t i : cluster.pieces) area += nearmiss::areaOf(fit_.pieces()[i]);
  return area;
}

Real SurfaceDivision::score(const Clusters& clusters) const {
  Real sum = 0.0;
  if (effort_.byArea) {
    // Not divided by the total area, which is constant
    for (const PieceCluster& cluster : clusters) sum += areaOf(cluster) * cluster.cost;
    return sum;
  }
  for (const PieceCluster& cluster : clusters) sum += std::pow(cluster.cost, norm);
  return sum / static_cast<Real>(clusters.size());
}

/// The value by which the starts of a division are compared.
Real SurfaceDivision::rank(const Clusters& clusters) const {
  if (!effort_.meeting) return score(clusters);
  std::vector<Sphere> balls;
  for (const PieceCluster& cluster : clusters) balls.push_back(cluster.ball);
  return effort_.meeting->meanDistance(balls);
}

void SurfaceDivision::balance(std::span<const std::uint32_t> members, int rounds,
                              Clusters& clusters) {
  // A seed that is a ball has its radius as reach
  std::vector<Real> reach;
  for (const PieceCluster& cluster : clusters) reach.push_back(cluster.ball.radius);
  Clusters best;
  Real bestScore = unlimited;
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
      // A seed on the surface is not a useful old centre, unlike that of a ball
      if (round == 1 || (round == 0 && cluster.ball.radius == 0.0)) cluster.ball.radius = -1.0;
      fit_.fit(cluster);
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

/// Moves pieces of the ball with the largest Hausdorff distance to other balls that contain them.
void SurfaceDivision::handOver(Clusters& clusters) {
  std::vector<std::size_t> order(clusters.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return clusters[a].cost != clusters[b].cost ? clusters[a].cost > clusters[b].cost : a < b;
  });
  table_.clear();
  for (const PieceCluster& cluster : clusters) table_.add(cluster.ball);
  std::vector<std::size_t> near;
  for (const std::size_t k : order) {
    if (cancelled()) break;
    PieceCluster& from = clusters[k];
    near.clear();
    nearTable_.clear();
    table_.forEachWithin(from.ball.centre, from.ball.radius, [&](std::size_t j) {
      if (j == k || !(overlap(table_[j], from.ball) > 0.0)) return;
      near.push_back(j);
      nearTable_.add(table_[j]);
    });
    if (near.empty()) continue;
    std::size_t kept = 0;
    for (std::size_t m = 0; m < from.pieces.size(); ++m) {
      const std::uint32_t i = from.pieces[m];
      // Pieces of a cluster lie far apart in memory
      if (m + fetchedAhead < from.pieces.size()) {
        const std::uint32_t later = from.pieces[m + fetchedAhead];
        __builtin_prefetch(&fit_.middles()[later]);
        __builtin_prefetch(&fit_.pieces()[later].corners[0]);
        __builtin_prefetch(&fit_.pieces()[later].corners[2].z);
      }
      std::size_t taker = k;
      Real deepest = 0.0;
      const Vec3& middle = fit_.middles()[i];
      // Most pieces are in no other ball
      const std::size_t count = nearTable_.anyMayHold(middle) ? near.size() : 0;
      for (std::size_t n = 0; n < count; ++n) {
        // The middle lies no farther than the farthest corner, up to rounding
        const Real most = (nearTable_.radius(n) - deepest) * (1.0 + 1e-9);
        if (most < 0.0 || nearTable_.squaredDistance(middle, n) > most * most) continue;
        const Sphere ball = nearTable_[n];
        const Real depth = ball.radius - farthestCorner(fit_.pieces()[i], ball.centre);
        if (depth > deepest) {
          deepest = depth;
          taker = near[n];
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
      table_.set(k, from.ball);
      continue;
    }
    fit_.fit(from);
    fit_.search(from, 0.06);
    table_.set(k, from.ball);
  }
  std::erase_if(clusters, [](const PieceCluster& c) { return c.pieces.empty(); });
}

void SurfaceDivision::refine(Clusters& clusters) {
  for (PieceCluster& cluster : clusters) fit_.search(cluster);
  Real before = score(clusters);
  for (int i = 0; i < effort_.handOvers; ++i) {
    handOver(clusters);
    const Real now = score(clusters);
    if (now > 0.98 * before) break;
    before = now;
  }
}

/// Does the work that a rough division postpones until its clusters keep their pieces.
void SurfaceDivision::polish(Clusters& clusters) {
  fit_.setPrecision({effort_.finestStep});
  for (PieceCluster& cluster : clusters) fit_.search(cluster, effort_.polishingStep);
}

PieceCluster SurfaceDivision::enclose(std::span<const SurfacePiece> pieces) {
  fit_.setPieces(pieces);
  PieceCluster cluster;
  cluster.pieces.resize(pieces.size());
  std::iota(cluster.pieces.begin(), cluster.pieces.end(), 0u);
  fit_.fit(cluster);
  fit_.search(cluster);
  fit_.measure(cluster);
  return cluster;
}

/// Halves the pieces that extend beyond `rim` of the radius of their ball, the largest first.
/// Limits the number of needles that are cut. Appends the pieces that new ones were cut from.
void SurfaceDivision::cutRim(std::vector<SurfacePiece>& pieces, Clusters& clusters, Real rim,
                             std::size_t needlesEach, std::vector<std::uint32_t>& cutFrom) {
  struct Cut {
    Real size;  ///< relative to the ball's radius
    std::size_t cluster, at;
    bool needle;
  };
  std::vector<Cut> cuts;
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    const Sphere& ball = clusters[k].ball;
    const std::vector<std::uint32_t>& members = clusters[k].pieces;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i + fetchedAhead < members.size()) {
        __builtin_prefetch(&pieces[members[i + fetchedAhead]].corners[0]);
        __builtin_prefetch(&pieces[members[i + fetchedAhead]].corners[2].z);
      }
      const SurfacePiece& piece = pieces[members[i]];
      if (farthestCorner(piece, ball.centre) < rim * ball.radius) continue;
      const Real size = farthestCorner(piece, piece.middle);
      if (size >= 0.05 * ball.radius) cuts.push_back({size / ball.radius, k, i, isNeedle(piece)});
    }
  }
  const auto keepLargest = [&cuts](std::vector<Cut>::iterator from, std::size_t most) {
    if (static_cast<std::size_t>(cuts.end() - from) <= most) return;
    std::nth_element(from, from + static_cast<std::ptrdiff_t>(most), cuts.end(),
                     [](const Cut& a, const Cut& b) {
                       return std::tie(b.size, a.cluster, a.at) < std::tie(a.size, b.cluster, b.at);
                     });
    cuts.erase(from + static_cast<std::ptrdiff_t>(most), cuts.end());
  };
  const auto needles =
      std::partition(cuts.begin(), cuts.end(), [](const Cut& cut) { return !cut.needle; });
  keepLargest(needles, needlesEach * clusters.size());
  keepLargest(cuts.begin(), rimCutsEach * clusters.size());
  std::sort(cuts.begin(), cuts.end(), [](const Cut& a, const Cut& b) {
    return std::tie(a.cluster, a.at) < std::tie(b.cluster, b.at);
  });
  for (const Cut& cut : cuts) {
    PieceCluster& cluster = clusters[cut.cluster];
    const std::uint32_t whole = cluster.pieces[cut.at];
    const auto parts = halves(pieces[whole]);
    pieces[whole] = parts[0];
    cluster.pieces.push_back(static_cast<std::uint32_t>(pieces.size()));
    pieces.push_back(parts[1]);
    cutFrom.push_back(whole);
  }
}

/// Cuts the pieces that reach the rim of their ball, so that parts contained in another ball can
/// move there. Returns the pieces that new ones were cut from.
std::vector<std::uint32_t> SurfaceDivision::trim(std::vector<SurfacePiece>& pieces,
                                                 Clusters& clusters, int rounds, Real rim,
                                                 std::size_t needlesEach) {
  std::vector<std::uint32_t> cutFrom;
  for (int round = 0; round < rounds; ++round) {
    const std::size_t before = pieces.size();
    cutRim(pieces, clusters, rim, needlesEach, cutFrom);
    if (pieces.size() > before)
      fit_.updatePieces(pieces, std::span(cutFrom).last(pieces.size() - before));
    handOver(clusters);
  }
  return cutFrom;
}

std::vector<PieceCluster> SurfaceDivision::divide(std::vector<SurfacePiece>& pieces,
                                                  std::size_t count, const DivisionEffort& effort) {
  fit_.setPieces(pieces);
  begin(effort);
  if (effort.rough) fit_.setPrecision({effort.roughStep, true});
  const std::vector<std::uint32_t> sample = evenSample(pieces, effort.sample);
  Clusters best;
  Real bestScore = unlimited;
  const int starts = effort.starts + (effort.balls.empty() ? 0 : 1);
  for (int start = 0; start < starts && !cancelled(); ++start) {
    Clusters clusters;
    if (start == effort.starts) clusters = coveringSeeds(effort.balls, pieces, sample, count);
    if (clusters.empty()) clusters = farthestSeeds(pieces, sample, count, start);
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
  }
  if (cancelled()) return {};
  if (sample.size() < pieces.size()) {
    // Apply the result of the sample to all pieces
    std::vector<std::uint32_t> all(pieces.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<Real> reach;
    for (const PieceCluster& cluster : best) reach.push_back(cluster.ball.radius);
    assign(all, reach, best);
    std::erase_if(best, [](const PieceCluster& c) { return c.pieces.empty(); });
    for (PieceCluster& cluster : best) fit_.fit(cluster);
    refine(best);
    refill(best, count);
  }
  trim(pieces, best, 2, 0.9, rimCutsEach);
  refill(best, count);
  if (effort.rough) polish(best);
  for (PieceCluster& cluster : best) fit_.measure(cluster);
  return best;
}

}  // namespace nearmiss
