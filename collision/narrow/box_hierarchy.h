// SPDX-License-Identifier: MIT
/// A hierarchy of turned boxes over whole triangles [GLM96], eight wide: where surfaces run along
/// each other closely, as a peg in its hole, boxes are apart long before spheres are.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <vector>

#include "geometry/polyhedron_motion.h"
#include "geometry/wide_boxes.h"

namespace nearmiss {

/// Up to eight triangles of one leaf.
struct alignas(32) TriangleGroup {
  /// Balls around them; r is -1 in unused lanes, which lie where nothing meets them.
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width], r[SpherePack::width];
  /// The planes of the triangles: the product of p and the normal, less the last, is the height of
  /// p. All 0 for a triangle without a normal.
  float plane[4][SpherePack::width];
  float corner[3][3][SpherePack::width];  ///< corner, coordinate; rounded to nearest
  std::uint32_t triangle[SpherePack::width];
};

/// The boxes of a node of SurfaceBoxes side by side, as NodeBox; unused lanes lie where nothing
/// meets them.
struct alignas(64) BoxPack {
  float centre[3][SpherePack::width];
  float axis[3][3][SpherePack::width];  ///< axis, coordinate
  float half[3][SpherePack::width];     ///< ascending; rounded up
  static constexpr std::uint32_t isLeaf = WideBoxes::isLeaf;
  /// The node of the children, or a group of triangles where isLeaf is set; none in unused lanes.
  std::uint32_t child[SpherePack::width];
};

/// Immutable, body frame, metres. Has the nodes, leaves and slots of the body's SurfaceBoxes: the
/// groups are its leaves.
class BoxHierarchy {
 public:
  /// The result is the same for any number of threads.
  explicit BoxHierarchy(const Polyhedron& polyhedron, int workers = 1);

  /// Follows the vertices of the body, which have moved. Boxes keep their directions. Allocates
  /// nothing. Returns the sum of the areas of the boxes of all leaves, square metres.
  /// @param body has the hierarchy of the one that this was made for
  Real refit(const Polyhedron& body, const PolyhedronMotion& motion) noexcept;
  /// The same sum.
  [[nodiscard]] Real leafArea() const noexcept;

  [[nodiscard]] const BoxPack* packs() const noexcept { return packs_.data(); }
  [[nodiscard]] const TriangleGroup* groups() const noexcept { return groups_.data(); }

 private:
  std::vector<BoxPack> packs_;
  std::vector<TriangleGroup> groups_;
};

/// Of the shape's mesh; made once per mesh.
[[nodiscard]] const BoxHierarchy& boxHierarchyOf(const Shape& shape, int workers = 1);

}  // namespace nearmiss
