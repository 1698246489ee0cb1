// SPDX-License-Identifier: MIT
/// Fitting as many balls as there were to all pieces at once: a part of SurfaceDivision.
#include "variational/piece_clusters.h"

#include <glm/geometric.hpp>
#include <limits>
#include <utility>

namespace nearmiss {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
/// Of a search from where a ball already lay.
constexpr Real shortStep = 0.12;
/// Of what a ball costs less than the mean: so much farther than its radius it reaches.
constexpr Real levelShare = 0.5;
constexpr int passes = 4;
/// Corners this near to the rim decide the radius; a thicker rim means many more pieces and gains
/// little more.
constexpr Real trimRim = 0.95;
constexpr int trimRounds = 1;
constexpr int lastTrimRounds = 3;

}  // namespace

/// Gives all pieces out anew: each goes to the ball whose centre is nearest, less what that ball
/// may reach.
void SurfaceDivision::reassign(std::span<const Real> reach, Clusters& clusters) {
  std::vector<std::uint32_t> ownerOf(fit_.pieces().size());
  std::vector<std::uint32_t> near;
  for (std::size_t k = 0; k < clusters.size(); ++k) {
    // A piece lies in its ball: no centre farther off than this can be the nearer one
    const Sphere& ball = clusters[k].ball;
    const Real most = 2.0 * ball.radius * (1.0 + 1e-9) - reach[k];
    near.clear();
    for (std::size_t j = 0; j < clusters.size(); ++j)
      if (j == k || glm::distance(ball.centre, clusters[j].ball.centre) <= most + reach[j])
        near.push_back(static_cast<std::uint32_t>(j));
    for (const std::uint32_t i : clusters[k].pieces) {
      const Vec3& p = fit_.pieces()[i].middle;
      Real least = infinite;
      for (const std::uint32_t j : near) {
        const Real distance = glm::distance(p, clusters[j].ball.centre) - reach[j];
        if (distance >= least) continue;
        least = distance;
        ownerOf[i] = j;
      }
    }
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

/// Balls that cost more than the mean give pieces away, balls that cost less take them.
void SurfaceDivision::levelOut(Clusters& clusters) {
  Real mean = 0.0;
  for (const PieceCluster& cluster : clusters) mean += cluster.cost;
  mean /= static_cast<Real>(clusters.size());
  std::vector<Real> reach;
  for (const PieceCluster& cluster : clusters)
    reach.push_back(cluster.ball.radius + levelShare * (mean - cluster.cost));
  reassign(reach, clusters);
}

/// Hands over, splits and merges to improve the clusters with the largest Hausdorff distance, each
/// time from pieces given out anew, and in the end cut where they decide radii.
std::vector<PieceCluster> SurfaceDivision::evenByWorst(Clusters clusters,
                                                       std::vector<SurfacePiece>& pieces,
                                                       std::vector<std::uint32_t>& cutFrom) {
  const std::size_t count = clusters.size();
  for (int pass = 0; pass < passes && !cancelled(); ++pass) {
    const bool last = pass + 1 == passes;
    if (pass > 0) levelOut(clusters);
    handOver(clusters);
    splitUpTo(count, clusters);
    // Halves of split balls are no good shape to end with
    const std::size_t exchanges = last ? 0 : count / 2;
    for (std::size_t i = 0; i < exchanges && !cancelled() && exchangeCheapest(clusters); ++i) {
    }
    if (pass == 0) continue;
    const auto cut = trim(pieces, clusters, last ? lastTrimRounds : trimRounds, trimRim);
    cutFrom.insert(cutFrom.end(), cut.begin(), cut.end());
  }
  splitUpTo(count, clusters);
  return clusters;
}

std::vector<PieceCluster> SurfaceDivision::even(std::vector<SurfacePiece>& pieces,
                                                std::vector<PieceCluster> clusters,
                                                const DivisionEffort& effort,
                                                std::vector<std::uint32_t>& cutFrom) {
  fit_.setPieces(pieces);
  begin(effort);
  for (PieceCluster& cluster : clusters) {
    if (cancelled()) return {};
    fit_.fit(cluster);
    fit_.search(cluster);
  }
  clusters = evenByWorst(std::move(clusters), pieces, cutFrom);
  // A level without outliers is the best to begin with for the mean, too
  if (effort.byArea) clusters = evenByArea(std::move(clusters));
  if (cancelled()) return {};
  for (PieceCluster& cluster : clusters) fit_.measure(cluster);
  return clusters;
}

}  // namespace nearmiss
