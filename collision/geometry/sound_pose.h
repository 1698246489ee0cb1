// SPDX-License-Identifier: MIT
/// Rejects poses that no query can handle. NaN compares false with everything, so such bodies would
/// seem separate.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>
#include <string>

namespace nearmiss {

/// Maximum deviation of a squared unit length from 1: some hundred rounding errors.
inline constexpr Real unitTolerance = 1e-9;

/// Returns true if check(pose) succeeds.
[[nodiscard]] inline bool isSound(const Pose& pose) noexcept {
  return isWithin(pose.position, maxPoseMagnitude) &&
         std::abs(glm::dot(pose.rotation, pose.rotation) - 1.0) <= unitTolerance;
}

/// Terminates the program unless the pose is valid. The message is that of check(pose) after the
/// name of the argument, such as "poseB: position.x is nan, but must be finite".
inline void demandSound(const Pose& pose, const char* argument) {
  NEARMISS_DEMAND(isSound(pose), argument + (": " + check(pose).error().message));
}

/// Returns the pose with a rotation of unit length. A valid pose may stretch distances by up to
/// 1e-9. Returns it unchanged if only a few rounding errors would be corrected.
[[nodiscard]] inline Pose withUnitRotation(const Pose& pose) noexcept {
  constexpr Real roundings = 8.0 * std::numeric_limits<Real>::epsilon();
  const Real square = glm::dot(pose.rotation, pose.rotation);
  if (std::abs(square - 1.0) <= roundings) return pose;
  return {pose.position, pose.rotation / std::sqrt(square)};
}

}  // namespace nearmiss
