// SPDX-License-Identifier: MIT
/// What no query can work with in a pose: NaN would compare false with everything, and so pass for
/// separate.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>
#include <limits>

namespace nearmiss {

/// How far from 1 the square of a unit's length may be: some hundred roundings.
inline constexpr Real unitTolerance = 1e-9;

/// True if check(pose) succeeds.
[[nodiscard]] inline bool isSound(const Pose& pose) noexcept {
  return isWithin(pose.position, maxPoseMagnitude) &&
         std::abs(glm::dot(pose.rotation, pose.rotation) - 1.0) <= unitTolerance;
}

/// Ends the program with the sentence of check(pose) unless the pose is sound.
inline void demandSound(const Pose& pose) {
  NEARMISS_DEMAND(isSound(pose), check(pose).error().message);
}

/// The same pose with a rotation of unit length: a sound one may stretch what is far away by 1e-9
/// of its distance. As it is where only some roundings are between them.
[[nodiscard]] inline Pose withUnitRotation(const Pose& pose) noexcept {
  constexpr Real roundings = 8.0 * std::numeric_limits<Real>::epsilon();
  const Real square = glm::dot(pose.rotation, pose.rotation);
  if (std::abs(square - 1.0) <= roundings) return pose;
  return {pose.position, pose.rotation / std::sqrt(square)};
}

}  // namespace nearmiss
