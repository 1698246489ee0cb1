// SPDX-License-Identifier: MIT
/// One point for a contact in which no vertex and no edges take part, as of a needle through a
/// plate.
#pragma once

#include <nearmiss/contact_manifold.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "query/crossing_sample.h"
#include "query/inner_balls.h"
#include "query/shared_depth.h"
#include "query/two_bodies.h"

namespace nearmiss {

/// A search in small steps for the deepest point of both bodies.
class DeepestPoint {
 public:
  /// All must outlive it.
  /// @param crossings some points of both surfaces, frame of a; not empty
  DeepestPoint(const TwoBodies& bodies, const InnerBalls& ballsA, const InnerBalls& ballsB,
               const CrossingSample& crossings);

  /// As little as can be done at once. False where the search has ended.
  bool step();

  /// From the deepest point that was found, both surfaces along the way out; frame of a, without an
  /// id. Nothing where none is deeper than rounding.
  [[nodiscard]] std::optional<ManifoldPoint> found();

  /// No shorter translation parts two solids, metres; 0 if nothing is known.
  [[nodiscard]] Real certainDepth() const noexcept {
    return climb_ && climb_->best.radius > 0.0 ? climb_->best.radius : 0.0;
  }

  /// Work since the last call, in tests of bounds.
  [[nodiscard]] std::uint64_t takeWork() noexcept { return shared_.takeWork(); }

 private:
  void tryMiddle(const Vec3& middle);

  const TwoBodies* bodies_;
  Real slack_;
  Real reach_;  ///< metres that the climb tries at first
  SharedDepth shared_;
  ContactBall begin_;  ///< the deepest that is known where they cross, or between such points
  std::array<Vec3, 13> middles_;
  std::size_t middlesLeft_ = 0;      ///< to be tried
  std::optional<DepthClimb> climb_;  ///< after the inner balls have been looked at
};

}  // namespace nearmiss
