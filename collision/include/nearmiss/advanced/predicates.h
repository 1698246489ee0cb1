// SPDX-License-Identifier: MIT
/// Exact tests of points and triangles.
#pragma once

#include <nearmiss/math.h>

#include <array>

namespace nearmiss {

using Triangle = std::array<Vec3, 3>;

/// Returns true iff the closed triangles share a point. Touching and coplanar overlap count; a
/// degenerate triangle is the segment or point to which it collapses. Exact: a floating-point
/// filter decides nearly all cases, exact arithmetic the rest.
/// @pre coordinates are finite and within 1e±60, so that no product overflows or underflows.
[[nodiscard]] bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept;

/// Returns the sign of the volume of (a, b, c, d), exactly. Positive if d sees a, b, c clockwise,
/// that is, lies on the side away from the normal (b - a) x (c - a); zero if coplanar. (orient3d in
/// the literature: det[a-d; b-d; c-d].)
[[nodiscard]] int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

}  // namespace nearmiss
