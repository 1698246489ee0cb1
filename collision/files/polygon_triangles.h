// SPDX-License-Identifier: MIT
/// Triangulation of polygons.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::files {

/// Appends triangles over the corners of a polygon, as indices into `corners`, with the same
/// winding; two fewer than there are corners. If the polygon is planar and does not cross itself,
/// the triangles fill it exactly, even if it is concave. Holes may be connected to the border by
/// edges that run there and back. Cuts off one ear after the other, in at most quadratic time.
/// @pre at least three corners
void triangulate(std::span<const Vec3> corners, std::vector<std::array<std::uint32_t, 3>>& out);

}  // namespace nearmiss::files
