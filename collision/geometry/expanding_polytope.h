// SPDX-License-Identifier: MIT
/// Penetration depth and direction of two convex polytopes, by the expanding polytope algorithm
/// [VDB01].
#pragma once

#include "geometry/gjk.h"

namespace nearmiss {

/// The shortest translation that separates two polytopes, with lower and upper bounds.
struct ConvexPenetration {
  Real lower = 0.0;  ///< metres: no shorter translation separates them
  Real upper = 0.0;  ///< metres: if b moves by this much along `direction`, they touch at most
  /// Unit vector. If the polytopes do not meet: zero, or a direction along which a gap was found.
  Vec3 direction{0.0};
  Real gap = 0.0;  ///< metres: that gap, if they do not meet
  bool meet = false;
  bool flat = false;  ///< both lie in one plane and meet in it; `direction` is its normal
  int steps = 0;
};

/// Expands a polytope inside the Minkowski difference, around the origin, until its nearest face is
/// a face of the difference. Ends after a bounded number of steps with both bounds.
[[nodiscard]] ConvexPenetration penetrationOf(const ConvexPair& pair);

}  // namespace nearmiss
