// SPDX-License-Identifier: MIT
#include "variational/piece_clusters.h"

#include "variational/cluster_seeds.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace nearmiss {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr int roundsOfSplit = 4;
constexpr int roundsOfRoughSplit = 3;
/// Splits that hand over their pieces again are not tried for ever.
constexpr int refills = 3;

}  // namespace

/// Splits the cluster with the largest Hausdorff distance of those with more than one piece; false
/// if there is none.
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

/// Splits clusters in place of those that lost all their pieces.
void SurfaceDivision::refill(Clusters& clusters, std::size_t count) {
  for (int tries = 0; tries < refills && clusters.size() < count; ++tries) {
    while (clusters.size() < count)
      if (!splitWorst(clusters)) return;
    if (tries + 1 == refills) return;
    Clusters thinned = clusters;
    handOver(thinned);
    if (thinned.size() == count && score(thinned) > score(clusters)) return;
    clusters = std::move(thinned);
  }
}

/// Merges two clusters, of the cheapest and their neighbours those whose merger costs least, and
/// splits the one with the largest Hausdorff distance.
bool SurfaceDivision::exchangeCheapest(Clusters& clusters) {
  constexpr std::size_t tried = 8;
  if (clusters.size() < 3) return false;
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
    // The neighbours by the size of the ball around both
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
      PieceCluster both = fit_.merged(clusters[a], clusters[b], least);
      if (both.cost >= least) continue;
      least = both.cost;
      merged = std::move(both);
      first = a;
      second = b;
    }
  }
  if (first == clusters.size()) return false;
  clusters[first] = std::move(merged);
  fit_.search(clusters[first]);
  clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(second));
  return splitWorst(clusters);
}

void SurfaceDivision::splitUpTo(std::size_t count, Clusters& clusters) {
  while (clusters.size() < count && !cancelled() && splitWorst(clusters)) {
  }
}

}  // namespace nearmiss
