// SPDX-License-Identifier: MIT
/// The box around a body as it is turned now: refitted at every call, and no larger than the box
/// around its bounding sphere.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <glm/gtc/quaternion.hpp>

#include "broad/fixed_box.h"

namespace nearmiss {

/// Holds all points of `shapeBox`, which is about the body's centre of rotation and turns with it,
/// that lie in the bounding sphere, and all rounding. Falls back to the box around the sphere where
/// numbers are too large or NaN. @pre the rotation is of unit length to 1e-9
[[nodiscard]] inline Box turningBoxOf(const BodyState& body, const Box& shapeBox) noexcept {
  Box box = fixedBoxOf(body);
  if (!bounded(box)) return box;
  const Vec3 half = 0.5 * shapeBox.extent();
  const auto turn = glm::mat3_cast(body.pose.rotation);
  const Vec3 centre = body.pose.position + turn * shapeBox.centre();
  // On each axis as far as the half edges, whichever way they point, reach together
  Vec3 reach(0.0);
  for (int edge = 0; edge < 3; ++edge) reach += glm::abs(turn[edge]) * half[edge];
  reach += 1e-8 * (glm::length(half) + glm::length(shapeBox.centre())) +
           1e-15 * glm::abs(body.pose.position) + 1e-15;
  const Box turned{centre - reach, centre + reach};
  // The negations keep the sphere's box where there is a NaN
  for (int axis = 0; axis < 3; ++axis) {
    if (turned.low[axis] > box.low[axis]) box.low[axis] = turned.low[axis];
    if (turned.high[axis] < box.high[axis]) box.high[axis] = turned.high[axis];
  }
  return box;
}

}  // namespace nearmiss
