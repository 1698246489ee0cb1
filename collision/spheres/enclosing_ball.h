// SPDX-License-Identifier: MIT
/// Smallest enclosing balls of points: what a cluster of surface pieces is bounded by.
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>

#include "spheres/point_table.h"

namespace nearmiss {

/// The smallest ball that holds all `points`, up to rounding; the radius is the max distance of a
/// point from the centre, so that the ball holds them all whatever rounding did to the centre.
/// Empty for no points.
[[nodiscard]] Sphere smallestEnclosingBall(std::span<const Vec3> points) noexcept;
/// The same ball, to the bit, and quicker.
[[nodiscard]] Sphere smallestEnclosingBall(const PointTable& points) noexcept;

/// The index of the point that is farthest from `centre`, the first of several.
[[nodiscard]] std::size_t farthestPoint(const Vec3& centre, std::span<const Vec3> points) noexcept;

/// The square of the max distance of a point from `centre`; -1 for no points.
[[nodiscard]] Real maxSquaredDistance(const Vec3& centre, std::span<const Vec3> points) noexcept;

/// The centre of the circle through three points, in their plane; none where they nearly lie in a
/// line.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b,
                                               const Vec3& c) noexcept;

/// The centre of the sphere through four points; none where they nearly lie in a plane.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                               const Vec3& d) noexcept;

}  // namespace nearmiss
