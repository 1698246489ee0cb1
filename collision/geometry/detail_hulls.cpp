// SPDX-License-Identifier: MIT
#include "geometry/detail_hulls.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "geometry/convex_hull.h"
#include "geometry/convex_polytope.h"
#include "geometry/gjk.h"
#include "geometry/lin_canny.h"

namespace nearmiss {
namespace {

/// With fewer corners a walk is short enough without levels.
constexpr std::size_t fewCorners = 64;
/// Per level, the number of cells along an edge of a cube. The middles of the cells are the level's
/// directions.
constexpr int gridSides[] = {5, 2};

/// Returns the farthest corners in the directions of all cells of a cube, without duplicates, in
/// ascending order.
std::vector<std::uint32_t> farthestCorners(const ConvexPolytope& shape, int gridSide) {
  std::vector<std::uint32_t> corners;
  forEachCubeCell(gridSide, [&](const Vec3& middle) { corners.push_back(shape.farthest(middle)); });
  std::ranges::sort(corners);
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  return corners;
}

/// Returns the largest distance of a corner of `full` from `coarse`, rounded up.
Real excessOf(const ConvexPolytope& full, const ConvexPolytope& coarse) {
  Real excess = 0.0, size = 0.0;
  for (const Vec3& corner : full.vertices()) {
    const ConvexPolytope point(ConvexHull{{corner}, {}});
    excess =
        std::max(excess, gjkDistance(ConvexPair(coarse, point, glm::dmat3(1.0), Vec3(0.0))).upper);
    size = std::max(size, glm::distance(corner, full.vertices()[0]));
  }
  return excess + 1e-12 * size;
}

/// One of the two polytopes while both descend from level to level; level 0 is the polytope itself.
struct Descent {
  const DetailedPolytope& of;
  std::size_t level;

  [[nodiscard]] const ConvexPolytope& shape() const noexcept {
    return level == 0 ? of.full : of.coarser[level - 1].shape;
  }
  [[nodiscard]] Real excess() const noexcept {
    return level == 0 ? 0.0 : of.coarser[level - 1].excess;
  }
  /// Descends to the next level, if there are more than `depth` levels. Replaces a feature by its
  /// corner on that level.
  void descendTo(std::size_t depth, ConvexFeature& feature) noexcept {
    if (level <= depth) return;
    const std::uint32_t corner = cornerOf(shape(), feature);
    feature = {ConvexFeature::Kind::Vertex, of.coarser[level - 1].finer[corner]};
    --level;
  }
};

}  // namespace

DetailHulls::DetailHulls(const ConvexPolytope& full) {
  for (const int gridSide : gridSides) {
    const ConvexPolytope& finer = levels_.empty() ? full : levels_.back().shape;
    if (finer.flat() || finer.vertices().size() < fewCorners) return;
    std::vector<Vec3> points;
    for (const std::uint32_t corner : farthestCorners(finer, gridSide))
      points.push_back(finer.vertices()[corner]);
    if (2 * points.size() > finer.vertices().size()) continue;
    Level level{ConvexPolytope(convexHull(points)), {}, 0.0};
    if (level.shape.flat()) return;
    for (const Vec3& corner : level.shape.vertices()) {
      const auto same = std::ranges::find(finer.vertices(), corner);
      level.finer.push_back(static_cast<std::uint32_t>(same - finer.vertices().begin()));
    }
    level.excess = excessOf(full, level.shape);
    levels_.push_back(std::move(level));
  }
}

ConvexDistance detailedDistance(const DetailedPolytope& a, const DetailedPolytope& b,
                                const glm::dmat3& axesOfB, const Vec3& positionOfB, Real enough,
                                ClosestFeatures& features) {
  Descent ofA{a, a.coarser.size()}, ofB{b, b.coarser.size()};
  int steps = 0;
  for (std::size_t depth = std::max(ofA.level, ofB.level);; --depth) {
    const ConvexPair pair(ofA.shape(), ofB.shape(), axesOfB, positionOfB);
    if (depth == std::max(a.coarser.size(), b.coarser.size())) features = featuresTowards(pair);
    ConvexDistance found = linCannyDistance(pair, features);
    steps = found.steps += steps;
    const Real lower = found.lower - ofA.excess() - ofB.excess();
    if (depth == 0 || found.meet || lower > enough) {
      if (!found.meet) found.lower = lower;
      while (ofA.level > 0) ofA.descendTo(ofA.level - 1, features.a);
      while (ofB.level > 0) ofB.descendTo(ofB.level - 1, features.b);
      return found;
    }
    ofA.descendTo(depth - 1, features.a);
    ofB.descendTo(depth - 1, features.b);
  }
}

}  // namespace nearmiss
