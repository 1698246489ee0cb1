// SPDX-License-Identifier: MIT
/// Where a mesh is not a clean solid: triangles that intersect, open edges, edges and vertices that
/// are no manifold, one by one. checkMesh() only counts them.
///
/// Any number of threads may call this at once.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Plain data.
struct MeshFaultSettings {
  /// Metres: vertices nearer than this count as one, as cleanMesh() welds them. 0: equal positions
  /// only.
  Real weldDistance = 0.0;
  bool selfIntersections = true;  ///< false: not looked for; see MeshCheckSettings
  int workers = 1;                ///< threads; the answer is the same for any number
};

/// A side of a triangle. Where several triangles share it, of the first.
struct MeshEdge {
  std::array<std::uint32_t, 2> vertices{};  ///< as the triangle names them, the lower first
  std::uint32_t triangle = 0;
};

/// The faults of a mesh. All numbers are those of the mesh that was given, whatever was welded or
/// dropped to find them. Lists of triangles and vertices are ascending.
struct MeshFaults {
  MeshReport report;      ///< of the mesh once it was cleaned; counts what is listed below
  MeshCleaning cleaning;  ///< no triangle was turned
  /// Pairs of triangles that meet away from what they share, the lower number first, ascending. At
  /// most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> selfIntersections;
  std::vector<MeshEdge> boundaryEdges;     ///< open edges: one triangle
  std::vector<MeshEdge> nonManifoldEdges;  ///< three triangles or more
  std::vector<MeshEdge> misorientedEdges;  ///< two triangles that run them the same way
  /// Those whose triangles form more than one fan; of vertices that were welded, the one that the
  /// first triangle names.
  std::vector<std::uint32_t> nonManifoldVertices;
  // No faults of the surface that is left without them
  std::vector<std::uint32_t> degenerateTriangles;  ///< without area once vertices are welded
  std::vector<std::uint32_t> duplicateTriangles;   ///< the same as an earlier one
};

/// Lists the faults of an unchecked mesh. Welds vertices and ignores triangles without area and
/// duplicates, as cleanMesh() does; windings are left as they are. Ends soon once `cancelled` is
/// set, if it is not null. Errors: those of checkTriangles(); Unsupported (a distance below 0 or
/// not finite); Cancelled; out of memory.
Result<MeshFaults> findMeshFaults(const TriangleMesh& mesh, const MeshFaultSettings& settings = {},
                                  const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
