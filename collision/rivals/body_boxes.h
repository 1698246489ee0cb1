// SPDX-License-Identifier: MIT
/// Boxes around bodies: of fixed size around the bounding sphere, or refitted as the body rotates.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <glm/gtc/quaternion.hpp>

#include <cmath>
#include <limits>

namespace nearmiss {

/// Returns a box that contains the bounding sphere, rounding included: bodies whose spheres overlap
/// have boxes that overlap. A body with NaN or numbers too large to compute with gets all of space.
[[nodiscard]] inline Box fixedBoxOf(const BodyState& body) noexcept {
  constexpr Real largest = 1e140;
  const Vec3& centre = body.pose.position;
  const bool sound = std::abs(centre.x) < largest && std::abs(centre.y) < largest &&
                     std::abs(centre.z) < largest && std::abs(body.shape.radius()) < largest;
  Box box;
  if (!sound) {
    constexpr Real endless = std::numeric_limits<Real>::infinity();
    box.low = Vec3(-endless);
    box.high = Vec3(endless);
    return box;
  }
  const Real radius = std::abs(body.shape.radius()) * (1.0 + 1e-12) + 1e-15;
  const Vec3 reach = radius + 1e-15 * glm::abs(centre);
  box.low = centre - reach;
  box.high = centre + reach;
  return box;
}

/// Returns false for a box that contains all of space.
[[nodiscard]] inline bool bounded(const Box& box) noexcept {
  return box.low.x > -std::numeric_limits<Real>::infinity();
}

/// Returns a box that contains all points in the bounding sphere and in `shapeBox`, rounding
/// included. `shapeBox` is about the body's centre of rotation and rotates with it. Falls back to
/// the box around the sphere if numbers are too large or NaN.
/// @pre the rotation is of unit length to 1e-9
[[nodiscard]] inline Box turningBoxOf(const BodyState& body, const Box& shapeBox) noexcept {
  Box box = fixedBoxOf(body);
  if (!bounded(box)) return box;
  const Vec3 half = 0.5 * shapeBox.extent();
  const auto turn = glm::mat3_cast(body.pose.rotation);
  const Vec3 centre = body.pose.position + turn * shapeBox.centre();
  // On each axis, the sum of what the half edges reach in either direction
  Vec3 reach(0.0);
  for (int edge = 0; edge < 3; ++edge) reach += glm::abs(turn[edge]) * half[edge];
  reach += 1e-8 * (glm::length(half) + glm::length(shapeBox.centre())) +
           1e-15 * glm::abs(body.pose.position) + 1e-15;
  const Box turned{centre - reach, centre + reach};
  // The negations keep the sphere's box if there is a NaN
  for (int axis = 0; axis < 3; ++axis) {
    if (turned.low[axis] > box.low[axis]) box.low[axis] = turned.low[axis];
    if (turned.high[axis] < box.high[axis]) box.high[axis] = turned.high[axis];
  }
  return box;
}

}  // namespace nearmiss
