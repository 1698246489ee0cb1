// SPDX-License-Identifier: MIT
/// A ray in the frame of a body, and the part of it that can hit a hierarchy of boxes.
#pragma once

#include <nearmiss/ray.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Exact arithmetic requires numbers within a range; smaller ones are equivalent to 0 compared with
/// the surface of a mesh.
[[nodiscard]] inline Vec3 withoutDust(Vec3 v) noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (std::abs(v[axis]) < minMagnitude) v[axis] = 0.0;
  return v;
}

/// Returns a world point in the frame of a body: the doubles to which exact results refer.
[[nodiscard]] inline Vec3 seenFrom(const Pose& pose, const Vec3& point) noexcept {
  return withoutDust(glm::conjugate(pose.rotation) * (point - pose.position));
}

/// A ray in the body frame. The direction is scaled by a power of two, and t with it, so that its
/// largest coordinate is from 0.5 to 2.
/// @pre The ray is valid.
struct LocalRay {
  LocalRay() = default;
  LocalRay(const Pose& pose, const Ray& ray) noexcept : origin(seenFrom(pose, ray.origin)) {
    const Vec3 size = glm::abs(ray.direction);
    exponent = std::ilogb(std::max({size.x, size.y, size.z}));
    for (int axis = 0; axis < 3; ++axis)
      direction[axis] = std::scalbn(ray.direction[axis], -exponent);
    direction = withoutDust(glm::conjugate(pose.rotation) * direction);
    end = local(ray.end);
    radius = ray.radius;
  }

  [[nodiscard]] Vec3 at(Real t) const noexcept { return origin + t * direction; }
  /// Converts a local t to that of the given ray, and back.
  [[nodiscard]] Real given(Real t) const noexcept { return std::scalbn(t, -exponent); }
  [[nodiscard]] Real local(Real t) const noexcept { return std::scalbn(t, exponent); }

  Vec3 origin{0.0}, direction{0.0, 0.0, -1.0};
  Real end = 0.0, radius = 0.0;
  int exponent = 0;
};

/// The point at which a ray comes near a hierarchy. Computing relative to it, distance from the
/// ray's start costs no digits.
struct RayApproach {
  RayApproach() = default;
  /// @param widened metres around everything in the hierarchy
  RayApproach(const LocalRay& ray, const WideBoxes& boxes, Real widened) noexcept {
    constexpr Real epsilon = std::numeric_limits<Real>::epsilon();
    const Vec3 to = boxes.middle() - ray.origin;
    const Real square = glm::dot(ray.direction, ray.direction);
    const Real foot = glm::dot(to, ray.direction) / square;
    const Real size = glm::length(to) + glm::length(boxes.middle()) + glm::length(ray.origin);
    off = 2.0 * epsilon * (size + std::abs(foot)) + boxes.unit() * boxes.rounding();
    // The centre of the boxes is at most this far from any point of them
    const Real around = 1.75 * boxes.unit() + widened;
    start = std::max(foot - (around + 16.0 * off) / std::sqrt(square), 0.0);
    near = ray.at(start);
    const Vec3 between = glm::abs(near - boxes.middle());
    reach = boxes.unit() + std::max({between.x, between.y, between.z}) + off;
  }

  Real start = 0.0;  ///< local t before which nothing is hit
  Vec3 near{0.0};    ///< the ray at `start`, within `off` metres in each coordinate
  Real off = 0.0;
  Real reach = 0.0;  ///< metres, in each coordinate, from `near` to any point of the boxes
};

}  // namespace nearmiss
