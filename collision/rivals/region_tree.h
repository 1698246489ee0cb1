// SPDX-License-Identifier: MIT
/// A binary partition of space into regions that contain polygons [Y04, "BSP Trees"].
#pragma once

#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rivals/bounding_volumes.h"
#include "rivals/box_tree.h"

namespace nearmiss {

/// A tree of regions. A region is halved across its longest side until it has few polygons, is
/// small, or is deep in the tree. A polygon belongs to every region that it intersects. Halves
/// without polygons are omitted, since nothing can be hit there; the region is then replaced by its
/// other half. Leaf regions share borders, and together cover the whole surface.
///
/// It has the interface of a VolumeTree, for the same traversal, but several leaves may list the
/// same triangle.
class RegionTree {
 public:
  explicit RegionTree(const TriangleMesh& mesh);

  [[nodiscard]] const AlignedBoxVolume& volume(std::uint32_t node) const noexcept {
    return volumes_[node];
  }
  /// Returns a bound on the distance of any point of the region from the surface in it.
  [[nodiscard]] Real reach(std::uint32_t node) const noexcept { return reach_[node]; }
  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept {
    return boxes.nodes[node].count != 0;
  }

  BoxTree boxes;

 private:
  void divide(const TriangleMesh& mesh, const Box& region,
              const std::vector<std::uint32_t>& polygons, int depth, int idle);
  void add(const TriangleMesh& mesh, const Box& region, const std::vector<std::uint32_t>& polygons);

  std::vector<AlignedBoxVolume> volumes_;  ///< per node of `boxes`
  std::vector<Real> reach_;
  std::size_t listed_ = 0, most_ = 0;  ///< triangles in regions that are not halved so far
  Real smallest_ = 0.0;                ///< side of a region that is not halved, metres
  std::vector<Vec3> corners_;
};

}  // namespace nearmiss
