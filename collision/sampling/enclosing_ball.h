// SPDX-License-Identifier: MIT
/// Smallest enclosing balls of points: what a cluster of surface pieces is bounded by.
#pragma once

#include <nearmiss/primitives.h>

#include <span>

namespace nearmiss {

/// The smallest ball that holds all `points`, up to rounding; the radius is the greatest distance
/// of a point from the centre, so that the ball holds them all whatever rounding did to the centre.
/// Empty for no points.
[[nodiscard]] Sphere smallestEnclosingBall(std::span<const Vec3> points) noexcept;

/// The square of the greatest distance of a point from `centre`; -1 for no points.
[[nodiscard]] Real greatestSquaredDistance(const Vec3& centre,
                                           std::span<const Vec3> points) noexcept;

}  // namespace nearmiss
