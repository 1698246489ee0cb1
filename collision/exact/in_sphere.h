// SPDX-License-Identifier: MIT
/// The in-sphere predicate of Delaunay triangulations, decided exactly, and the centre of that
/// sphere.
#pragma once

#include <nearmiss/math.h>

namespace nearmiss {

/// Of four points with a positive orientation() and a fifth: 1 if `e` lies inside of the sphere
/// through the others, 0 on it, -1 outside. With a negative orientation the opposite. Exact as long
/// as nothing overflows or underflows.
[[nodiscard]] int inSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                           const Vec3& e) noexcept;

/// The centre of the sphere through four points, right to a few ulps of its distance from `a`
/// however flat they lie.
/// @pre orientation(a, b, c, d) is not 0
[[nodiscard]] Vec3 exactCircumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                     const Vec3& d) noexcept;

}  // namespace nearmiss
