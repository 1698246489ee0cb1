// SPDX-License-Identifier: MIT
#pragma once

#include <nearmiss/mesh.h>

namespace nearmiss {

/// The cross product with nearly all digits, however small the angle between them.
[[nodiscard]] Vec3 preciseCross(const Vec3& p, const Vec3& q) noexcept;

/// From corner to corner, along the longest side.
[[nodiscard]] Vec3 longestSideOf(const Triangle& triangle) noexcept;

/// Of unit length, at right angles to an edge that is not 0: some one of them.
[[nodiscard]] Vec3 acrossEdge(const Vec3& edge) noexcept;

/// Of unit length and outward, however thin the triangle; some direction across its longest side
/// where rounding leaves no area.
[[nodiscard]] Vec3 unitNormalOf(const Triangle& triangle) noexcept;

/// As unitNormalOf(), but divided by its length, so that it is exact along an axis: for answers.
/// Builders call unitNormalOf(), on whose last digit their trees depend.
[[nodiscard]] Vec3 faceNormalOf(const Triangle& triangle) noexcept;

}  // namespace nearmiss
