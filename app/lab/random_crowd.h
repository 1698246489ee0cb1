// SPDX-License-Identifier: MIT
/// Isothetic cubes at random positions, apart from each other: what the broad phase is measured on
/// [H93, "Performance"].
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/detail/split_mix.h>

#include <vector>

namespace nearmiss::app {

struct CrowdSettings {
  int count = 100;
  Real firstMeeting = 1.0;                    ///< about when two of them meet, seconds
  Real leastHalfEdge = 0.25, halfEdge = 0.5;  ///< of the cubes, metres
  Real speed = 1.0;                           ///< most along an axis, m/s
};

/// Cubes at rest in a cube of space, and how large it is.
struct Crowd {
  std::vector<BodyState> bodies;  ///< shape.radius() is of the sphere around the cube
  Real halfRange = 0.0;           ///< metres; the centres lie within, on every axis
};

/// The space is chosen so that by the theory of gases the first two meet at about `firstMeeting`,
/// but never so small that the cubes are crowded. Spheres around the cubes are disjoint.
[[nodiscard]] Crowd drawCrowd(SplitMix& random, const CrowdSettings& settings);

/// Of the cube whose sphere a body carries.
[[nodiscard]] Real halfEdgeOf(const BodyState& body) noexcept;

/// In the cube of so many metres about the origin.
[[nodiscard]] Vec3 drawInCube(SplitMix& random, Real half);

/// Of unit length, all alike.
[[nodiscard]] Vec3 drawDirection(SplitMix& random);

}  // namespace nearmiss::app
