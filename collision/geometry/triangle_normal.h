// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

namespace nearmiss {

/// Sine of an angle below which the usual cross product has lost half of its digits.
inline constexpr Real thinSine = 1e-8;

/// Returns the cross product with nearly all digits, even if the angle between the vectors is tiny.
[[nodiscard]] Vec3 preciseCross(const Vec3& p, const Vec3& q) noexcept;

/// Returns the vector along the longest side, from corner to corner.
[[nodiscard]] Vec3 longestSideOf(const Triangle& triangle) noexcept;

/// Returns a unit vector perpendicular to an edge that is not 0.
[[nodiscard]] Vec3 acrossEdge(const Vec3& edge) noexcept;

/// Returns the outward unit normal, however thin the triangle is. If rounding leaves no area,
/// returns a direction perpendicular to its longest side.
[[nodiscard]] Vec3 unitNormalOf(const Triangle& triangle) noexcept;

/// As unitNormalOf(), but divided by its length, so that it is exact along an axis; for results of
/// queries. Builders call unitNormalOf() instead, because their trees depend on its last digit.
[[nodiscard]] Vec3 faceNormalOf(const Triangle& triangle) noexcept;

}  // namespace nearmiss
