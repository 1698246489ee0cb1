// SPDX-License-Identifier: MIT
/// The parts of checkMesh() that a polyhedron keeps: one hierarchy of boxes, one list of pieces.
#pragma once

#include <nearmiss/polyhedron.h>
#include <nearmiss/triangle_mesh.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "exact/winding.h"
#include "geometry/box_tree.h"

namespace nearmiss {

/// The connected pieces of a surface, in the order of their first triangles.
struct SurfacePieces {
  std::vector<SurfaceComponent> components;
  std::vector<std::uint32_t> ofTriangle;  ///< index in components, per triangle
};

/// How often all other pieces wind about a piece; `cornersOf(t)` are those of a triangle of theirs.
template <class CornersOf>
[[nodiscard]] int windingOfOthers(const TriangleMesh& mesh, const BoxTree& tree,
                                  const SurfacePieces& pieces, std::uint32_t piece,
                                  const CornersOf& cornersOf) {
  WindingCount others(mesh.positions[pieces.components[piece].vertex]);
  tree.anyOf([&others](const Box& box) { return others.mayCross(box); },
             [&](std::uint32_t t) {
               if (pieces.ofTriangle[t] != piece) others.add(cornersOf(t));
               return false;
             });
  return others.winding();
}

[[nodiscard]] SurfacePieces piecesOf(const TriangleMesh& mesh);

/// As checkMesh(mesh), with what has been computed already.
/// @param cancelled once set, a report without meaning is returned soon; null: never
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh, const BoxTree& tree,
                                   const SurfacePieces& pieces,
                                   const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
