// SPDX-License-Identifier: MIT
/// The random sets of `lab projection`, and when their bounds first meet by the closed form.
#pragma once

#include <nearmiss/detail/split_mix.h>
#include <nearmiss/space_time_bound.h>

#include <optional>
#include <vector>

namespace nearmiss::app {

/// Bounds that are disjoint at first, and the planes that they look at.
struct BoundSet {
  std::vector<SpaceTimeBound> bounds;
  std::vector<CuttingPlane> planes;
  Real until = 0.0;
};

/// Sizes, velocities and accelerations at random; the density as well, so that the first two meet
/// early, late or never. With planes, two bodies in three have one.
[[nodiscard]] BoundSet drawBoundSet(SplitMix& random, int count, bool planes);

/// The least time over every pair, after the start; nothing if none meets.
[[nodiscard]] std::optional<Real> firstMeetingOfAll(const BoundSet& set);

}  // namespace nearmiss::app
