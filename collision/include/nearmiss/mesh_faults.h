// SPDX-License-Identifier: MIT
/// Lists the faults that keep a mesh from being a clean solid: intersecting triangles, open edges,
/// non-manifold edges and vertices. checkMesh() only counts them.
///
/// Thread-safe.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/result.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Settings of findMeshFaults(). Plain data.
struct MeshFaultSettings {
  /// Vertices nearer than this count as one, metres, as cleanMesh() welds them. 0: equal positions
  /// only.
  Real weldDistance = 0.0;
  bool selfIntersections = true;  ///< false: not searched; see MeshCheckSettings
  int workers = 1;                ///< threads; results do not depend on it
};

/// An edge of a triangle. If several triangles share it, the first one.
struct MeshEdge {
  std::array<std::uint32_t, 2> vertices{};  ///< indices used by that triangle, the lower first
  std::uint32_t triangle = 0;
};

/// The faults of a mesh. All indices refer to the input mesh, not to the cleaned one. Lists of
/// triangles and vertices are ascending.
struct MeshFaults {
  MeshReport report;      ///< of the cleaned mesh; counts the faults listed below
  MeshCleaning cleaning;  ///< no triangle was turned
  /// Pairs of triangles that intersect away from shared vertices and edges, the lower index first,
  /// ascending. At most maxSelfIntersections.
  std::vector<std::array<std::uint32_t, 2>> selfIntersections;
  std::vector<MeshEdge> boundaryEdges;     ///< open edges: one triangle
  std::vector<MeshEdge> nonManifoldEdges;  ///< three triangles or more
  std::vector<MeshEdge> misorientedEdges;  ///< two triangles that traverse it in the same direction
  /// Vertices whose triangles form more than one fan. For welded vertices, the index that the first
  /// triangle uses.
  std::vector<std::uint32_t> nonManifoldVertices;
  // The triangles below are no faults of the cleaned surface, which does not contain them
  std::vector<std::uint32_t> degenerateTriangles;  ///< degenerate after welding
  std::vector<std::uint32_t> duplicateTriangles;   ///< same corners as an earlier one
};

/// Lists the faults of an unchecked mesh. Welds vertices and ignores degenerate and duplicate
/// triangles as cleanMesh() does, but does not repair windings. Returns soon after `cancelled` is
/// set, if it is not null. Errors: those of checkTriangles(); Unsupported (a distance below 0 or
/// not finite); Cancelled; OutOfMemory.
Result<MeshFaults> findMeshFaults(const TriangleMesh& mesh, const MeshFaultSettings& settings = {},
                                  const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
