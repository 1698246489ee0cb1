// SPDX-License-Identifier: MIT
/// A convex solid with few faces, prepared for contacts: whole faces, the edges between them, and
/// their vertices.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/convex_polytope.h"
#include "pair/surface_edges.h"

namespace nearmiss {

/// Immutable; body frame, metres. Coplanar triangles form one face. Vertices inside a face are
/// omitted.
class ConvexSolid {
 public:
  static constexpr std::size_t maxFaces = 64;

  /// A side of a face.
  struct Side {
    Vec3 inwards{0.0};  ///< unit length, in the plane of the face, perpendicular to the side
    Real offset = 0.0;  ///< dot(inwards, p) for points p on the side
  };
  struct Face {
    Vec3 normal{0.0};  ///< unit length, outwards
    Real offset = 0.0;
    std::uint32_t first = 0, count = 0;  ///< range of sides
  };
  struct Edge {
    std::array<std::uint32_t, 2> ends{};
    std::array<std::uint32_t, 2> faces{};  ///< the first is to the left, seen from outside
    Vec3 along{0.0};                       ///< unit length
    Real length = 0.0;
    /// Unit length, perpendicular to the edge, in each face.
    std::array<Vec3, 2> into{Vec3(0.0), Vec3(0.0)};
    Real widest = 1.0;  ///< for normals between those of the faces: 1 / dot with their mean
    std::uint32_t id = SurfaceEdge::none;  ///< in SurfaceEdges; none if the edge is nearly flat
  };
  struct Vertex {
    std::uint32_t id = 0;                ///< index in the mesh
    std::uint32_t first = 0, count = 0;  ///< range in waysFrom() and facesAround()
  };

  /// Returns nothing if the mesh is not a convex solid within rounding, or has too many faces.
  [[nodiscard]] static std::optional<ConvexSolid> of(const Polyhedron& polyhedron,
                                                     const SurfaceEdges& edges);

  [[nodiscard]] const std::vector<Vec3>& positions() const noexcept { return positions_; }
  [[nodiscard]] const std::vector<Vertex>& vertices() const noexcept { return vertices_; }
  [[nodiscard]] const std::vector<Edge>& edges() const noexcept { return edges_; }
  [[nodiscard]] const std::vector<Face>& faces() const noexcept { return faces_; }
  [[nodiscard]] std::span<const Side> sidesOf(const Face& face) const noexcept {
    return std::span(sides_).subspan(face.first, face.count);
  }
  /// Returns unit vectors along the edges of a vertex, away from it, counter-clockwise seen from
  /// outside.
  [[nodiscard]] std::span<const Vec3> waysFrom(const Vertex& vertex) const noexcept {
    return std::span(ways_).subspan(vertex.first, vertex.count);
  }
  /// Returns the faces between each of these edges and the next.
  [[nodiscard]] std::span<const std::uint32_t> facesAround(const Vertex& vertex) const noexcept {
    return std::span(around_).subspan(vertex.first, vertex.count);
  }
  [[nodiscard]] const Vec3& centre() const noexcept { return centre_; }
  /// Returns the radius of a ball about the centre that lies inside the solid.
  [[nodiscard]] Real innerRadius() const noexcept { return innerRadius_; }

 private:
  ConvexSolid() = default;
  void takeFaces(const ConvexPolytope& polytope);
  void takeVertices(const ConvexPolytope& polytope);
  void takeEdges(const ConvexPolytope& polytope, const SurfaceEdges& edges);
  [[nodiscard]] bool holds(const TriangleMesh& mesh, Real tolerance) const;

  std::vector<Vec3> positions_;  ///< by vertex
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  std::vector<Side> sides_;
  std::vector<Vec3> ways_;
  std::vector<std::uint32_t> around_;  ///< faces
  Vec3 centre_{0.0};
  Real innerRadius_ = 0.0;
};

/// Returns the convex solid of a shape, or null if it is none. Built at first use and cached with
/// the shape.
[[nodiscard]] const ConvexSolid* convexSolidOf(const Shape& shape);

}  // namespace nearmiss
