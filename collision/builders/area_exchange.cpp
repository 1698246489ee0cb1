// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>
#include <utility>

#include "builders/surface_division.h"

namespace nearmiss {
namespace {

constexpr std::size_t maxNeighbours = 6;
/// Minimum gain of an exchange, relative to its cost. Smaller gains may come from repeating the
/// search.
constexpr Real worthWhile = 1.02;
/// Reach of balls when pieces are reassigned, relative to the radii.
constexpr Real reachShare = 0.5;
constexpr int exchangePasses = 3;

}  // namespace

/// For every cluster, its best merger with a neighbour and its best split in two, ready to be
/// applied.
class SurfaceDivision::AreaExchange {
 public:
  AreaExchange(SurfaceDivision& division, Clusters& clusters)
      : division_(division),
        clusters_(clusters),
        areas_(clusters.size()),
        shares_(clusters.size()),
        mergers_(clusters.size()),
        splits_(clusters.size()) {}

  void run();

 private:
  struct Merger {
    std::size_t other = 0;
    Real costs = unlimited;
    PieceCluster both;
  };
  struct Split {
    Real gains = 0.0;
    Clusters parts;
  };
  void weigh(std::size_t k);
  [[nodiscard]] std::vector<std::size_t> neighboursOf(std::size_t k) const;
  void findMerger(std::size_t k);
  void findSplit(std::size_t k);
  bool exchangeBest();

  SurfaceDivision& division_;
  Clusters& clusters_;
  std::vector<Real> areas_;
  std::vector<Real> shares_;  ///< area times cost: each cluster's share of the score
  std::vector<Merger> mergers_;
  std::vector<Split> splits_;
};

void SurfaceDivision::AreaExchange::weigh(std::size_t k) {
  areas_[k] = division_.areaOf(clusters_[k]);
  shares_[k] = areas_[k] * clusters_[k].cost;
}

/// Returns the clusters whose common ball with this one is smallest, approximately.
std::vector<std::size_t> SurfaceDivision::AreaExchange::neighboursOf(std::size_t k) const {
  std::vector<std::pair<Real, std::size_t>> near;
  for (std::size_t j = 0; j < clusters_.size(); ++j)
    if (j != k)
      near.emplace_back(glm::distance(clusters_[j].ball.centre, clusters_[k].ball.centre) +
                            clusters_[j].ball.radius,
                        j);
  const std::size_t count = std::min(maxNeighbours, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
  std::vector<std::size_t> nearest;
  for (std::size_t i = 0; i < count; ++i) nearest.push_back(near[i].second);
  return nearest;
}

void SurfaceDivision::AreaExchange::findMerger(std::size_t k) {
  Merger& best = mergers_[k];
  best.costs = unlimited;
  for (const std::size_t j : neighboursOf(k)) {
    const Real area = areas_[k] + areas_[j], share = shares_[k] + shares_[j];
    const Real giveUp = area > 0.0 ? (best.costs + share) / area : unlimited;
    PieceCluster both = division_.fit_.merged(clusters_[k], clusters_[j], giveUp);
    const Real costs = area * both.cost - share;
    if (!(costs < best.costs)) continue;
    best = {j, costs, std::move(both)};
  }
  if (best.costs == unlimited) return;
  division_.fit_.search(best.both, shortStep);
  best.costs = (areas_[k] + areas_[best.other]) * best.both.cost - shares_[k] - shares_[best.other];
}

void SurfaceDivision::AreaExchange::findSplit(std::size_t k) {
  Split& split = splits_[k];
  split.gains = 0.0;
  split.parts = {clusters_[k]};
  if (!division_.splitWorst(split.parts)) return;
  split.gains = shares_[k];
  for (const PieceCluster& part : split.parts) split.gains -= division_.areaOf(part) * part.cost;
}

/// Makes the cheapest merger and, with the cluster that it frees, the split that gains most.
/// Returns false if this would raise the cost.
bool SurfaceDivision::AreaExchange::exchangeBest() {
  const auto cheapest =
      std::min_element(mergers_.begin(), mergers_.end(),
                       [](const Merger& a, const Merger& b) { return a.costs < b.costs; });
  const auto first = static_cast<std::size_t>(cheapest - mergers_.begin());
  const std::size_t second = cheapest->other;
  std::size_t split = clusters_.size();
  for (std::size_t k = 0; k < clusters_.size(); ++k)
    if (k != first && k != second &&
        (split == clusters_.size() || splits_[k].gains > splits_[split].gains))
      split = k;
  const Real gains = splits_[split].gains;
  if (!(gains > 0.0 && gains > worthWhile * cheapest->costs)) return false;
  clusters_[first] = std::move(cheapest->both);
  clusters_[second] = std::move(splits_[split].parts[0]);
  clusters_[split] = std::move(splits_[split].parts[1]);

  const auto changed = [&](std::size_t k) { return k == first || k == second || k == split; };
  for (const std::size_t k : {first, second, split}) weigh(k);
  for (std::size_t k = 0; k < clusters_.size(); ++k) {
    if (changed(k) || changed(mergers_[k].other)) findMerger(k);
    if (changed(k)) findSplit(k);
  }
  return true;
}

void SurfaceDivision::AreaExchange::run() {
  if (clusters_.size() < 3) return;
  for (std::size_t k = 0; k < clusters_.size(); ++k) weigh(k);
  for (std::size_t k = 0; k < clusters_.size() && !division_.cancelled(); ++k) {
    findMerger(k);
    findSplit(k);
  }
  // Each exchange lowers the score; after many, the gain is negligible
  for (std::size_t i = 0; i < clusters_.size() && !division_.cancelled() && exchangeBest(); ++i) {
  }
}

/// Merges and splits clusters as long as this lowers the area-weighted mean.
void SurfaceDivision::exchangeByArea(Clusters& clusters) { AreaExchange(*this, clusters).run(); }

/// Returns the best result among the given clusters and a few rounds of exchanges. Pieces are
/// reassigned before each round.
std::vector<PieceCluster> SurfaceDivision::evenByArea(Clusters clusters) {
  const std::size_t count = clusters.size();
  Clusters best = clusters;
  Real least = score(clusters);
  for (int pass = 0; pass < exchangePasses && !cancelled(); ++pass) {
    if (pass > 0) {
      std::vector<Real> reach;
      for (const PieceCluster& cluster : clusters)
        reach.push_back(reachShare * cluster.ball.radius);
      reassign(reach, clusters);
    }
    handOver(clusters);
    splitUpTo(count, clusters);
    exchangeByArea(clusters);
    handOver(clusters);
    splitUpTo(count, clusters);
    const Real now = score(clusters);
    if (now >= least) continue;
    least = now;
    best = clusters;
  }
  return best;
}

}  // namespace nearmiss
