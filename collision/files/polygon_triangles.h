// SPDX-License-Identifier: MIT
/// Polygons as triangles.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::files {

/// Appends triangles over the corners of a polygon, as indices in `corners`, wound as it is: two
/// fewer than there are corners. Where it is flat and does not cross itself they fill it
/// and nothing else, concave or not; holes may be cut into it by edges that run there and back. The
/// ears are cut off one after the other, in time at most quadratic.
/// @pre at least three corners
void triangulate(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& out);

}  // namespace nearmiss::files
