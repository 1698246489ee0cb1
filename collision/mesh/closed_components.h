// SPDX-License-Identifier: MIT
/// The components of a surface that are closed, each by itself: what a winding number is whole of.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/triangle_mesh.h>

#include <cstddef>
#include <vector>

#include "mesh/mesh_check.h"

namespace nearmiss {

/// Per component, whether each of its edges has two triangles that run it in opposite directions.
[[nodiscard]] std::vector<bool> closedComponents(const TriangleMesh& mesh,
                                                 const SurfacePieces& pieces);

/// Those of them as surfaces of their own, at most `most`, the largest by the volume of their boxes
/// first.
[[nodiscard]] std::vector<Polyhedron> closedSurfaces(const TriangleMesh& mesh, std::size_t most);

/// How often a surface winds about `point` (body frame), counted exactly; 0 on the surface itself.
/// Only meaningful where the surface is closed.
[[nodiscard]] int windingAbout(const Polyhedron& surface, const Vec3& point);

}  // namespace nearmiss
