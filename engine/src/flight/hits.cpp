// SPDX-License-Identifier: MIT
#include <engine/flight/hits.h>

#include "flight/ship_distance.h"

namespace nearmiss::engine {

Hits::Hits() : distance_(std::make_unique<ShipDistance>()) {}
Hits::Hits(Hits&&) noexcept = default;
Hits& Hits::operator=(Hits&&) noexcept = default;
Hits::~Hits() = default;

void Hits::take(const FrameOutput& output, std::size_t user, const Shapes& shapes) {
  hits_.clear();
  for (const Collision& collision : output.collisions) {
    if (collision.a != user && collision.b != user) continue;
    const Refinement& found = collision.refinement;
    Hit hit{collision.a == user ? collision.b : collision.a,
            collision.time,
            found.stage,
            found.level,
            found.canRefine,
            0.0};
    // What is proven needs no second look. Bounds that did not meet in time prove nothing
    if (found.verdict != Verdict::Contact) {
      const BodyState &a = output.bodies[collision.a], &b = output.bodies[collision.b];
      const DistanceBounds bounds = distance_->between(
          a, collision.poseA, b, collision.poseB, shapes, std::numeric_limits<Real>::infinity());
      if (bounds.lower > 0.0) hit.gap = bounds.upper;
    }
    hits_.push_back(hit);
  }
}

}  // namespace nearmiss::engine
