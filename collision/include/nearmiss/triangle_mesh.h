// SPDX-License-Identifier: MIT
/// A polyhedron as triangles over shared vertices, and its cleaning.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/primitives.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Counter-clockwise triangles seen from outside. Plain data; see cleanMesh() and checkMesh().
struct TriangleMesh {
  std::vector<Vec3> positions;                          ///< metres, body frame
  std::vector<std::array<std::uint32_t, 3>> triangles;  ///< indices in `positions`

  [[nodiscard]] std::array<Vec3, 3> corners(std::size_t t) const {
    const auto& i = triangles[t];
    return {positions[i[0]], positions[i[1]], positions[i[2]]};
  }
};

/// What was done to a mesh before anything was built around it.
struct MeshCleaning {
  std::size_t weldedVertices = 0;
  Real weldedDistance = 0.0;  ///< the farthest that one of them moved, metres
  std::size_t unusedVertices = 0;
  std::size_t degenerateTriangles = 0;  ///< without area: two equal corners, or three in a line
  Real longestDegenerate = 0.0;         ///< the longest edge of these, metres
  std::size_t keptApart = 0;  ///< vertices that stayed, because welding them would lose triangles
  std::size_t duplicateTriangles = 0;  ///< same three corners as an earlier one, same winding
  std::size_t turnedTriangles = 0;     ///< by repairWinding()
};

/// Welds vertices closer than `weldDistance` (metres; 0 welds equal positions only), drops
/// triangles without area (decided exactly), duplicates and unused vertices. Order is kept. A
/// triangle that welding leaves without area lies on others then, within that distance: where it
/// would not, as in a thin spike or a tiny part, its vertices stay apart.
/// @pre all positions are finite and all indices in range.
MeshCleaning cleanMesh(TriangleMesh& mesh, Real weldDistance);

/// Turns triangles until those that share an edge wind alike, the fewer of each connected patch; of
/// a closed surface then all, if its volume is negative, and pieces that face inwards outside of
/// all others. What has one side only, or more than two triangles at an edge, is left there. A
/// swap of the last two corners; returns how many triangles were turned.
/// @pre the mesh was cleaned.
std::size_t repairWinding(TriangleMesh& mesh);

/// The properties of a mesh as a surface. Edges are counted over shared vertices, so clean the mesh
/// first.
struct MeshReport {
  std::size_t boundaryEdges = 0;        ///< edges with one triangle
  std::size_t nonManifoldEdges = 0;     ///< edges with three triangles or more
  std::size_t misorientedEdges = 0;     ///< edges run twice in the same direction
  std::size_t nonManifoldVertices = 0;  ///< vertices whose triangles form more than one fan
  std::size_t selfIntersections = 0;    ///< pairs of triangles that meet away from what they share
  std::size_t components = 0;           ///< connected over shared vertices
  /// Pieces that face inwards outside of all others, or outwards inside of one; counted only where
  /// the surface is closed and does not meet itself.
  std::size_t misorientedComponents = 0;
  Real volume = 0.0;  ///< cubic metres, signed; of a closed surface
  [[nodiscard]] bool closed() const noexcept {
    return boundaryEdges == 0 && nonManifoldEdges == 0 && misorientedEdges == 0;
  }
  /// Inside and outside are defined everywhere, and outward is the side of the normals.
  [[nodiscard]] bool solid() const noexcept {
    return closed() && selfIntersections == 0 && misorientedComponents == 0 && volume > 0.0;
  }
};

/// Self-intersection is decided exactly on the given doubles.
[[nodiscard]] MeshReport checkMesh(const TriangleMesh& mesh);

[[nodiscard]] Box boundingBox(const TriangleMesh& mesh) noexcept;

/// The greatest distance of a vertex from the origin of the body frame, rounded up.
[[nodiscard]] Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept;

/// A 64-bit fingerprint of positions and triangles, the same on every machine; never of file names.
[[nodiscard]] std::uint64_t hashOf(const TriangleMesh& mesh) noexcept;

}  // namespace nearmiss
