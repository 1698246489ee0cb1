// SPDX-License-Identifier: MIT
/// A convex polytope prepared for walks over its corners, edges and faces; and evenly distributed
/// directions.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/convex_hull.h"

namespace nearmiss {

/// Calls visit(middle) for each of `side` x `side` cells of every side of the cube from -1 to 1.
/// The order is +x, +y, +z, then the opposite sides, each row by row.
void forEachCubeCell(int side, const auto& visit) {
  const auto middle = [side](int k) { return (2 * k + 1) / static_cast<Real>(side) - 1.0; };
  for (int face = 0; face < 6; ++face)
    for (int i = 0; i < side; ++i)
      for (int j = 0; j < side; ++j) {
        Vec3 direction;
        direction[face % 3] = face < 3 ? 1.0 : -1.0;
        direction[(face + 1) % 3] = middle(i);
        direction[(face + 2) % 3] = middle(j);
        visit(direction);
      }
}

/// Immutable; in its own frame, metres. Coplanar triangles of a hull, up to 1e-12 of its size, are
/// merged into one face; otherwise rounding would leave slivers without a direction. A polytope
/// that is flat, or hardly thicker than that, has only corners.
class ConvexPolytope {
 public:
  struct Edge {
    std::array<std::uint32_t, 2> vertices;
    std::array<std::uint32_t, 2> faces;  ///< left face first, as seen from outside
  };
  struct Face {
    Vec3 normal{0.0};         ///< unit length, outward
    std::uint32_t first = 0;  ///< index into the loops
    std::uint32_t count = 0;  ///< number of corners
  };
  /// One step of a face's border: from `vertex` along `edge` to the next vertex.
  struct Step {
    std::uint32_t vertex, edge;
  };

  ConvexPolytope() = default;
  explicit ConvexPolytope(ConvexHull hull);

  [[nodiscard]] std::span<const Vec3> vertices() const noexcept { return vertices_; }
  [[nodiscard]] std::span<const Edge> edges() const noexcept { return edges_; }
  [[nodiscard]] std::span<const Face> faces() const noexcept { return faces_; }
  [[nodiscard]] bool flat() const noexcept { return faces_.empty(); }
  [[nodiscard]] const Vec3& middle() const noexcept { return middle_; }  ///< mean of the corners
  /// The border of a face, counter-clockwise as seen from outside.
  [[nodiscard]] std::span<const Step> loopOf(std::uint32_t face) const noexcept {
    return {loops_.data() + faces_[face].first, faces_[face].count};
  }
  /// The edges that end at a vertex.
  [[nodiscard]] std::span<const std::uint32_t> edgesAt(std::uint32_t vertex) const noexcept {
    return edgesAt_.of(vertex);
  }

  /// Returns a vertex that lies farthest along `direction`, up to rounding. Walks from vertex to
  /// vertex, starting at `start`, or at a vertex from the table if `start` is noVertex.
  [[nodiscard]] std::uint32_t farthest(const Vec3& direction,
                                       std::uint32_t start = noVertex) const noexcept;
  static constexpr std::uint32_t noVertex = 0xffffffff;
  /// Returns a vertex near the farthest one, as the start of a walk: the farthest along the middle
  /// of the table's cell that contains `direction`. With few vertices there is no table; then
  /// returns the first vertex.
  [[nodiscard]] std::uint32_t fromTable(const Vec3& direction) const noexcept;

 private:
  /// A list of numbers for each vertex.
  struct PerVertex {
    std::vector<std::uint32_t> begin, values;
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t vertex) const noexcept {
      return {values.data() + begin[vertex], begin[vertex + 1] - begin[vertex]};
    }
  };
  static PerVertex grouped(std::size_t vertices,
                           std::span<const std::array<std::uint32_t, 2>> vertexAndValue);
  void makeFaces(const ConvexHull& hull);
  bool makeLoops(std::span<const Step> steps, std::span<const std::uint32_t> faceOfStep);
  void makeTable();
  /// Returns a vertex that is farther than `than` by more than rounding, or `than` if there is
  /// none.
  [[nodiscard]] std::uint32_t clearlyFarther(const Vec3& direction,
                                             std::uint32_t than) const noexcept;
  [[nodiscard]] std::uint32_t farthestOfAll(const Vec3& direction) const noexcept;

  static constexpr int tableSide = 4;
  Vec3 middle_{0.0};
  std::vector<Vec3> vertices_;
  std::vector<Edge> edges_;
  std::vector<Face> faces_;
  std::vector<Step> loops_;
  PerVertex edgesAt_;
  /// neighbours in the triangles of the hull; some are not corners of any face
  PerVertex neighbours_;
  /// SWIFT's table of normals [EL00]: the farthest vertex along the middle of each cell on the six
  /// sides of a cube. Empty if there are few vertices.
  std::vector<std::uint32_t> table_;
};

}  // namespace nearmiss
