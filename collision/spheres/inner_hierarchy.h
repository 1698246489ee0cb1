// SPDX-License-Identifier: MIT
/// The choice of balls inside a solid, and the hierarchy over those chosen.
#pragma once

#include <nearmiss/build_progress.h>
#include <nearmiss/inner_spheres.h>
#include <nearmiss/primitives.h>

#include <cstddef>
#include <vector>

namespace nearmiss {

/// How far `point` is from a ball, in metres; 0 inside.
[[nodiscard]] Real gapTo(const Sphere& ball, const Vec3& point) noexcept;

/// Up to `count` of `balls`, one after the other, each the one that most lowers the sum over
/// `points` of the distance to the nearest ball kept, which is `farthest` at first. Stops where no
/// ball lowers it by more than `least`. Empty if cancelled.
[[nodiscard]] std::vector<Sphere> chooseBalls(const std::vector<Sphere>& balls,
                                              const std::vector<Vec3>& points, std::size_t count,
                                              Real farthest, Real least, int workers,
                                              const BuildProgress* progress);

/// Halves the spheres across their widest extent, three times for each level. A slot holds the
/// sphere that comes first in `chosen` of those below it.
/// @param chosen the best first; centres representable in float
[[nodiscard]] InnerSpheres innerHierarchy(const std::vector<Sphere>& chosen);

}  // namespace nearmiss
