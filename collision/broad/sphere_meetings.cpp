// SPDX-License-Identifier: MIT
#include "broad/sphere_meetings.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss {
namespace {

/// Upper bounds on errors: `roundingSlack` is for the distance of two spheres, relative to sizes
/// and positions. A rotation may stretch its body by 1e-9.
constexpr Real stretch = 1.0 + 4e-9, roundingSlack = 1e-12;
/// Minimum cell width, relative to the widest sphere: smaller spheres share cells.
constexpr Real minCell = 0x1p-40;

}  // namespace

void SphereMeetings::take(std::span<const BodyState> bodies, Real margin, Real growth) {
  balls_.clear();
  levels_.clear();
  Real minRadius = std::numeric_limits<Real>::infinity(), maxRadius = 0.0;
  for (const BodyState& body : bodies) {
    const Vec3& at = body.pose.position;
    const Real radius = stretch * ((1.0 + growth) * body.shape.radius() + 0.5 * margin) +
                        roundingSlack * (std::abs(at.x) + std::abs(at.y) + std::abs(at.z));
    balls_.push_back({at, radius});
    minRadius = std::min(minRadius, radius);
    maxRadius = std::max(maxRadius, radius);
  }
  if (balls_.size() <= few) return;
  constexpr Real minWidth = 1e-200;
  grid_.clear(balls_.size(), std::max({2.0 * minRadius, minCell * maxRadius, minWidth}));
  for (std::uint32_t i = 0; i < balls_.size(); ++i) {
    levels_.push_back(grid_.levelFor(2.0 * balls_[i].radius, balls_[i].centre));
    if (levels_[i] != Grid::noLevel) grid_.insert(i, balls_[i].centre, levels_[i]);
  }
}

}  // namespace nearmiss
