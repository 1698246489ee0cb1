// SPDX-License-Identifier: MIT
#include "pair/surface_edges.h"

#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>

#include "geometry/mesh_check.h"
#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// Returns the index of an edge in its triangle: the side from this corner to the next.
std::size_t sideOf(const TriangleMesh& mesh, const EdgeUse& use) noexcept {
  const auto& corners = mesh.triangles[use.triangle];
  const std::uint32_t from = use.backward ? use.high : use.low;
  return corners[0] == from ? 0 : corners[1] == from ? 1 : 2;
}

/// Returns the corner of the triangle that is not on the edge.
const Vec3& apexOf(const TriangleMesh& mesh, const EdgeUse& use) noexcept {
  return mesh.positions[mesh.triangles[use.triangle][(sideOf(mesh, use) + 2) % 3]];
}

}  // namespace

SurfaceEdges::SurfaceEdges(const Polyhedron& polyhedron)
    : ofTriangle_(polyhedron.mesh().triangles.size(), {none, none, none}) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const bool solid = polyhedron.report().solid() || polyhedron.report().hasWindingInside();
  forEachEdge(sortedEdges(mesh), [&](std::span<const EdgeUse> uses) {
    SurfaceEdge edge{{uses[0].low, uses[0].high}};
    bool wanted = !solid;
    if (!solid && uses.size() <= edge.sides.size()) {
      for (std::size_t k = 0; k < uses.size(); ++k) edge.sides[k] = uses[k].triangle;
    } else if (solid) {
      // Behind the plane of the first triangle, the second bends away from the outside
      const Triangle corners = mesh.corners(uses[0].triangle);
      wanted = orientation(corners[0], corners[1], corners[2], apexOf(mesh, uses[1])) > 0;
      edge.normals = {unitNormalOf(corners), unitNormalOf(mesh.corners(uses[1].triangle))};
    }
    if (!wanted) return;
    for (const EdgeUse& use : uses)
      ofTriangle_[use.triangle][sideOf(mesh, use)] = static_cast<std::uint32_t>(edges_.size());
    edges_.push_back(edge);
  });
  std::vector<char> used(mesh.positions.size(), 0);
  for (const auto& corners : mesh.triangles)
    for (const std::uint32_t vertex : corners) used[vertex] = 1;
  for (std::uint32_t vertex = 0; vertex < used.size(); ++vertex)
    if (used[vertex] != 0) vertices_.push_back(vertex);
  listAround(mesh);
}

void SurfaceEdges::listAround(const TriangleMesh& mesh) {
  firstAround_.assign(mesh.positions.size() + 1, 0);
  for (const auto& corners : mesh.triangles)
    for (const std::uint32_t vertex : corners) ++firstAround_[vertex + 1];
  for (std::size_t v = 1; v < firstAround_.size(); ++v) firstAround_[v] += firstAround_[v - 1];
  around_.resize(3 * mesh.triangles.size());
  std::vector<std::uint32_t> next(firstAround_.begin(), firstAround_.end() - 1);
  Real length = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle corners = mesh.corners(t);
    normals_.push_back(faceNormalOf(corners));
    for (std::size_t k = 0; k < 3; ++k) {
      around_[next[mesh.triangles[t][k]]++] = t;
      length += glm::distance(corners[k], corners[(k + 1) % 3]);
    }
  }
  meanLength_ = length / static_cast<Real>(around_.size());
}

const SurfaceEdges& surfaceEdgesOf(const Shape& shape) {
  return KeptWithShape::ofMesh(shape).get<SurfaceEdges>(
      [&shape] { return SurfaceEdges(shape.polyhedron()); });
}

}  // namespace nearmiss
