// SPDX-License-Identifier: MIT
/// The parts of a polyhedron, for queries of two of them.
#pragma once

#include <nearmiss/polyhedron.h>

#include "geometry/box_tree.h"
#include "mesh/mesh_check.h"

namespace nearmiss {

struct Polyhedron::Parts {
  explicit Parts(TriangleMesh&& taken);

  TriangleMesh mesh;
  BoxTree tree;
  SurfacePieces pieces;
  BoxTree piecePoints;  ///< over the vertex of each piece, where there are several
  MeshReport report;
  Box bounds;
  Real radius;
  std::uint64_t hash;
};

}  // namespace nearmiss
