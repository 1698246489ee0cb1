// SPDX-License-Identifier: MIT
/// Finds one point for a contact without vertices and edges, such as a needle through a plate.
#pragma once

#include <nearmiss/pair.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "contact/crossing_sample.h"
#include "pair/inner_balls.h"
#include "pair/shared_depth.h"
#include "pair/two_bodies.h"

namespace nearmiss {

/// A search in small steps for the point that is deepest in both bodies.
class DeepestPoint {
 public:
  /// All arguments must outlive it.
  /// @param crossings some intersection points of both surfaces, frame of a; not empty
  DeepestPoint(const TwoBodies& bodies, const InnerBalls& ballsA, const InnerBalls& ballsB,
               const CrossingSample& crossings);

  /// Advances by the smallest possible step. Returns false when the search is finished.
  bool step();

  /// Returns the contact at the deepest point found: points on both surfaces along the way out,
  /// frame of a, without an id. Empty if no point is deeper than rounding.
  [[nodiscard]] std::optional<ManifoldPoint> found();

  /// Returns a proven depth, metres: no shorter translation separates two solids. 0 if unknown.
  [[nodiscard]] Real certainDepth() const noexcept {
    return climb_ && climb_->best.radius > 0.0 ? climb_->best.radius : 0.0;
  }

  /// Returns the number of bound tests since the last call.
  [[nodiscard]] std::uint64_t takeWork() noexcept { return shared_.takeWork(); }

 private:
  void tryMiddle(const Vec3& middle);

  const TwoBodies* bodies_;
  Real slack_;
  Real reach_;  ///< initial step of the climb, metres
  SharedDepth shared_;
  ContactBall begin_;  ///< the deepest known point at intersections or between them
  std::array<Vec3, 13> middles_;
  std::size_t middlesLeft_ = 0;      ///< not tried yet
  std::optional<DepthClimb> climb_;  ///< starts after the inner balls were tested
};

}  // namespace nearmiss
