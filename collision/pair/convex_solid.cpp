// SPDX-License-Identifier: MIT
#include "pair/convex_solid.h"

#include <nearmiss/detail/kept_with_shape.h>
#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/triangle_normal.h"

namespace nearmiss {
namespace {

/// Maximum distance of a corner in front of a face, relative to the size of the solid. Contacts
/// allow for more.
constexpr Real outOfPlane = 1e-10;
/// By Euler's formula.
constexpr std::size_t maxEdges = 3 * ConvexSolid::maxFaces - 6;

/// Rejects most meshes quickly: they have too many edges that are not flat, or a reflex one.
bool mayBeConvex(const TriangleMesh& mesh, const SurfaceEdges& edges, Real tolerance) {
  // A side of a triangle without an edge is flat or reflex
  std::size_t sharp = 0;
  for (const SurfaceEdge& edge : edges.edges())
    sharp += glm::length(glm::cross(edge.normals[0], edge.normals[1])) > 1e-9;
  if (sharp > maxEdges) return false;
  // A convex solid lies behind each of its triangles; a few of them suffice to reject most other
  // meshes
  constexpr std::size_t samples = 16;
  const std::size_t step = std::max<std::size_t>(1, mesh.triangles.size() / samples);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += step) {
    const Triangle corners = mesh.corners(t);
    const Vec3 side = longestSideOf(corners), normal = normalOf(corners);
    const Real length = glm::length(normal);
    // The plane of a needle is not accurate enough
    if (!(length > 1e-3 * glm::dot(side, side))) continue;
    for (const Vec3& p : mesh.positions)
      if (glm::dot(normal, p - corners[0]) > tolerance * length) return false;
  }
  return true;
}

}  // namespace

std::optional<ConvexSolid> ConvexSolid::of(const Polyhedron& polyhedron,
                                           const SurfaceEdges& edges) {
  const TriangleMesh& mesh = polyhedron.mesh();
  const Real tolerance = outOfPlane * glm::length(polyhedron.bounds().extent());
  const MeshReport& report = polyhedron.report();
  if (!report.solid() || report.components != 1 || report.nonManifoldVertices != 0 ||
      !mayBeConvex(mesh, edges, tolerance))
    return std::nullopt;
  const ConvexPolytope polytope(ConvexHull{mesh.positions, mesh.triangles});
  if (polytope.flat() || polytope.faces().size() > maxFaces || polytope.edges().size() > maxEdges)
    return std::nullopt;
  ConvexSolid made;
  made.takeVertices(polytope);
  made.takeEdges(polytope, edges);
  made.takeFaces(polytope);
  if (!made.holds(mesh, tolerance)) return std::nullopt;
  return made;
}

/// Collects the vertices of the edges.
void ConvexSolid::takeVertices(const ConvexPolytope& polytope) {
  for (std::uint32_t v = 0; v < polytope.vertices().size(); ++v) {
    const auto edges = polytope.edgesAt(v);
    if (edges.empty()) continue;
    vertices_.push_back(
        {v, static_cast<std::uint32_t>(ways_.size()), static_cast<std::uint32_t>(edges.size())});
    positions_.push_back(polytope.vertices()[v]);
    // Walk from edge to edge across the face between them
    std::uint32_t at = edges.front();
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const ConvexPolytope::Edge& edge = polytope.edges()[at];
      const bool first = edge.vertices[0] == v;
      const Vec3& other = polytope.vertices()[edge.vertices[first ? 1 : 0]];
      ways_.push_back(glm::normalize(other - polytope.vertices()[v]));
      around_.push_back(edge.faces[first ? 0 : 1]);
      const auto next = std::ranges::find_if(edges, [&](std::uint32_t e) {
        const ConvexPolytope::Edge& following = polytope.edges()[e];
        return following.faces[following.vertices[0] == v ? 1 : 0] == around_.back();
      });
      if (next != edges.end()) at = *next;
    }
  }
  for (const Vec3& p : positions_) centre_ += p / static_cast<Real>(positions_.size());
}

void ConvexSolid::takeEdges(const ConvexPolytope& polytope, const SurfaceEdges& edges) {
  for (const ConvexPolytope::Edge& from : polytope.edges()) {
    Edge& edge = edges_.emplace_back();
    edge.faces = from.faces;
    for (std::size_t k = 0; k < 2; ++k)
      edge.ends[k] = static_cast<std::uint32_t>(
          std::ranges::lower_bound(vertices_, from.vertices[k], {}, &Vertex::id) -
          vertices_.begin());
    const Vec3 way = positions_[edge.ends[1]] - positions_[edge.ends[0]];
    edge.length = glm::length(way);
    edge.along = way / edge.length;
    const Vec3& left = polytope.faces()[from.faces[0]].normal;
    const Vec3& right = polytope.faces()[from.faces[1]].normal;
    edge.into = {glm::cross(left, edge.along), glm::cross(edge.along, right)};
    const Real middle = 0.5 * glm::length(left + right);
    edge.widest = 1.0 / std::max(middle, std::numeric_limits<Real>::min());
    const auto [low, high] = std::minmax(from.vertices[0], from.vertices[1]);
    const std::array<std::uint32_t, 2> ends{low, high};
    const auto same = std::ranges::lower_bound(edges.edges(), ends, {}, &SurfaceEdge::ends);
    if (same != edges.edges().end() && same->ends == ends)
      edge.id = static_cast<std::uint32_t>(same - edges.edges().begin());
  }
}

void ConvexSolid::takeFaces(const ConvexPolytope& polytope) {
  innerRadius_ = std::numeric_limits<Real>::infinity();
  for (std::uint32_t f = 0; f < polytope.faces().size(); ++f) {
    const Vec3& normal = polytope.faces()[f].normal;
    // After division by its length, a normal along an axis is exact
    Face face{normal / glm::length(normal), -std::numeric_limits<Real>::infinity(),
              static_cast<std::uint32_t>(sides_.size()), polytope.faces()[f].count};
    for (const ConvexPolytope::Step& step : polytope.loopOf(f)) {
      const Edge& edge = edges_[step.edge];
      const Vec3& inwards = edge.into[edge.faces[0] == f ? 0 : 1];
      const Vec3& corner = polytope.vertices()[step.vertex];
      sides_.push_back({inwards, glm::dot(inwards, corner)});
      face.offset = std::max(face.offset, glm::dot(face.normal, corner));
    }
    innerRadius_ = std::min(innerRadius_, face.offset - glm::dot(face.normal, centre_));
    faces_.push_back(face);
  }
}

/// Returns true if the whole mesh lies behind each face, within rounding.
bool ConvexSolid::holds(const TriangleMesh& mesh, Real tolerance) const {
  const auto behind = [&](const Face& face) {
    return std::ranges::all_of(mesh.positions, [&](const Vec3& p) {
      return glm::dot(face.normal, p) <= face.offset + tolerance;
    });
  };
  return innerRadius_ > 0.0 && std::ranges::all_of(faces_, behind);
}

const ConvexSolid* convexSolidOf(const Shape& shape) {
  const auto& kept = KeptWithShape::ofMesh(shape).get<std::optional<ConvexSolid>>(
      [&shape] { return ConvexSolid::of(shape.polyhedron(), surfaceEdgesOf(shape)); });
  return kept ? &*kept : nullptr;
}

}  // namespace nearmiss
