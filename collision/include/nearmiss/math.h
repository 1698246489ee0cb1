// SPDX-License-Identifier: MIT
/// Scalars, vectors, rigid poses, spheres and boxes, used by every header of this library.
#pragma once

#include <nearmiss/result.h>

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/vec3.hpp>
#include <limits>

namespace nearmiss {

/// The precision of all geometry, so that bounds stay valid. Only packed nodes and the renderer use
/// float.
using Real = double;
using Vec3 = glm::dvec3;
using Quat = glm::dquat;

/// Maximum magnitude of any coordinate of a pose (metres) or velocity (metres or radians per
/// second). Fourth powers of such lengths are finite.
inline constexpr Real maxPoseMagnitude = 1e60;

/// Returns true if each coordinate is from -limit to limit; false for NaN.
[[nodiscard]] inline bool isWithin(const Vec3& v, Real limit) noexcept {
  return std::abs(v.x) <= limit && std::abs(v.y) <= limit && std::abs(v.z) <= limit;
}

/// A rigid transform from the body frame to the world frame: world = rotation * own + position.
struct Pose {
  Vec3 position{0.0};                     ///< metres, each coordinate within maxPoseMagnitude
  Quat rotation = glm::identity<Quat>();  ///< unit length
  friend bool operator==(const Pose& a, const Pose& b) noexcept {
    return a.position == b.position && a.rotation == b.rotation;
  }
};

/// Checks that a pose is valid input. Errors: OutOfMemory; Unsupported (a position that is not
/// finite or beyond maxPoseMagnitude, a rotation that is not of unit length), in a sentence such as
/// "position.y is nan, but must be finite".
Result<Success> check(const Pose& pose);

[[nodiscard]] inline Vec3 transformed(const Pose& pose, const Vec3& own) noexcept {
  return pose.rotation * own + pose.position;
}

/// Returns the pose `inner`, given in the frame of `outer`, in the frame in which `outer` is given.
/// Equivalent to transformed() by `inner`, then by `outer`.
[[nodiscard]] inline Pose composed(const Pose& outer, const Pose& inner) noexcept {
  return {transformed(outer, inner.position), glm::normalize(outer.rotation * inner.rotation)};
}

/// Returns the pose of `b` in the frame of `a`. Computed once per pair, so that only one of the two
/// bodies is transformed. Every narrow phase transforms the points of `b` by transformed() with
/// this pose. "Exact" refers to the resulting doubles.
[[nodiscard]] inline Pose relativePose(const Pose& a, const Pose& b) noexcept {
  const Quat toA = glm::conjugate(a.rotation);
  return {toA * (b.position - a.position), toA * b.rotation};
}

/// All points with |p - centre| <= radius. A negative radius is the empty sphere.
struct Sphere {
  Vec3 centre{0.0};    ///< metres
  Real radius = -1.0;  ///< metres
};

/// Returns the overlap depth of two spheres: r1 + r2 - |c1 - c2|. 0 if they touch, which counts as
/// overlap; negative: the gap.
[[nodiscard]] inline Real overlap(const Sphere& a, const Sphere& b) noexcept {
  return a.radius + b.radius - glm::distance(a.centre, b.centre);
}

/// A closed axis-aligned box. Initially empty: low above high.
struct Box {
  Vec3 low{std::numeric_limits<Real>::infinity()};
  Vec3 high{-std::numeric_limits<Real>::infinity()};

  void include(const Vec3& p) noexcept {
    low = glm::min(low, p);
    high = glm::max(high, p);
  }
  void include(const Box& b) noexcept {
    low = glm::min(low, b.low);
    high = glm::max(high, b.high);
  }
  [[nodiscard]] bool empty() const noexcept { return low.x > high.x; }
  [[nodiscard]] Vec3 centre() const noexcept { return 0.5 * (low + high); }
  [[nodiscard]] Vec3 extent() const noexcept { return high - low; }
  [[nodiscard]] bool contains(const Vec3& p) const noexcept {
    return p.x >= low.x && p.y >= low.y && p.z >= low.z && p.x <= high.x && p.y <= high.y &&
           p.z <= high.z;
  }
};

/// Returns true if the boxes overlap or touch.
[[nodiscard]] inline bool overlap(const Box& a, const Box& b) noexcept {
  return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
         a.low.z <= b.high.z && b.low.z <= a.high.z;
}

}  // namespace nearmiss
