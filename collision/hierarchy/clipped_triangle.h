// SPDX-License-Identifier: MIT
/// The part of a triangle within a box.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <vector>

namespace nearmiss {

/// Appends the corners of the convex polygon that `triangle` and `box` share, none if they are
/// apart; a ball that holds them holds the polygon. Rounding moves corners by a few ulps of their
/// coordinates.
void appendClipped(const Triangle& triangle, const Box& box, std::vector<Vec3>& corners);

}  // namespace nearmiss
