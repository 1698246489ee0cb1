// SPDX-License-Identifier: MIT
/// How the volumes of one body lie in the frame of another.
#pragma once

#include <nearmiss/math.h>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

namespace nearmiss {

/// From the frame of b to that of a.
struct VolumeMotion {
  VolumeMotion(const Pose& bToA, Real doubt) noexcept
      : axes(glm::mat3_cast(bToA.rotation)), position(bToA.position), slack(doubt) {}

  [[nodiscard]] Vec3 operator()(const Vec3& own) const noexcept { return axes * own + position; }

  glm::dmat3 axes;  ///< b's, in the frame of a
  Vec3 position;
  /// Metres: far more than rounding can move a point of either body. Only what is farther apart is
  /// called so.
  Real slack;
};

}  // namespace nearmiss
