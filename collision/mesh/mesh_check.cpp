// SPDX-License-Identifier: MIT
#include "mesh/mesh_check.h"

#include <nearmiss/mesh_input.h>

#include <algorithm>
#include <array>
#include <glm/geometric.hpp>
#include <utility>

#include "exact/winding.h"
#include "geometry/disjoint_sets.h"
#include "mesh/mesh_edges.h"
#include "mesh/self_intersections.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

bool isSet(const std::atomic<bool>* flag) noexcept { return flag && *flag; }

void countEdges(const std::vector<EdgeUse>& edges, MeshReport& report) {
  forEachEdge(edges, [&report](std::span<const EdgeUse> uses) {
    report.boundaryEdges += uses.size() == 1;
    report.nonManifoldEdges += uses.size() > 2;
    report.misorientedEdges += uses.size() == 2 && uses[0].backward == uses[1].backward;
  });
}

/// A vertex is manifold if its triangles hang together over edges that end in it.
std::size_t countNonManifoldVertices(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges) {
  // Join the corners that two triangles have at the ends of an edge in common; a corner's number is
  // three times its triangle's, plus its index
  DisjointSets corners(3 * mesh.triangles.size());
  const auto cornerAt = [&mesh](std::uint32_t triangle, std::uint32_t vertex) {
    const Corners& t = mesh.triangles[triangle];
    return 3 * triangle + (t[0] == vertex ? 0u : t[1] == vertex ? 1u : 2u);
  };
  forEachEdge(edges, [&](std::span<const EdgeUse> uses) {
    for (const EdgeUse& use : uses.subspan(1))
      for (const std::uint32_t vertex : {use.low, use.high})
        corners.join(cornerAt(uses[0].triangle, vertex), cornerAt(use.triangle, vertex));
  });

  // Count the sets at each vertex
  std::vector<std::uint32_t> fans(mesh.positions.size(), 0);
  for (std::uint32_t c = 0; c < 3 * mesh.triangles.size(); ++c)
    if (corners.find(c) == c) ++fans[mesh.triangles[c / 3][c % 3]];
  return static_cast<std::size_t>(
      std::count_if(fans.begin(), fans.end(), [](std::uint32_t n) { return n > 1; }));
}

/// Six times the volume of the tetrahedron of a triangle and `apex`, positive if it faces away.
Real sixfoldVolume(const std::array<Vec3, 3>& t, const Vec3& apex) noexcept {
  return glm::dot(t[0] - apex, glm::cross(t[1] - apex, t[2] - apex));
}

/// A piece must wind outwards outside of all others and inwards directly inside of one.
std::size_t countMisorientedComponents(const TriangleMesh& mesh, const BoxTree& tree,
                                       const SurfacePieces& pieces,
                                       const std::atomic<bool>* cancelled) {
  std::size_t count = 0;
  for (std::uint32_t piece = 0; piece < pieces.components.size(); ++piece) {
    if (isSet(cancelled)) break;
    const bool outwards = pieces.components[piece].volume > 0.0;
    const int others = windingOfOthers(mesh, tree, pieces, piece,
                                       [&mesh](std::uint32_t t) { return mesh.corners(t); });
    count += others != (outwards ? 0 : 1);
  }
  return count;
}

}  // namespace

SurfacePieces piecesOf(const TriangleMesh& mesh) {
  // Join vertices over triangles
  DisjointSets sets(mesh.positions.size());
  for (const Corners& t : mesh.triangles) {
    sets.join(t[0], t[1]);
    sets.join(t[0], t[2]);
  }

  // Number the pieces as their first triangles come, and sum volumes about a vertex of the piece
  // itself, which loses least
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> indexOf(mesh.positions.size(), none);
  SurfacePieces pieces;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const std::uint32_t root = sets.find(mesh.triangles[t][0]);
    if (indexOf[root] == none) {
      indexOf[root] = static_cast<std::uint32_t>(pieces.components.size());
      pieces.components.push_back({root, 0.0, {}});
    }
    pieces.ofTriangle.push_back(indexOf[root]);
    SurfaceComponent& component = pieces.components[indexOf[root]];
    const std::array<Vec3, 3> corners = mesh.corners(t);
    component.volume += sixfoldVolume(corners, mesh.positions[root]) / 6.0;
    component.bounds.include(boxOf(corners));
  }
  return pieces;
}

MeshReport checkMesh(const TriangleMesh& mesh, const BoxTree& tree, const SurfacePieces& pieces,
                     const std::atomic<bool>* cancelled) {
  MeshReport report;
  if (isSet(cancelled)) return report;
  const std::vector<EdgeUse> edges = sortedEdges(mesh);
  if (isSet(cancelled)) return report;
  countEdges(edges, report);
  report.nonManifoldVertices = countNonManifoldVertices(mesh, edges);
  report.selfIntersections =
      countSelfIntersections(mesh, tree, mostSelfIntersections, cancelled).pairs;
  report.components = pieces.components.size();
  for (const SurfaceComponent& component : pieces.components) report.volume += component.volume;
  if (report.closed() && report.selfIntersections == 0)
    report.misorientedComponents = countMisorientedComponents(mesh, tree, pieces, cancelled);
  return report;
}

MeshReport checkMesh(const TriangleMesh& mesh) {
  return checkMesh(mesh, BoxTree(mesh), piecesOf(mesh));
}

Result<MeshReport> checkMesh(const TriangleMesh& mesh, const std::atomic<bool>& cancelled) {
  const MeshReport report = checkMesh(mesh, BoxTree(mesh), piecesOf(mesh), &cancelled);
  if (cancelled) return Error{ErrorCode::Cancelled, "checking the mesh was cancelled"};
  return report;
}

}  // namespace nearmiss
