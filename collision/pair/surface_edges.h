// SPDX-License-Identifier: MIT
/// The convex edges of a solid, the only ones that can touch another body from outside; or all
/// edges of a surface without an inside.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// An edge where two triangles meet at less than a straight angle, seen from inside.
struct SurfaceEdge {
  static constexpr std::uint32_t none = 0xffffffff;
  std::array<std::uint32_t, 2> ends{};  ///< vertices
  /// Unit outward normals of both triangles; zero if there is no outside.
  std::array<Vec3, 2> normals{Vec3(0.0), Vec3(0.0)};
  /// The triangles of an edge of a surface without an inside: two, one at a rim, none where more
  /// than two meet.
  std::array<std::uint32_t, 2> sides{none, none};
};

/// The edges of a surface, and the vertices that triangles use.
class SurfaceEdges {
 public:
  static constexpr std::uint32_t none = SurfaceEdge::none;

  explicit SurfaceEdges(const Polyhedron& polyhedron);

  [[nodiscard]] const std::vector<SurfaceEdge>& edges() const noexcept { return edges_; }
  /// Returns the vertices that triangles use, ascending.
  [[nodiscard]] const std::vector<std::uint32_t>& vertices() const noexcept { return vertices_; }
  /// Returns the triangles at a vertex, ascending.
  [[nodiscard]] std::span<const std::uint32_t> trianglesAt(std::uint32_t vertex) const noexcept {
    return std::span(around_).subspan(firstAround_[vertex],
                                      firstAround_[vertex + 1] - firstAround_[vertex]);
  }
  /// Returns faceNormalOf() a triangle.
  [[nodiscard]] const Vec3& normalOf(std::uint32_t triangle) const noexcept {
    return normals_[triangle];
  }
  /// Returns the mean length of all sides of triangles, metres.
  [[nodiscard]] Real meanLength() const noexcept { return meanLength_; }
  /// Returns the indices of the edges of a triangle; none for a flat or reflex side.
  [[nodiscard]] const std::array<std::uint32_t, 3>& of(std::uint32_t triangle) const noexcept {
    return ofTriangle_[triangle];
  }

 private:
  void listAround(const TriangleMesh& mesh);

  std::vector<SurfaceEdge> edges_;
  std::vector<std::uint32_t> vertices_;
  std::vector<std::array<std::uint32_t, 3>> ofTriangle_;
  std::vector<Vec3> normals_;               ///< per triangle
  std::vector<std::uint32_t> firstAround_;  ///< per vertex, plus one: index into `around_`
  std::vector<std::uint32_t> around_;       ///< triangles
  Real meanLength_ = 0.0;
};

/// Returns the edges of a shape. Built at first use and cached with the shape.
[[nodiscard]] const SurfaceEdges& surfaceEdgesOf(const Shape& shape);

}  // namespace nearmiss
