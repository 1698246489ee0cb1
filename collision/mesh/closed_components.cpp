// SPDX-License-Identifier: MIT
#include "mesh/closed_components.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

#include "exact/winding.h"
#include "mesh/mesh_edges.h"

namespace nearmiss {
namespace {

Real volumeOf(const Box& box) noexcept {
  const Vec3 size = box.high - box.low;
  return size.x * size.y * size.z;
}

/// The triangles of one component with the vertices that they use.
TriangleMesh extracted(const TriangleMesh& mesh, const SurfacePieces& pieces,
                       std::uint32_t component) {
  constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> indexOf(mesh.positions.size(), none);
  TriangleMesh own;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (pieces.ofTriangle[t] != component) continue;
    std::array<std::uint32_t, 3> corners = mesh.triangles[t];
    for (std::uint32_t& corner : corners) {
      if (indexOf[corner] == none) {
        indexOf[corner] = static_cast<std::uint32_t>(own.positions.size());
        own.positions.push_back(mesh.positions[corner]);
      }
      corner = indexOf[corner];
    }
    own.triangles.push_back(corners);
  }
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

std::vector<Polyhedron> closedSurfaces(const TriangleMesh& mesh, std::size_t most) {
  const SurfacePieces pieces = piecesOf(mesh);
  const std::vector<bool> closed = closedComponents(mesh, pieces);
  std::vector<std::uint32_t> largest;
  for (std::uint32_t c = 0; c < closed.size(); ++c)
    if (closed[c]) largest.push_back(c);
  std::ranges::stable_sort(largest, [&](std::uint32_t a, std::uint32_t b) {
    return volumeOf(pieces.components[a].bounds) > volumeOf(pieces.components[b].bounds);
  });
  if (largest.size() > most) largest.resize(most);

  std::vector<Polyhedron> surfaces;
  for (const std::uint32_t c : largest) surfaces.emplace_back(extracted(mesh, pieces, c));
  return surfaces;
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
