// SPDX-License-Identifier: MIT
/// Smallest enclosing balls of points, which bound clusters of surface pieces.
#pragma once

#include <nearmiss/math.h>

#include <optional>
#include <span>

#include "spheres/point_table.h"

namespace nearmiss {

/// Returns the smallest ball that contains all `points`, up to rounding. The radius is the maximum
/// distance of a point from the centre, so the ball contains all points even if the centre is
/// inexact. Empty if there are no points.
[[nodiscard]] Sphere smallestEnclosingBall(std::span<const Vec3> points) noexcept;
/// The same ball, to the bit, but faster.
[[nodiscard]] Sphere smallestEnclosingBall(const PointTable& points) noexcept;

/// Returns the index of the point farthest from `centre`; ties go to the first.
[[nodiscard]] std::size_t farthestPoint(const Vec3& centre, std::span<const Vec3> points) noexcept;

/// Returns the square of the maximum distance of a point from `centre`; -1 if there are no points.
[[nodiscard]] Real maxSquaredDistance(const Vec3& centre, std::span<const Vec3> points) noexcept;

/// Returns the centre of the circle through three points, in their plane; nothing if they are
/// nearly collinear.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b,
                                               const Vec3& c) noexcept;

/// Returns the centre of the sphere through four points; nothing if they are nearly coplanar.
[[nodiscard]] std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                               const Vec3& d) noexcept;

}  // namespace nearmiss
