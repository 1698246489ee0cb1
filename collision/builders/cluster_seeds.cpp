// SPDX-License-Identifier: MIT
#include "builders/clusters.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss {
namespace {

/// Maximum number of sampled pieces and of sampled balls. Every pair of them is examined.
constexpr std::size_t maxPieces = 256;
constexpr std::size_t maxBalls = 192;
/// The share of the area to cover. The rest goes to the nearest ball.
constexpr float nearlyAll = 0.99f;
constexpr int bisections = 7;

/// Returns about `most` items of a list, evenly spaced.
template <class T>
void thin(std::vector<T>& list, std::size_t most) {
  if (list.size() <= most) return;
  for (std::size_t i = 0; i < most; ++i) list[i] = list[i * list.size() / most];
  list.resize(most);
}

class CoverSearch {
 public:
  CoverSearch(std::span<const Sphere> balls, std::span<const SurfacePiece> pieces,
              std::span<const std::uint32_t> members);

  [[nodiscard]] std::vector<Sphere> best(std::size_t count);

 private:
  bool cover(std::size_t count, float growth);

  std::vector<Sphere> near_;  ///< candidate balls
  std::vector<float> areas_;  ///< of the sampled pieces; they add up to 1
  /// per ball and piece: from the ball to the middle of the piece, metres
  std::vector<float> gaps_;
  Real size_ = 0.0;          ///< diagonal of the bounding box of the pieces
  std::vector<float> left_;  ///< areas not covered yet
  std::vector<float> sums_;  ///< per ball: upper bound of what it covers of them
  std::vector<std::size_t> chosen_;
};

CoverSearch::CoverSearch(std::span<const Sphere> balls, std::span<const SurfacePiece> pieces,
                         std::span<const std::uint32_t> members) {
  std::vector<std::uint32_t> some(members.begin(), members.end());
  thin(some, maxPieces);
  Box box;
  Real area = 0.0;
  for (const std::uint32_t i : some) {
    box.include(pieces[i].middle);
    area += areaOf(pieces[i]);
  }
  for (const std::uint32_t i : some)
    areas_.push_back(area > 0.0 ? static_cast<float>(areaOf(pieces[i]) / area)
                                : 1.0f / static_cast<float>(some.size()));
  const Vec3 extent = box.extent();
  size_ = glm::length(extent);

  // A ball is a candidate if it nearly touches one of the pieces
  const Real touch = 0.1 * size_;
  std::vector<std::size_t> over;
  for (std::size_t b = 0; b < balls.size(); ++b) {
    const Sphere& ball = balls[b];
    const Vec3 beside = glm::max(glm::max(box.low - ball.centre, ball.centre - box.high), 0.0);
    if (glm::length(beside) > ball.radius + touch) continue;
    const auto touches = [&](std::uint32_t i) {
      const Real reach = ball.radius + touch;
      const Vec3 from = pieces[i].middle - ball.centre;
      return glm::dot(from, from) <= reach * reach;
    };
    if (std::any_of(some.begin(), some.end(), touches)) over.push_back(b);
  }
  thin(over, maxBalls);
  for (const std::size_t b : over) {
    near_.push_back(balls[b]);
    for (const std::uint32_t i : some)
      gaps_.push_back(
          static_cast<float>(glm::distance(pieces[i].middle, balls[b].centre) - balls[b].radius));
  }
}

/// Chooses balls, grown by `growth`. Returns whether they cover enough.
bool CoverSearch::cover(std::size_t count, float growth) {
  chosen_.clear();
  left_ = areas_;
  sums_.assign(near_.size(), std::numeric_limits<float>::infinity());
  float covered = 0.0f;
  while (chosen_.size() < count && covered < nearlyAll) {
    float most = 0.0f;
    std::size_t best = near_.size();
    for (std::size_t b = 0; b < near_.size(); ++b) {
      // The uncovered area that a ball covers can only decrease, so its old sum is an upper bound
      if (sums_[b] <= most) continue;
      const float* gaps = &gaps_[b * areas_.size()];
      float sum = 0.0f;
      for (std::size_t i = 0; i < left_.size(); ++i) sum += gaps[i] <= growth ? left_[i] : 0.0f;
      sums_[b] = sum;
      if (sum <= most) continue;
      most = sum;
      best = b;
    }
    if (best == near_.size()) break;
    for (std::size_t i = 0; i < left_.size(); ++i)
      if (gaps_[best * areas_.size() + i] <= growth) left_[i] = 0.0f;
    covered += most;
    chosen_.push_back(best);
  }
  return covered >= nearlyAll;
}

std::vector<Sphere> CoverSearch::best(std::size_t count) {
  std::vector<std::size_t> best;
  float low = 0.0f, high = static_cast<float>(size_);
  for (int i = 0; i < bisections; ++i) {
    const float growth = 0.5f * (low + high);
    if (cover(count, growth)) {
      high = growth;
      best = chosen_;
    } else {
      low = growth;
    }
  }
  std::vector<Sphere> seeds;
  for (const std::size_t b : best) seeds.push_back({near_[b].centre, near_[b].radius + high});
  return seeds;
}

}  // namespace

std::vector<Sphere> coverSeeds(std::span<const Sphere> balls, std::span<const SurfacePiece> pieces,
                               std::span<const std::uint32_t> members, std::size_t count) {
  return CoverSearch(balls, pieces, members).best(count);
}

std::vector<PieceCluster> farthestSeeds(std::span<const SurfacePiece> pieces,
                                        std::span<const std::uint32_t> members, std::size_t count,
                                        int start) {
  std::vector<PieceCluster> clusters;
  std::vector<Real> nearest(members.size(), unlimited);
  Vec3 mean(0.0);
  for (const std::uint32_t i : members) mean += pieces[i].middle;
  mean /= static_cast<Real>(members.size());
  // The start point is the mean or some piece. Odd starts keep it as the first seed; even starts
  // use it only to find the farthest piece
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
