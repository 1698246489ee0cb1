// SPDX-License-Identifier: MIT
/// Balls as nodes of a hierarchy of volumes.
#pragma once

#include <nearmiss/math.h>

#include <span>

#include "volumes/volume_motion.h"

namespace nearmiss {

struct BallVolume {
  using Motion = VolumeMotion;
  Sphere ball;

  /// Around the points; not the least, but about the middle of their box.
  [[nodiscard]] static BallVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return ball; }
  /// The distance from `point` to the farthest point of the volume.
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::distance(point, ball.centre) + ball.radius;
  }
  friend bool apart(const BallVolume& a, const BallVolume& b, const VolumeMotion& motion) noexcept {
    return overlap(a.ball, {motion(b.ball.centre), b.ball.radius}) < -motion.slack;
  }
};

}  // namespace nearmiss
