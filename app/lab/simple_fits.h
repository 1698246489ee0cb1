// SPDX-License-Identifier: MIT
/// Two simple ways to cover a body by spheres, as planners' tools have them: what flat sets are
/// compared with. Written for the comparison; no tool's own code.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <vector>

namespace nearmiss::app::lab {

/// The spheres around the cells of a cubical grid that the body reaches into, of the finest grid
/// with at most `count` such cells.
[[nodiscard]] std::vector<Sphere> gridSpheres(const Polyhedron& polyhedron, std::size_t count);

/// `count` of the largest balls inside about points of a grid, chosen greedily: each holds as many
/// points as possible that no earlier one holds. All are grown by the same, just enough to cover.
[[nodiscard]] std::vector<Sphere> greedySpheres(const Polyhedron& polyhedron, std::size_t count);

}  // namespace nearmiss::app::lab
