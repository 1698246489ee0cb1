// SPDX-License-Identifier: MIT
/// Moves the vertices of polyhedra that deform.
#pragma once

#include <nearmiss/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// For polyhedra with the triangles and the hierarchy of one that was built: copies of it.
class PolyhedronMotion {
 public:
  explicit PolyhedronMotion(const Polyhedron& built);

  [[nodiscard]] static Polyhedron copyOf(const Polyhedron& body);

  /// Puts the vertices of a copy at `positions`, of which there are as many as vertices, all within
  /// the range of checkTriangles(). Keeps the hierarchy's division, and believes that the surface
  /// does not intersect itself if that of `built` did not, and that its pieces lie in each other as
  /// before. O(n). Allocates only where a volume is too close to 0 for its sign to be certain, and
  /// for a closed surface that intersected itself, whose intersections are found anew.
  void move(Polyhedron& copy, std::span<const Vec3> positions);

  /// The vertices of the triangles of a leaf of the hierarchy, each once.
  [[nodiscard]] std::span<const std::uint32_t> verticesOf(std::uint32_t leaf) const noexcept {
    return std::span(vertices_).subspan(begins_[leaf], begins_[leaf + 1] - begins_[leaf]);
  }

 private:
  std::vector<std::uint32_t> begins_;  ///< by leaf and one more: in vertices_
  std::vector<std::uint32_t> vertices_;
  std::vector<Box> leaves_;  ///< boxes
  std::vector<Box> points_;  ///< of pieces
};

}  // namespace nearmiss
