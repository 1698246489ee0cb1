// SPDX-License-Identifier: MIT
/// Penetration depth under a budget of counted work, so that tests end soon and repeat exactly.
#pragma once

#include <nearmiss/pair.h>

#include <chrono>

namespace nearmiss::test {

/// Most pairs finish within this much work.
inline constexpr Clock::Duration penetrationWork = std::chrono::milliseconds(100);

inline PenetrationBounds boundedPenetration(const Shape& a, const Pose& poseA, const Shape& b,
                                            const Pose& poseB) {
  WorkClock clock;
  return penetration(a, poseA, b, poseB, TimeBudget(clock, penetrationWork));
}

}  // namespace nearmiss::test
