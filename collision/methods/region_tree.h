// SPDX-License-Identifier: MIT
/// A binary partition of space into regions that hold polygons [Y04, "BSP Trees"].
#pragma once

#include <nearmiss/mesh.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "methods/bounding_volumes.h"
#include "methods/box_tree.h"

namespace nearmiss {

/// A region is halved across its longest side until few polygons are left in it, it is small, or
/// the tree is deep; a polygon belongs to every region that it meets. Halves without polygons are
/// left out, since nothing can be met in them: a region stands for its one half then. Regions of a
/// leaf share borders with others, and none of the surface lies outside of all.
///
/// It has the parts of a VolumeTree, for the same descent; but a triangle may be listed by several
/// leaves.
class RegionTree {
 public:
  explicit RegionTree(const TriangleMesh& mesh);

  [[nodiscard]] const AlignedBoxVolume& volume(std::uint32_t node) const noexcept {
    return volumes_[node];
  }
  /// No point of the region is farther from the surface within it.
  [[nodiscard]] Real reach(std::uint32_t node) const noexcept { return reach_[node]; }
  [[nodiscard]] bool leaf(std::uint32_t node) const noexcept {
    return boxes.nodes[node].count != 0;
  }

  BoxTree boxes;

 private:
  void divide(const TriangleMesh& mesh, const Box& region,
              const std::vector<std::uint32_t>& polygons, int depth, int idle);
  void add(const TriangleMesh& mesh, const Box& region, const std::vector<std::uint32_t>& polygons);

  std::vector<AlignedBoxVolume> volumes_;  ///< by node of `boxes`
  std::vector<Real> reach_;
  std::size_t listed_ = 0, most_ = 0;  ///< triangles in regions that are not halved so far
  Real smallest_ = 0.0;                ///< side of a region that is not halved, metres
  std::vector<Vec3> corners_;
};

}  // namespace nearmiss
