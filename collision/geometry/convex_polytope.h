// SPDX-License-Identifier: MIT
/// A convex polytope prepared for walks over its corners, edges and faces; evenly spread
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

/// Calls visit(middle) for each of `side` x `side` cells of every side of the cube from -1 to 1:
/// +x, +y, +z, then the opposite ones; the cells of a side row by row.
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

/// Immutable; in its own frame, metres. Faces are whole: triangles of a hull that lie in one plane,
/// up to 1e-12 of its size, are one face, or rounding would leave slivers without a direction. One
/// that is flat, or hardly thicker than that, has corners only.
class ConvexPolytope {
 public:
  struct Edge {
    std::array<std::uint32_t, 2> vertices;
    std::array<std::uint32_t, 2> faces;  ///< the first to the left, as seen from outside
  };
  struct Face {
    Vec3 normal{0.0};         ///< unit length, outwards
    std::uint32_t first = 0;  ///< in the loops
    std::uint32_t count = 0;  ///< corners
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
  /// The edges that end in a vertex.
  [[nodiscard]] std::span<const std::uint32_t> edgesAt(std::uint32_t vertex) const noexcept {
    return edgesAt_.of(vertex);
  }

  /// A vertex that lies farthest along `direction`, up to rounding: walks from vertex to vertex,
  /// from the table's unless `start` is one.
  [[nodiscard]] std::uint32_t farthest(const Vec3& direction,
                                       std::uint32_t start = noVertex) const noexcept;
  static constexpr std::uint32_t noVertex = 0xffffffff;
  /// A vertex near that one, where a walk begins: the farthest along the middle of the table's cell
  /// that `direction` lies in. The first where there is no table, with few vertices.
  [[nodiscard]] std::uint32_t fromTable(const Vec3& direction) const noexcept;

 private:
  /// Some numbers for each vertex.
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
  /// A vertex that is farther by more than rounding, or `than`.
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
  PerVertex neighbours_;  ///< in the triangles of the hull: some are no corner of any face
  /// SWIFT's table of normals [EL00]: the farthest vertex along the middle of each cell on the six
  /// sides of a cube; empty for few vertices.
  std::vector<std::uint32_t> table_;
};

}  // namespace nearmiss
