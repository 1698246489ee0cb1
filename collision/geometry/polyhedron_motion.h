// SPDX-License-Identifier: MIT
/// Moves the vertices of deformable polyhedra.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/vertex_groups.h"

namespace nearmiss {

/// Moves copies of a built polyhedron, which have its triangles and its hierarchy.
class PolyhedronMotion {
 public:
  explicit PolyhedronMotion(const Polyhedron& built);

  [[nodiscard]] static Polyhedron copyOf(const Polyhedron& body);

  /// Sets the vertices of a copy to `positions`, one per vertex, all within the range of
  /// checkTriangles(). Keeps the division of the hierarchy. Assumes that the surface does not
  /// intersect itself if that of `built` did not, and that its pieces are nested as before. O(n).
  /// Allocates only if a volume is too close to 0 for its sign to be certain, and for a closed
  /// surface that intersected itself, whose intersections are recomputed.
  void move(Polyhedron& copy, std::span<const Vec3> positions);

  /// Returns the vertices of the triangles of a leaf of the hierarchy, without duplicates.
  [[nodiscard]] std::span<const std::uint32_t> verticesOf(std::uint32_t leaf) const noexcept {
    return vertices_.of(leaf);
  }

 private:
  VertexGroups vertices_;    ///< by leaf
  std::vector<Box> leaves_;  ///< boxes of leaves
  std::vector<Box> points_;  ///< boxes of the leaves of pieces
};

}  // namespace nearmiss
