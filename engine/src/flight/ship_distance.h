// SPDX-License-Identifier: MIT
/// Distance between the surfaces of two ships, rigid or articulated.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/advanced/shapes.h>
#include <nearmiss/pair.h>
#include <nearmiss/shape.h>

namespace nearmiss::engine {

class ShipDistance {
 public:
  /// Computes the distance of two ships at the given poses, with links as in their states. Exact up
  /// to `within` metres; beyond that only a lower bound. Each pair of links has 0.5 ms of counted
  /// work, so that results are the same on every machine; if it runs out, the bounds stay apart.
  [[nodiscard]] DistanceBounds between(const BodyState& a, const Pose& poseA, const BodyState& b,
                                       const Pose& poseB, const Shapes& shapes, Real within);
  /// Number of link pairs compared so far.
  [[nodiscard]] std::uint64_t comparisons() const noexcept { return comparisons_; }

 private:
  DistanceQuery query_;
  WorkClock clock_;
  std::uint64_t comparisons_ = 0;
};

}  // namespace nearmiss::engine
