// SPDX-License-Identifier: MIT
/// The hierarchy of boxes over the triangles of a mesh, shared by all queries of its surface.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Immutable, body frame.
class SurfaceBoxes {
 public:
  /// The triangles of a leaf: corners rounded to nearest, in the units of boxes(). Unused lanes
  /// repeat the last triangle, as in WideBoxes::itemsOf().
  struct alignas(32) Facets {
    float corner[3][3][WideBoxes::width];  ///< corner, axis
  };

  /// The mesh must outlive this. The result is the same for any number of threads.
  explicit SurfaceBoxes(const TriangleMesh& mesh, int workers = 1);
  /// Copies the boxes for another mesh with the same triangles and positions.
  SurfaceBoxes(const SurfaceBoxes& other, const TriangleMesh& mesh)
      : mesh_(&mesh), boxes_(other.boxes_), facets_(other.facets_) {}

  /// Updates the boxes after the positions of the mesh have changed. Keeps the division; does not
  /// allocate.
  /// @param leaves the box around the triangles of each leaf
  void refit(std::span<const Box> leaves) noexcept;

  [[nodiscard]] const WideBoxes& boxes() const noexcept { return boxes_; }
  [[nodiscard]] const TriangleMesh& mesh() const noexcept { return *mesh_; }
  [[nodiscard]] const Facets& facets(std::uint32_t leaf) const noexcept {
    return facets_[leaf & ~WideBoxes::isLeaf];
  }
  [[nodiscard]] const Facets* facets() const noexcept { return facets_.data(); }

 private:
  void roundFacets(std::size_t leaf) noexcept;

  const TriangleMesh* mesh_;
  WideBoxes boxes_;
  std::vector<Facets> facets_;  ///< by leaf
};

/// Returns the boxes of a polyhedron or a shape; they live as long as it does.
[[nodiscard]] const SurfaceBoxes& surfaceOf(const Polyhedron& polyhedron) noexcept;

}  // namespace nearmiss
