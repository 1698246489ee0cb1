// SPDX-License-Identifier: MIT
#include "query/surface_edges.h"

#include <nearmiss/detail/kept_with_shape.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <span>
#include <tuple>

#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// A side of a triangle, its lower vertex first.
struct TriangleSide {
  std::uint32_t low, high, triangle, side;
  [[nodiscard]] auto key() const noexcept { return std::tuple(low, high, triangle); }
};

/// The corner of a triangle that is neither end of a side.
Vec3 apexOf(const TriangleMesh& mesh, const TriangleSide& side) {
  return mesh.positions[mesh.triangles[side.triangle][(side.side + 2) % 3]];
}

}  // namespace

SurfaceEdges::SurfaceEdges(const Polyhedron& polyhedron)
    : ofTriangle_(polyhedron.mesh().triangles.size(), {none, none, none}) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const bool solid = polyhedron.report().solid() || polyhedron.report().hasWindingInside();
  std::vector<TriangleSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint32_t s = 0; s < 3; ++s) {
      const auto [low, high] = std::minmax(mesh.triangles[t][s], mesh.triangles[t][(s + 1) % 3]);
      sides.push_back({low, high, t, s});
    }
  }
  std::ranges::sort(sides, {}, &TriangleSide::key);
  const auto alike = [](const TriangleSide& p, const TriangleSide& q) {
    return p.low == q.low && p.high == q.high;
  };
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && alike(sides[i], sides[end])) ++end;
    const std::span<const TriangleSide> alikes(sides.data() + i, end - i);
    SurfaceEdge edge{{sides[i].low, sides[i].high}};
    bool wanted = !solid;
    if (!solid && alikes.size() <= edge.sides.size()) {
      for (std::size_t k = 0; k < alikes.size(); ++k) edge.sides[k] = alikes[k].triangle;
    } else if (solid) {
      // Behind the plane of the one, the other turns away from outside
      const Triangle corners = mesh.corners(alikes[0].triangle);
      wanted = orientation(corners[0], corners[1], corners[2], apexOf(mesh, alikes[1])) > 0;
      edge.normals = {unitNormalOf(corners), unitNormalOf(mesh.corners(alikes[1].triangle))};
    }
    if (wanted) {
      for (const TriangleSide& side : alikes)
        ofTriangle_[side.triangle][side.side] = static_cast<std::uint32_t>(edges_.size());
      edges_.push_back(edge);
    }
    i = end;
  }
  for (const auto& corners : mesh.triangles)
    vertices_.insert(vertices_.end(), corners.begin(), corners.end());
  std::ranges::sort(vertices_);
  vertices_.erase(std::unique(vertices_.begin(), vertices_.end()), vertices_.end());
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
