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
constexpr int roundsOfSplit = 6;
constexpr int roundsOfRoughSplit = 4;

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
  for (std::size_t tries = 0; tries < 8 && clusters.size() < count; ++tries) {
    while (clusters.size() < count)
      if (!splitWorst(clusters)) return;
    if (tries == 7) return;
    Clusters thinned = clusters;
    handOver(thinned);
    if (thinned.size() == count && score(thinned) > score(clusters)) return;
    clusters = std::move(thinned);
  }
}

/// Merges the two clusters whose merger costs least, and splits the one with the largest Hausdorff
/// distance.
bool SurfaceDivision::exchange(Clusters& clusters) {
  if (clusters.size() < 3) return false;
  std::size_t worst = 0;
  for (std::size_t k = 1; k < clusters.size(); ++k)
    if (clusters[k].cost > clusters[worst].cost) worst = k;
  if (clusters[worst].pieces.size() < 2) return false;
  Real least = infinite;
  PieceCluster merged;
  std::size_t first = 0, second = 0;
  for (std::size_t a = 0; a < clusters.size(); ++a)
    for (std::size_t b = a + 1; b < clusters.size(); ++b) {
      if (a == worst || b == worst) continue;
      // Two balls cannot become one much smaller than the distance of their far ends
      PieceCluster both =
          fit_.merged(clusters[a], clusters[b], std::min(least, clusters[worst].cost));
      if (both.cost < least) {
        least = both.cost;
        merged = std::move(both);
        first = a;
        second = b;
      }
    }
  if (!(least < clusters[worst].cost)) return false;
  Clusters changed = clusters;
  changed[first] = merged;
  changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(second));
  if (!splitWorst(changed)) return false;
  refine(changed);
  refill(changed, clusters.size());
  if (score(changed) >= 0.999 * score(clusters)) return false;
  clusters = std::move(changed);
  return true;
}

/// As exchange(), but looks only at the cheapest clusters and their neighbours, and settles nothing
/// else: for sets of many clusters.
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
