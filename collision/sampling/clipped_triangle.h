// SPDX-License-Identifier: MIT
/// The part of a triangle, or of a surface, within a box.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>
#include <nearmiss/triangle_mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Appends the corners of the convex polygon that `triangle` and `box` share, none if they are
/// apart; a ball that holds them holds the polygon. Rounding moves corners by a few ulps of their
/// coordinates.
void appendClipped(const Triangle& triangle, const Box& box, std::vector<Vec3>& corners);

/// Replaces `corners` by those of all `triangles` of the mesh within `box`, without repeats.
void findCorners(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles, const Box& box,
                 std::vector<Vec3>& corners);

/// The box with `share` of its sides more all around, and far from the origin more than the
/// rounding of clipping.
[[nodiscard]] Box widened(const Box& box, Real share) noexcept;

}  // namespace nearmiss
