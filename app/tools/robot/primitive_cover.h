// SPDX-License-Identifier: MIT
/// Spheres that cover a primitive shape by construction, without a search.
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <vector>

#include "tools/robot/robot_file.h"

namespace nearmiss::app::robot {

/// Returns sets of at most `count` spheres in the frame of the link. Each set covers the shape and
/// the mesh that addShape() makes of it. At least one set for a box, cylinder or capsule; none for
/// other shapes. The shape is divided into equal cells: a box into boxes; a cylinder into slices of
/// one, three, four or seven columns; a capsule along its axis. Each sphere contains a cell.
/// @pre count > 0
[[nodiscard]] std::vector<std::vector<Sphere>> primitiveCovers(const LinkShape& shape,
                                                               std::size_t count);

}  // namespace nearmiss::app::robot
