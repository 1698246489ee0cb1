// SPDX-License-Identifier: MIT
/// A hierarchy of oriented boxes over whole triangles [GLM96], eight wide. Where surfaces run
/// closely along each other, such as a peg in its hole, boxes separate long before spheres do.
#pragma once

#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <vector>

#include "geometry/polyhedron_motion.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// The boxes of a node of SurfaceBoxes side by side, like NodeBox. Unused lanes are out of reach.
struct alignas(64) BoxPack {
  float centre[3][SpherePack::width];
  float axis[3][3][SpherePack::width];  ///< axis, coordinate
  float half[3][SpherePack::width];     ///< ascending; rounded up
  static constexpr std::uint32_t isLeaf = WideBoxes::isLeaf;
  /// The node of the children, or a leaf if isLeaf is set; none in unused lanes.
  std::uint32_t child[SpherePack::width];
};

/// Oriented boxes for the SurfaceBoxes of a body, with the same nodes, leaves and slots. Immutable,
/// body frame, metres.
class BoxHierarchy {
 public:
  /// Builds the boxes. The result is the same for any number of threads.
  explicit BoxHierarchy(const Polyhedron& polyhedron, int workers = 1);

  /// Refits the boxes to the moved vertices of the body, without changing their axes. Allocates
  /// nothing.
  /// @param body has the same hierarchy as the body for which this was built
  void refit(const Polyhedron& body, const PolyhedronMotion& motion) noexcept;
  /// The sum of the areas of all leaf boxes, square metres. O(leaves).
  [[nodiscard]] Real leafArea() const noexcept;

  [[nodiscard]] const BoxPack* packs() const noexcept { return packs_.data(); }

 private:
  std::vector<BoxPack> packs_;
};

/// Returns the hierarchy of the shape's mesh. Built once per mesh.
[[nodiscard]] const BoxHierarchy& boxHierarchyOf(const Shape& shape, int workers = 1);

}  // namespace nearmiss
