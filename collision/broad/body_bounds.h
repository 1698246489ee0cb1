// SPDX-License-Identifier: MIT
/// The final test of every broad phase that uses bounding spheres. All use it, so that their
/// results agree to the bit.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <glm/geometric.hpp>

#include "geometry/box_measures.h"

namespace nearmiss {

/// Returns true if both bodies are parts of one assembly. Such bodies never touch each other.
[[nodiscard]] inline bool sameAssembly(const BodyState& a, const BodyState& b) noexcept {
  return a.assembly != 0 && a.assembly == b.assembly;
}

/// Returns true if |c1 - c2|^2 <= (r1 + r2)^2; touching counts. False for bodies of one assembly.
[[nodiscard]] inline bool boundingSpheresMeet(const BodyState& a, const BodyState& b) noexcept {
  if (sameAssembly(a, b)) return false;
  const Vec3 between = a.pose.position - b.pose.position;
  const Real reach = a.shape.radius() + b.shape.radius();
  return glm::dot(between, between) <= reach * reach;
}

/// The same test for axis-aligned cubes whose half edge is the bodies' radius.
[[nodiscard]] inline bool boundingCubesMeet(const BodyState& a, const BodyState& b) noexcept {
  if (sameAssembly(a, b)) return false;
  const Real ra = a.shape.radius(), rb = b.shape.radius();
  return overlap(Box{a.pose.position - ra, a.pose.position + ra},
                 Box{b.pose.position - rb, b.pose.position + rb});
}

}  // namespace nearmiss
