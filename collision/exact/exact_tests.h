// SPDX-License-Identifier: MIT
/// Points, segments and triangles against each other, decided exactly, degenerate ones included.
#pragma once

#include <nearmiss/triangle_intersection.h>

namespace nearmiss {

/// Closed sets all: touching counts, and what has no length or area is the point or segment it is.
[[nodiscard]] bool pointOnSegment(const Vec3& point, const Vec3& p, const Vec3& q) noexcept;
[[nodiscard]] bool pointInTriangle(const Vec3& point, const Triangle& triangle) noexcept;
[[nodiscard]] bool segmentsMeet(const Vec3& p, const Vec3& q, const Vec3& r,
                                const Vec3& s) noexcept;
[[nodiscard]] bool segmentMeetsTriangle(const Vec3& p, const Vec3& q,
                                        const Triangle& triangle) noexcept;

}  // namespace nearmiss
