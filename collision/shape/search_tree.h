// SPDX-License-Identifier: MIT
/// The spheres of a tree in the memory layout that the narrow phase searches.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/sphere_tree.h>
#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <vector>

#include "spheres/box_overlap.h"

namespace nearmiss {

/// Up to eight siblings. Unused lanes come last, and are out of reach.
struct alignas(32) SearchPack {
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width], r[SpherePack::width];
  std::uint32_t child[SpherePack::width];  ///< first pack of the children; none for a leaf
};

/// A sphere tree for searching. Immutable, body frame, metres. Packs are those of the sphere tree,
/// in its order. A slot is 8 pack + lane.
class SearchTree {
 public:
  SearchTree(const Polyhedron& polyhedron, const SphereTree& tree) { take(polyhedron, tree); }
  /// Rebuilds it in the same memory.
  void take(const Polyhedron& polyhedron, const SphereTree& tree);

  [[nodiscard]] const SearchPack* packs() const noexcept { return packs_.data(); }
  /// Returns the boxes of the sphere tree, in its order.
  [[nodiscard]] const std::vector<BoxLanes>& boxes() const noexcept { return boxes_; }
  /// Returns the maximum distance of a point of a sphere or of a corner from the origin, metres.
  [[nodiscard]] Real reach() const noexcept { return reach_; }

 private:
  std::vector<SearchPack> packs_;
  std::vector<BoxLanes> boxes_;
  Real reach_ = 0.0;
};

/// Returns the search tree of the shape's sphere tree. Built once per tree.
[[nodiscard]] const SearchTree& searchTreeOf(const Shape& shape);

}  // namespace nearmiss
