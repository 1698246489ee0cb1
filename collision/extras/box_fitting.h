// SPDX-License-Identifier: MIT
/// A small box around pieces of a surface.
#pragma once

#include <nearmiss/node_boxes.h>
#include <nearmiss/triangle_intersection.h>

#include <span>

namespace nearmiss {

/// A box that holds all pieces with `margin` metres to spare, turned so that its own surface is
/// small: along the planes and edges that most of the area suggests, not the least there is.
/// @pre there is a piece
[[nodiscard]] NodeBox fitBox(std::span<const Triangle> pieces, Real margin);

}  // namespace nearmiss
