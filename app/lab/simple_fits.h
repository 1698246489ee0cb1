// SPDX-License-Identifier: MIT
/// Two simple ways to cover a body with spheres, as used by planners' tools, for comparison with
/// flat sets. Original code, not taken from a tool.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <vector>

namespace nearmiss::app::lab {

/// Returns the spheres around the cells of a cubical grid that intersect the body. Uses the finest
/// grid with at most `count` such cells.
[[nodiscard]] std::vector<Sphere> gridSpheres(const Polyhedron& polyhedron, std::size_t count);

/// Returns `count` balls, chosen greedily among the largest inner balls around grid points: each
/// contains as many points as possible that no earlier ball contains. All are enlarged equally,
/// just enough to cover the body.
[[nodiscard]] std::vector<Sphere> greedySpheres(const Polyhedron& polyhedron, std::size_t count);

}  // namespace nearmiss::app::lab
