// SPDX-License-Identifier: MIT
/// How far the surfaces of two ships are from each other, with joints or without.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/distance.h>
#include <nearmiss/shape.h>

namespace nearmiss::engine {

class ShipDistance {
 public:
  /// Of two ships in other poses than their states have, their links as those have them: exact up
  /// to `within` metres, else only known to be more. Each pair of links may take 0.5 ms of counted
  /// work, so that equal ships get equal bounds on every machine; beyond it the bounds stay apart.
  [[nodiscard]] DistanceBounds between(const BodyState& a, const Pose& poseA, const BodyState& b,
                                       const Pose& poseB, const Shapes& shapes, Real within);
  /// Pairs of links whose surfaces were compared so far.
  [[nodiscard]] std::uint64_t comparisons() const noexcept { return comparisons_; }

 private:
  DistanceQuery query_;
  WorkClock clock_;
  std::uint64_t comparisons_ = 0;
};

}  // namespace nearmiss::engine
