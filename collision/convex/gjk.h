// SPDX-License-Identifier: MIT
/// The distance of convex polytopes by simplices in their Minkowski difference [GJK88].
#pragma once

#include "convex/convex_pair.h"

namespace nearmiss {

/// Exact up to rounding; ends after a bounded number of steps with both bounds whatever happens.
/// Stops as soon as the lower bound is above `enough` (metres).
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair, Real enough);
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair);

}  // namespace nearmiss
