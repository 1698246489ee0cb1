// SPDX-License-Identifier: MIT
/// Whether two triangles meet, decided exactly on their double coordinates.
#pragma once

#include <nearmiss/math.h>

#include <array>

namespace nearmiss {

using Triangle = std::array<Vec3, 3>;

/// True iff the closed triangles share a point: touching counts, coplanar overlap counts, and a
/// triangle without area is the segment or point that it is. A floating-point filter decides almost
/// always; exact arithmetic decides the rest.
/// @pre coordinates are finite and within 1e±60, so that no product overflows or underflows.
[[nodiscard]] bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept;

/// The sign of the volume of (a, b, c, d): positive when d sees a, b, c clockwise, that is, lies on
/// the side away from the normal (b - a) x (c - a); zero when coplanar. Exact. (As the literature's
/// orient3d: det[a-d; b-d; c-d].)
[[nodiscard]] int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept;

}  // namespace nearmiss
