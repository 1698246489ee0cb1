// SPDX-License-Identifier: MIT
#include "flight/ship_distance.h"

#include <algorithm>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

constexpr Clock::Duration mostWork{500'000};

/// linkOf() for a ship in another pose.
Link linkIn(const BodyState& ship, const Pose& pose, std::uint32_t link) noexcept {
  if (ship.links.empty()) return {ship.shape, pose};
  return {ship.links[link].shape, composed(pose, ship.links[link].pose)};
}

}  // namespace

DistanceBounds ShipDistance::between(const BodyState& a, const Pose& poseA, const BodyState& b,
                                     const Pose& poseB, const Shapes& shapes, Real within) {
  DistanceBounds nearest;
  Real lower = std::numeric_limits<Real>::infinity();
  for (std::uint32_t i = 0; i < linkCount(a); ++i) {
    const Link partA = linkIn(a, poseA, i);
    for (std::uint32_t j = 0; j < linkCount(b); ++j) {
      const Link partB = linkIn(b, poseB, j);
      // Parts that are too far apart by their spheres are not compared
      const Real gap = glm::distance(partA.pose.position, partB.pose.position) -
                       partA.shape.radius() - partB.shape.radius();
      if (gap > within) {
        lower = std::min(lower, gap);
        continue;
      }
      ++comparisons_;
      const TimeBudget budget(clock_, mostWork);
      query_.begin(shapes[partA.shape.id()], partA.pose, shapes[partB.shape.id()], partB.pose);
      DistanceBounds bounds = query_.refineUntil(within, budget);
      if (bounds.upper <= within) bounds = query_.refine(budget);
      lower = std::min(lower, bounds.lower);
      if (bounds.upper < nearest.upper) nearest = bounds;
    }
  }
  nearest.lower = lower;
  return nearest;
}

}  // namespace nearmiss::engine
