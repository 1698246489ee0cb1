// SPDX-License-Identifier: MIT
#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <utility>

#include "builders/clusters.h"
#include "builders/surface_division.h"

namespace nearmiss {
namespace {

constexpr int roundsOfSplit = 4;
constexpr int roundsOfRoughSplit = 3;
/// Limits how often splits are retried that lose all their pieces again.
constexpr int refills = 3;

}  // namespace

/// Splits the cluster with the largest Hausdorff distance among those with more than one piece.
/// Returns false if there is none.
bool SurfaceDivision::splitWorst(Clusters& clusters) {
  std::size_t worst = clusters.size();
  for (std::size_t k = 0; k < clusters.size(); ++k)
    if (clusters[k].pieces.size() > 1 &&
        (worst == clusters.size() || clusters[k].cost > clusters[worst].cost))
      worst = k;
  if (worst == clusters.size()) return false;
  const std::vector<std::uint32_t> members = std::move(clusters[worst].pieces);
  Clusters parts = farthestSeeds(fit_.pieces(), members, 2, 0);
  for (PieceCluster& part : parts) part.memory = clusters[worst].memory;
  balance(members, effort_.rough ? roundsOfRoughSplit : roundsOfSplit, parts);
  for (PieceCluster& part : parts) fit_.search(part);
  clusters[worst] = std::move(parts[0]);
  if (parts.size() < 2) return false;
  clusters.push_back(std::move(parts[1]));
  return true;
}

/// Splits other clusters to replace those that lost all their pieces.
void SurfaceDivision::refill(Clusters& clusters, std::size_t count) {
  for (int tries = 0; tries < refills && clusters.size() < count; ++tries) {
    while (clusters.size() < count)
      if (cancelled() || !splitWorst(clusters)) return;
    if (tries + 1 == refills) return;
    Clusters thinned = clusters;
    handOver(thinned);
    if (thinned.size() == count && score(thinned) > score(clusters)) return;
    clusters = std::move(thinned);
  }
}

void SurfaceDivision::startExchanges(Clusters& clusters) {
  tried_.clear();
  stamps_ = 0;
  for (PieceCluster& cluster : clusters) cluster.stamp = 0;
}

/// Caches balls, because nearly all clusters stay the same from one exchange to the next.
const Sphere& SurfaceDivision::ballOfBoth(const PieceCluster& first, const PieceCluster& second) {
  const std::uint64_t key = std::uint64_t{first.stamp} << 32 | second.stamp;
  const auto [place, isNew] = tried_.try_emplace(key);
  if (isNew) place->second = fit_.ballOfBoth(first, second);
  return place->second;
}

/// Merges two clusters and splits the cluster with the largest Hausdorff distance. Of the pairs of
/// a cheap cluster and a neighbour, merges the one that costs least when merged.
bool SurfaceDivision::exchangeCheapest(Clusters& clusters) {
  constexpr std::size_t tried = 8;
  if (clusters.size() < 3) return false;
  for (PieceCluster& cluster : clusters)
    if (cluster.stamp == 0) cluster.stamp = ++stamps_;
  std::vector<std::size_t> order(clusters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t looked = std::min(tried, order.size() - 1);
  const auto cheaper = [&](std::size_t a, std::size_t b) {
    return clusters[a].cost != clusters[b].cost ? clusters[a].cost < clusters[b].cost : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(looked), order.end(),
                    cheaper);
  const std::size_t worst = *std::max_element(order.begin(), order.end(), cheaper);
  Real least = 0.9 * clusters[worst].cost;
  PieceCluster merged;
  std::size_t first = clusters.size(), second = 0;
  for (std::size_t n = 0; n < looked; ++n) {
    // Sort neighbours by the size of the ball around both
    const std::size_t a = order[n];
    const Sphere& ball = clusters[a].ball;
    std::vector<std::pair<Real, std::size_t>> near;
    for (std::size_t b = 0; b < clusters.size(); ++b)
      if (b != a && b != worst)
        near.emplace_back(
            glm::distance(clusters[b].ball.centre, ball.centre) + clusters[b].ball.radius, b);
    const std::size_t neighbours = std::min<std::size_t>(6, near.size());
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(neighbours),
                      near.end());
    for (std::size_t i = 0; i < neighbours; ++i) {
      const std::size_t b = near[i].second;
      PieceCluster both =
          fit_.mergedWithoutPieces(clusters[a], ballOfBoth(clusters[a], clusters[b]), least);
      if (both.cost >= least) continue;
      least = both.cost;
      merged = std::move(both);
      first = a;
      second = b;
    }
  }
  if (first == clusters.size()) return false;
  BallFit::addPieces(clusters[first], clusters[second], merged);
  clusters[first] = std::move(merged);
  fit_.search(clusters[first]);
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  return splitWorst(clusters);
}

void SurfaceDivision::splitUpTo(std::size_t count, Clusters& clusters) {
  while (clusters.size() < count && !cancelled() && splitWorst(clusters)) {
  }
}

namespace {

/// Change of a ball's reach, relative to the difference between its cost and the mean.
constexpr Real levelShare = 0.5;
constexpr int evenPasses = 4;
/// Corners beyond this share of the radius determine it. A thicker rim means many more pieces for
/// little gain.
constexpr Real trimRim = 0.95;
constexpr int trimRounds = 1;
constexpr int lastTrimRounds = 3;
/// Mean number of needles cut per cluster in a round. The halves of needles are needles again, in
/// ever greater numbers.
constexpr std::size_t needleCutsEach = 8;

}  // namespace

/// Reassigns all pieces: each goes to the ball with the smallest difference of its centre's
/// distance and its reach.
void SurfaceDivision::reassign(std::span<const Real> reach, Clusters& clusters) {
  std::vector<std::uint32_t> ownerOf(fit_.pieces().size());
  table_.clear();
  for (const PieceCluster& cluster : clusters) table_.add(cluster.ball);
  std::vector<Real> nearReach;
  std::vector<std::uint32_t> near;
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    // A piece lies in its ball, so no centre farther away than this can win
    const Sphere& ball = clusters[k].ball;
    const Real most = 2.0 * ball.radius * (1.0 + 1e-9) - reach[k];
    near.clear();
    nearTable_.clear();
    nearReach.clear();
    table_.forEachWithin(ball.centre, most, reach, [&](std::size_t j) {
      if (j != k && !(glm::distance(ball.centre, clusters[j].ball.centre) <= most + reach[j]))
        return;
      near.push_back(static_cast<std::uint32_t>(j));
      nearTable_.add(table_[j]);
      nearReach.push_back(reach[j]);
    });
    for (const std::uint32_t i : clusters[k].pieces)
      ownerOf[i] = near[nearTable_.nearest(fit_.middles()[i], nearReach)];
  }
  for (PieceCluster& cluster : clusters) cluster.pieces.clear();
  for (std::uint32_t i = 0; i < ownerOf.size(); ++i) clusters[ownerOf[i]].pieces.push_back(i);
  std::erase_if(clusters, [](const PieceCluster& c) { return c.pieces.empty(); });
  for (PieceCluster& cluster : clusters) {
    if (cancelled()) return;
    fit_.fit(cluster);
    fit_.search(cluster, shortStep);
  }
}

