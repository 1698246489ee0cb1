// SPDX-License-Identifier: MIT
#include "variational/cluster_seeds.h"

#include "variational/cover_seeds.h"

#include <algorithm>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

}  // namespace

std::vector<PieceCluster> farthestSeeds(std::span<const SurfacePiece> pieces,
                                        std::span<const std::uint32_t> members, std::size_t count,
                                        int start) {
  std::vector<PieceCluster> clusters;
  std::vector<Real> nearest(members.size(), infinite);
  Vec3 mean(0.0);
  for (const std::uint32_t i : members) mean += pieces[i].middle;
  mean /= static_cast<Real>(members.size());
  // The first seed is the piece farthest from the middle, or some other piece, and is forgotten in
  // odd starts
  Vec3 from = start / 2 == 0 ? mean
                             : pieces[members[static_cast<std::size_t>(start / 2) * 7919 *
                                              members.size() / 20011 % members.size()]]
                                   .middle;
  const bool counts = start % 2 != 0;
  if (counts) clusters.emplace_back().ball = {from, 0.0};
  for (std::size_t i = 0; i < members.size(); ++i)
    nearest[i] = glm::distance(pieces[members[i]].middle, from);
  while (clusters.size() < count) {
    const auto far = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) -
                                              nearest.begin());
    if (clusters.size() > 0 && nearest[far] <= 0.0) break;
    const Vec3 at = pieces[members[far]].middle;
    const bool first = clusters.empty();
    clusters.emplace_back().ball = {at, 0.0};
    for (std::size_t i = 0; i < members.size(); ++i) {
      const Real distance = glm::distance(pieces[members[i]].middle, at);
      nearest[i] = first ? distance : std::min(nearest[i], distance);
    }
  }
  return clusters;
}

std::vector<PieceCluster> coveringSeeds(std::span<const Sphere> balls,
                                        std::span<const SurfacePiece> pieces,
                                        std::span<const std::uint32_t> members, std::size_t count) {
  std::vector<PieceCluster> clusters;
  for (const Sphere& ball : coverSeeds(balls, pieces, members, count))
    clusters.emplace_back().ball = ball;
  return clusters;
}

}  // namespace nearmiss
