// SPDX-License-Identifier: MIT
/// The parts of checkMesh() that a polyhedron keeps: one hierarchy of boxes, one list of pieces.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/triangle_mesh.h>

#include <span>
#include <vector>

#include "geometry/box_tree.h"

namespace nearmiss {

/// In the order of their first triangles.
[[nodiscard]] std::vector<SurfaceComponent> componentsOf(const TriangleMesh& mesh);

/// As checkMesh(mesh), with what is at hand already.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh, const BoxTree& tree,
                                   std::span<const SurfaceComponent> components);

}  // namespace nearmiss
