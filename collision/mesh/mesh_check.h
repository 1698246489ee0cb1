// SPDX-License-Identifier: MIT
/// The parts of checkMesh() that a polyhedron keeps: one hierarchy of boxes, one list of pieces.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/triangle_mesh.h>

#include <cstdint>
#include <vector>

#include "geometry/box_tree.h"

namespace nearmiss {

/// The connected pieces of a surface, in the order of their first triangles.
struct SurfacePieces {
  std::vector<SurfaceComponent> components;
  std::vector<std::uint32_t> ofTriangle;  ///< index in components, per triangle
};

[[nodiscard]] SurfacePieces piecesOf(const TriangleMesh& mesh);

/// As checkMesh(mesh), with what has been computed already.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh, const BoxTree& tree,
                                   const SurfacePieces& pieces);

}  // namespace nearmiss
