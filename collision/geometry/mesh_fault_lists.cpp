// SPDX-License-Identifier: MIT
#include <nearmiss/detail/cancellation.h>
#include <nearmiss/detail/out_of_memory.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "geometry/mesh_check.h"
#include "geometry/surface_boxes.h"
#include "geometry/vertex_corners.h"

namespace nearmiss {
namespace {

/// Lists the faults of the cleaned mesh, with the numbers of the original mesh.
class FaultLists {
 public:
  FaultLists(const TriangleMesh& given, const TriangleMesh& cleaned,
             const std::vector<std::uint32_t>& numbers)
      : given_(given), cleaned_(cleaned), numbers_(numbers) {}

  void listEdges(const std::vector<EdgeUse>& edges, MeshFaults& faults) const {
    forEachEdge(edges, [&](std::span<const EdgeUse> uses) {
      if (uses.size() == 1) faults.boundaryEdges.push_back(edgeOf(uses[0]));
      if (uses.size() > 2) faults.nonManifoldEdges.push_back(edgeOf(uses[0]));
      if (uses.size() == 2 && uses[0].backward == uses[1].backward)
        faults.misorientedEdges.push_back(edgeOf(uses[0]));
    });
    for (auto* list : {&faults.boundaryEdges, &faults.nonManifoldEdges, &faults.misorientedEdges})
      std::ranges::sort(*list, {}, [](const MeshFaults::Edge& edge) {
        return std::pair(edge.triangle, edge.vertices);
      });
  }

  void listVertices(const VertexCorners& corners, int workers, MeshFaults& faults) const {
    for (const std::uint32_t v : nonManifoldVertices(cleaned_, corners, workers)) {
      const std::uint32_t first = corners.of(v).front();
      faults.nonManifoldVertices.push_back(given_.triangles[numbers_[first / 3]][first % 3]);
    }
    std::ranges::sort(faults.nonManifoldVertices);
  }

  void listPairs(MeetingTriangles pairs, MeshFaults& faults) const {
    for (auto& [first, second] : pairs) {
      first = numbers_[first];
      second = numbers_[second];
    }
    std::ranges::sort(pairs);
    faults.selfIntersections = std::move(pairs);
  }

 private:
  [[nodiscard]] MeshFaults::Edge edgeOf(const EdgeUse& use) const {
    // Cleaning keeps the order of a triangle's corners
    const auto& own = cleaned_.triangles[use.triangle];
    const std::uint32_t from = use.backward ? use.high : use.low;
    const std::size_t i = own[0] == from ? 0 : own[1] == from ? 1 : 2;
    const std::uint32_t triangle = numbers_[use.triangle];
    const auto& corners = given_.triangles[triangle];
    const auto [low, high] = std::minmax(corners[i], corners[(i + 1) % 3]);
    return {{low, high}, triangle};
  }

  const TriangleMesh& given_;
  const TriangleMesh& cleaned_;
  const std::vector<std::uint32_t>& numbers_;  ///< by triangle of the cleaned mesh
};

Result<MeshFaults> listFaults(const TriangleMesh& given, const MeshCheckSettings& settings,
                              const std::atomic<bool>* cancelled) {
  const Error stopped{ErrorCode::Cancelled, "checking the mesh was cancelled"};
  MeshFaults faults;
  MeshReport& report = faults.report;
  TriangleMesh mesh = given;
  CleanedTriangles numbers;
  faults.cleaning =
      cleanUnlessCancelled(mesh, settings.weldDistance, cancelled, settings.workers, &numbers);
  if (wasCancelled(cancelled)) return stopped;
  faults.degenerateTriangles = std::move(numbers.degenerate);
  faults.duplicateTriangles = std::move(numbers.duplicate);

  const FaultLists lists(given, mesh, numbers.kept);
  const VertexCorners corners(mesh, settings.workers);
  const std::vector<EdgeUse> edges = sortedEdges(mesh, corners, settings.workers);
  countEdges(edges, report);
  lists.listEdges(edges, faults);
  lists.listVertices(corners, settings.workers, faults);
  report.nonManifoldVertices = faults.nonManifoldVertices.size();
  if (wasCancelled(cancelled)) return stopped;

  const SurfacePieces pieces = piecesOf(mesh);
  const SurfaceBoxes surface(mesh, settings.workers);
  report.selfIntersectionsCounted = settings.selfIntersections;
  if (settings.selfIntersections) {
    MeetingTriangles pairs;
    countSelfIntersections(mesh, surface.boxes(), maxSelfIntersections, cancelled, &pairs, &corners,
                           settings.workers);
    lists.listPairs(std::move(pairs), faults);
  }
  report.selfIntersections = faults.selfIntersections.size();
  addPieces(mesh, edges, surface.boxes(), pieces, cancelled, report);
  if (wasCancelled(cancelled)) return stopped;
  return faults;
}

}  // namespace

Result<MeshFaults> findMeshFaults(const TriangleMesh& mesh, const MeshCheckSettings& settings,
                                  const std::atomic<bool>* cancelled) {
  if (auto sound = checkWelding(mesh, settings.weldDistance); !sound) return sound.error();
  return orOutOfMemory("cannot check the mesh",
                       [&] { return listFaults(mesh, settings, cancelled); });
}

}  // namespace nearmiss
