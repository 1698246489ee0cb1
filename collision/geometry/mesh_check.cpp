// SPDX-License-Identifier: MIT
#include "geometry/mesh_check.h"

#include <nearmiss/detail/cancellation.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <utility>
#include <vector>

#include "geometry/box_measures.h"
#include "geometry/exact_predicates.h"
#include "geometry/surface_boxes.h"

namespace nearmiss {
/// Sign of the area of p, q and the point in the y-z plane, with the point moved by (e, e^2) for an
/// infinitesimal e. Zero only if p and q coincide there.
int WindingCount::sideOfEdge(const Vec3& p, const Vec3& q) const noexcept {
  if (const int side = orientation2d(Projection::AlongX, p, q, point_); side != 0) return side;
  if (p.z != q.z) return p.z > q.z ? 1 : -1;
  if (p.y != q.y) return q.y > p.y ? 1 : -1;
  return 0;
}

void WindingCount::add(const Triangle& t) noexcept {
  Box box;
  for (const Vec3& p : t) box.include(p);
  if (!overlap(box, region())) return;
  if (box.low.x <= point_.x && pointInTriangle(point_, t)) onSurface_ = true;

  // Does the line of the moved ray pass through the triangle?
  const int facing = sideOfEdge(t[0], t[1]);
  if (facing == 0 || sideOfEdge(t[1], t[2]) != facing || sideOfEdge(t[2], t[0]) != facing) return;

  // Towards +x, the ray leaves the body if the normal points to +x too
  if (orientation(t[0], t[1], t[2], point_) == facing) winding_ += facing;
}

void countEdges(const std::vector<EdgeUse>& edges, MeshReport& report) {
  forEachEdge(edges, [&report](std::span<const EdgeUse> uses) {
    report.boundaryEdges += uses.size() == 1;
    report.nonManifoldEdges += uses.size() > 2;
    report.misorientedEdges += uses.size() == 2 && uses[0].backward == uses[1].backward;
  });
}

namespace {

/// A patch must wind outwards if it lies outside all others, and inwards if directly inside one. A
/// patch that shares each vertex with others may lie on either side of them, so it is not counted.
std::size_t countMisoriented(const TriangleMesh& mesh, const WideBoxes& boxes,
                             const SurfacePieces& patches, const std::atomic<bool>* cancelled) {
  const PieceWindings windings(mesh, boxes, patches);
  std::size_t count = 0;
  for (std::uint32_t patch = 0; patch < patches.components.size(); ++patch) {
    if (wasCancelled(cancelled)) break;
    const SurfaceComponent& own = patches.components[patch];
    const auto others =
        windings.ofOthers(patch, [&mesh](std::uint32_t t) { return mesh.corners(t); });
    count += !others || *others != (own.volume > 0.0 ? 0 : 1);
  }
  return count;
}

}  // namespace

void addPieces(const TriangleMesh& mesh, const std::vector<EdgeUse>& edges, const WideBoxes& boxes,
               const SurfacePieces& pieces, const std::atomic<bool>* cancelled,
               MeshReport& report) {
  report.components = pieces.components.size();
  report.volume = pieces.volume;
  if (report.closed() && report.selfIntersections == 0)
    report.misorientedComponents =
        report.nonManifoldVertices == 0
            ? countMisoriented(mesh, boxes, pieces, cancelled)
            : countMisoriented(mesh, boxes, patchesOf(mesh, edges), cancelled);
}

MeshReport checkMesh(const TriangleMesh& mesh, const WideBoxes& boxes, const SurfacePieces& pieces,
                     const std::atomic<bool>* cancelled, MeetingTriangles* meeting,
                     const MeshCheckSettings& settings) {
  MeshReport report;
  if (wasCancelled(cancelled)) return report;
  const VertexCorners corners(mesh, settings.workers);
  const std::vector<EdgeUse> edges = sortedEdges(mesh, corners, settings.workers);
  if (wasCancelled(cancelled)) return report;
  countEdges(edges, report);
  report.nonManifoldVertices = nonManifoldVertices(mesh, corners, settings.workers).size();
  if (!report.closed()) meeting = nullptr;
  report.selfIntersectionsCounted = settings.selfIntersections;
  if (settings.selfIntersections)
    report.selfIntersections = countSelfIntersections(mesh, boxes, maxSelfIntersections, cancelled,
                                                      meeting, &corners, settings.workers)
                                   .pairs;
  if (meeting && report.selfIntersections == maxSelfIntersections) *meeting = {};
  addPieces(mesh, edges, boxes, pieces, cancelled, report);
  return report;
}

namespace {

MeshReport checkWhole(const TriangleMesh& mesh, const std::atomic<bool>* cancelled,
                      const MeshCheckSettings& settings) {
  const SurfacePieces pieces = piecesOf(mesh);
  const SurfaceBoxes surface(mesh, settings.workers);
  return checkMesh(mesh, surface.boxes(), pieces, cancelled, nullptr, settings);
}

}  // namespace

MeshReport checkMesh(const TriangleMesh& mesh) { return checkWhole(mesh, nullptr, {}); }

Result<MeshReport> checkMesh(const TriangleMesh& mesh, const std::atomic<bool>& cancelled,
                             const MeshCheckSettings& settings) {
  const MeshReport report = checkWhole(mesh, &cancelled, settings);
  if (cancelled) return Error{ErrorCode::Cancelled, "checking the mesh was cancelled"};
  return report;
}

namespace {

constexpr std::uint32_t noIndex = 0xffffffff;

Real volumeOf(const Box& box) noexcept {
  const Vec3 size = box.high - box.low;
  return size.x * size.y * size.z;
}

/// Returns these triangles with the vertices that they use. `indexOf` must be `none` for every
/// vertex, and is restored.
TriangleMesh extracted(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles,
                       std::vector<std::uint32_t>& indexOf) {
  TriangleMesh own;
  for (const std::uint32_t t : triangles) {
    std::array<std::uint32_t, 3> corners = mesh.triangles[t];
    for (std::uint32_t& corner : corners) {
      if (indexOf[corner] == noIndex) {
        indexOf[corner] = static_cast<std::uint32_t>(own.positions.size());
        own.positions.push_back(mesh.positions[corner]);
      }
      corner = indexOf[corner];
    }
    own.triangles.push_back(corners);
  }
  for (const std::uint32_t t : triangles)
    for (const std::uint32_t corner : mesh.triangles[t]) indexOf[corner] = noIndex;
  return own;
}

}  // namespace

std::vector<bool> closedComponents(const TriangleMesh& mesh, const SurfacePieces& pieces) {
  std::vector<bool> closed(pieces.components.size(), true);
  forEachEdge(sortedEdges(mesh), [&](std::span<const EdgeUse> uses) {
    if (uses.size() != 2 || uses[0].backward == uses[1].backward)
      closed[pieces.ofTriangle[uses[0].triangle]] = false;
  });
  return closed;
}

ClosedSurfaces closedSurfaces(const TriangleMesh& mesh, std::size_t most,
                              const std::atomic<bool>* cancelled) {
  const SurfacePieces pieces = piecesOf(mesh);
  const std::vector<bool> closed = closedComponents(mesh, pieces);
  std::vector<std::uint32_t> largest;
  for (std::uint32_t c = 0; c < closed.size(); ++c)
    if (closed[c]) largest.push_back(c);
  std::ranges::stable_sort(largest, [&](std::uint32_t a, std::uint32_t b) {
    return volumeOf(pieces.components[a].bounds) > volumeOf(pieces.components[b].bounds);
  });
  ClosedSurfaces found;
  if (largest.size() > most) {
    found.leftOut = largest.size() - most;
    largest.resize(most);
  }

  std::vector<std::vector<std::uint32_t>> triangles(closed.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    if (closed[pieces.ofTriangle[t]]) triangles[pieces.ofTriangle[t]].push_back(t);
  std::vector<std::uint32_t> indexOf(mesh.positions.size(), noIndex);
  for (const std::uint32_t c : largest) {
    // A component may be too small for a mesh although the whole surface is not
    if (largestCoordinate(pieces.components[c].bounds) < minMeshSize) {
      ++found.leftOut;
      continue;
    }
    auto surface = polyhedronUnlessCancelled(extracted(mesh, triangles[c], indexOf), cancelled);
    if (!surface) break;
    found.surfaces.push_back(*std::move(surface));
  }
  return found;
}

TriangleMesh withoutOpenEdges(const TriangleMesh& mesh) {
  // By edge: its triangles, and how many of them remain
  const std::vector<EdgeUse> uses = sortedEdges(mesh);
  std::vector<std::span<const EdgeUse>> edges;
  std::vector<std::size_t> left;
  std::vector<std::array<std::uint32_t, 3>> edgesOf(mesh.triangles.size());
  std::vector<std::uint8_t> known(mesh.triangles.size(), 0);
  forEachEdge(uses, [&](std::span<const EdgeUse> of) {
    for (const EdgeUse& use : of)
      edgesOf[use.triangle][known[use.triangle]++] = static_cast<std::uint32_t>(edges.size());
    edges.push_back(of);
    left.push_back(of.size());
  });

  std::vector<bool> gone(mesh.triangles.size(), false);
  std::vector<std::uint32_t> open;
  for (std::uint32_t e = 0; e < edges.size(); ++e)
    if (left[e] == 1) open.push_back(e);
  while (!open.empty()) {
    const std::uint32_t edge = open.back();
    open.pop_back();
    for (const EdgeUse& use : edges[edge]) {
      if (gone[use.triangle]) continue;
      gone[use.triangle] = true;
      for (const std::uint32_t e : edgesOf[use.triangle])
        if (--left[e] == 1) open.push_back(e);
    }
  }
  TriangleMesh rest{mesh.positions, {}};
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (!gone[t]) rest.triangles.push_back(mesh.triangles[t]);
  return rest;
}

int windingAbout(const Polyhedron& surface, const Vec3& point) {
  const Box& bounds = surface.bounds();
  if (!bounds.contains(point)) return 0;
  WindingCount count(point);
  surface.forEachTriangleIn({point, {bounds.high.x, point.y, point.z}},
                            [&](std::uint32_t t) { count.add(surface.mesh().corners(t)); });
  return count.onSurface() ? 0 : count.winding();
}

}  // namespace nearmiss