/// Balls that cost more than the mean lose pieces to balls that cost less.
void SurfaceDivision::levelOut(Clusters& clusters) {
  Real mean = 0.0;
  for (const PieceCluster& cluster : clusters) mean += cluster.cost;
  mean /= static_cast<Real>(clusters.size());
  std::vector<Real> reach;
  for (const PieceCluster& cluster : clusters)
    reach.push_back(cluster.ball.radius + levelShare * (mean - cluster.cost));
  reassign(reach, clusters);
}

/// Hands over, splits and merges to improve the clusters with the largest Hausdorff distance.
/// Reassigns pieces before each pass but the first. Cuts pieces that determine radii.
std::vector<PieceCluster> SurfaceDivision::evenByWorst(Clusters clusters,
                                                       std::vector<SurfacePiece>& pieces,
                                                       std::vector<std::uint32_t>& cutFrom,
                                                       const std::function<void(Real)>& report) {
  const std::size_t count = clusters.size();
  for (int pass = 0; pass < evenPasses && !cancelled(); ++pass) {
    const bool last = pass + 1 == evenPasses;
    if (report) report(static_cast<Real>(pass) / evenPasses);
    if (pass > 0) levelOut(clusters);
    handOver(clusters);
    splitUpTo(count, clusters);
    // Halves of split balls are a poor final shape
    const std::size_t exchanges = last ? 0 : count / 2;
    startExchanges(clusters);
    for (std::size_t i = 0; i < exchanges && !cancelled() && exchangeCheapest(clusters); ++i)
      if (report) report((pass + static_cast<Real>(i) / static_cast<Real>(exchanges)) / evenPasses);
    if (pass == 0) continue;
    const auto cut =
        trim(pieces, clusters, last ? lastTrimRounds : trimRounds, trimRim, needleCutsEach);
    cutFrom.insert(cutFrom.end(), cut.begin(), cut.end());
  }
  splitUpTo(count, clusters);
  return clusters;
}

std::vector<PieceCluster> SurfaceDivision::even(std::vector<SurfacePiece>& pieces,
                                                std::vector<PieceCluster> clusters,
                                                const DivisionEffort& effort,
                                                std::vector<std::uint32_t>& cutFrom,
                                                const std::function<void(Real)>& report) {
  fit_.setPieces(pieces);
  begin(effort);
  for (PieceCluster& cluster : clusters) {
    if (cancelled()) return {};
    fit_.fit(cluster);
    fit_.search(cluster);
  }
  clusters = evenByWorst(std::move(clusters), pieces, cutFrom, report);
  // A level without outliers is also the best start for the mean
  if (effort.byArea) clusters = evenByArea(std::move(clusters));
  if (cancelled()) return {};
  for (PieceCluster& cluster : clusters) fit_.measure(cluster);
  return clusters;
}

}  // namespace nearmiss
