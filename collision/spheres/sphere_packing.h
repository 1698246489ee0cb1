// SPDX-License-Identifier: MIT
/// Converts a builder's doubles to the floats of a sphere tree, conservatively. Shared by all
/// builders.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/detail/assertion.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "base/float_rounding.h"

namespace nearmiss {

[[nodiscard]] inline Vec3 roundedToFloat(const Vec3& v) noexcept {
  return {nearestFloat(v.x), nearestFloat(v.y), nearestFloat(v.z)};
}

/// A pack without spheres.
[[nodiscard]] inline SpherePack emptyPack() noexcept {
  SpherePack pack{};
  for (float& r : pack.r) r = -1.0f;
  return pack;
}

[[nodiscard]] inline SphereLinks emptyLinks() noexcept {
  SphereLinks links{};
  for (std::uint32_t& child : links.childPack) child = SphereLinks::none;
  return links;
}

/// Adds a pack without spheres.
inline void addPack(SphereTree::Data& data) {
  data.packs.push_back(emptyPack());
  data.links.push_back(emptyLinks());
}

/// Returns a ball as it is stored: the centre is rounded to float, and the radius is increased so
/// that the ball still contains its contents despite rounding.
[[nodiscard]] inline Sphere storedBall(const Sphere& ball) noexcept {
  const Vec3 centre = roundedToFloat(ball.centre);
  return {centre, (ball.radius + glm::distance(centre, ball.centre)) * (1.0 + 1e-9)};
}

/// Stores a sphere whose centre is representable in float. Rounds the radius up.
/// @pre centre == roundedToFloat(centre)
inline void store(SpherePack& pack, int lane, const Sphere& sphere) noexcept {
  NEARMISS_ASSERT(sphere.centre == roundedToFloat(sphere.centre), lane);
  pack.x[lane] = static_cast<float>(sphere.centre.x);
  pack.y[lane] = static_cast<float>(sphere.centre.y);
  pack.z[lane] = static_cast<float>(sphere.centre.z);
  pack.r[lane] = floatAtLeast(sphere.radius);
}

/// Keeps identities and counts of packs only if spheres have several slots or more than one pack of
/// children.
inline void settleSharing(SphereTree::Data& data) {
  for (SphereId id = 0; id < data.identity.size(); ++id)
    if (data.identity[id] != id || data.childPackCount[id] > 1) return;
  data.identity.clear();
  data.childPackCount.clear();
}

}  // namespace nearmiss
