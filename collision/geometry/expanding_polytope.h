// SPDX-License-Identifier: MIT
/// How deep two convex polytopes reach into each other, and along which direction [VDB01].
#pragma once

#include "geometry/gjk.h"

namespace nearmiss {

/// The shortest translation that separates them, between two bounds.
struct ConvexPenetration {
  Real lower = 0.0;     ///< metres: no shorter translation parts them
  Real upper = 0.0;     ///< metres: b moved by so much along `direction` touches a at most
  Vec3 direction{0.0};  ///< unit vector; zero if they do not meet
  bool meet = false;
  int steps = 0;
};

/// A polytope inside the Minkowski difference grows about the origin until its nearest face is one
/// of the difference's. Ends after a bounded number of steps with both bounds.
[[nodiscard]] ConvexPenetration penetrationOf(const ConvexPair& pair);

}  // namespace nearmiss
