// SPDX-License-Identifier: MIT
/// Scalars, vectors and rigid poses used by every header of this library.
#pragma once

#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>

namespace nearmiss {

/// One precision for all geometry: bounds must stay bounds, so float begins only inside packed
/// nodes and at the renderer.
using Real = double;
using Vec3 = glm::dvec3;
using Quat = glm::dquat;

/// Rigid motion from a body's own frame to the world: world = rotation * own + position.
struct Pose {
  Vec3 position{0.0};                     ///< metres
  Quat rotation = glm::identity<Quat>();  ///< unit length
};

[[nodiscard]] inline Vec3 transformed(const Pose& pose, const Vec3& own) noexcept {
  return pose.rotation * own + pose.position;
}

/// Where a pose in the frame of another is: transformed() by both, the inner one first.
[[nodiscard]] inline Pose composed(const Pose& outer, const Pose& inner) noexcept {
  return {transformed(outer, inner.position), glm::normalize(outer.rotation * inner.rotation)};
}

/// The pose of `b` as seen from the frame of `a`. Computed once per pair, so that only one of the
/// two bodies is ever moved. Every narrow phase moves the points of `b` by transformed() with this
/// pose: the doubles that come out are the coordinates that "exact" refers to.
[[nodiscard]] inline Pose relativePose(const Pose& a, const Pose& b) noexcept {
  const Quat toA = glm::conjugate(a.rotation);
  return {toA * (b.position - a.position), toA * b.rotation};
}

}  // namespace nearmiss
