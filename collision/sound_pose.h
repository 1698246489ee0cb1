// SPDX-License-Identifier: MIT
/// What no query can work with in coordinates and poses: NaN would compare false with everything,
/// and so pass for separate.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <glm/gtc/quaternion.hpp>

namespace nearmiss {

/// How far from 1 the square of a unit's length may be: some hundred roundings.
inline constexpr Real unitTolerance = 1e-9;

/// True if each coordinate is from -limit to limit; false for NaN.
[[nodiscard]] inline bool isWithin(const Vec3& v, Real limit) noexcept {
  return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}

/// False for every pose in which faultIn() finds a fault, and for no other.
[[nodiscard]] inline bool isSound(const Pose& pose) noexcept {
  return isWithin(pose.position, maxPoseMagnitude) &&
         std::abs(glm::dot(pose.rotation, pose.rotation) - 1.0) <= unitTolerance;
}

}  // namespace nearmiss
