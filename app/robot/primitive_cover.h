// SPDX-License-Identifier: MIT
/// Spheres that cover one primitive shape by construction, without a search.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <vector>

#include "robot/robot_file.h"

namespace nearmiss::app::robot {

/// Sets of at most `count` spheres, in the frame of the link, each of which covers the shape and
/// the mesh that addShape() makes of it; at least one of a box, cylinder or capsule, and none of
/// any other kind. They are laid out in equal cells: a box in boxes; a cylinder in slices, each of
/// one, three, four or seven columns; a capsule along its axis. A sphere about each cell holds it.
/// @pre count > 0
[[nodiscard]] std::vector<std::vector<Sphere>> primitiveCovers(const LinkShape& shape,
                                                               std::size_t count);

}  // namespace nearmiss::app::robot
