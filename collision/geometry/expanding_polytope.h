// SPDX-License-Identifier: MIT
/// The penetration depth of two convex polytopes, and its direction, by an expanding polytope
/// [VDB01].
#pragma once

#include "geometry/gjk.h"

namespace nearmiss {

/// The shortest translation that separates them, between two bounds.
struct ConvexPenetration {
  Real lower = 0.0;  ///< metres: no shorter translation separates them
  Real upper = 0.0;  ///< metres: b moved by this much along `direction` touches a at most
  /// Unit vector; if they do not meet, zero or one along which a gap was seen.
  Vec3 direction{0.0};
  Real gap = 0.0;  ///< metres, if they do not meet: that gap
  bool meet = false;
  bool flat = false;  ///< they meet in one plane that holds both, and `direction` is its normal
  int steps = 0;
};

/// A polytope inside the Minkowski difference grows about the origin until its nearest face is one
/// of the difference's. Ends after a bounded number of steps with both bounds.
[[nodiscard]] ConvexPenetration penetrationOf(const ConvexPair& pair);

}  // namespace nearmiss
