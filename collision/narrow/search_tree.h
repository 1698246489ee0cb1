// SPDX-License-Identifier: MIT
/// The spheres of a tree in the layout that the narrow phase searches.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>
#include <nearmiss/sphere_tree.h>

#include <cstdint>
#include <vector>

#include "narrow/box_overlap.h"

namespace nearmiss {

/// Up to eight siblings; unused lanes come last, and lie where nothing meets them.
struct alignas(32) SearchPack {
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width], r[SpherePack::width];
  std::uint32_t child[SpherePack::width];  ///< first pack of the children; none of a leaf
};

/// Immutable, body frame, metres. Packs are those of the sphere tree, in its order. A slot is
/// 8 pack + lane.
class SearchTree {
 public:
  SearchTree(const Polyhedron& polyhedron, const SphereTree& tree) { take(polyhedron, tree); }
  /// Makes it anew, in the memory of before.
  void take(const Polyhedron& polyhedron, const SphereTree& tree);

  [[nodiscard]] const SearchPack* packs() const noexcept { return packs_.data(); }
  /// Those of the sphere tree, in its order.
  [[nodiscard]] const std::vector<BoxLanes>& boxes() const noexcept { return boxes_; }
  /// How far a sphere or a corner reaches from the origin at most, metres.
  [[nodiscard]] Real reach() const noexcept { return reach_; }

 private:
  std::vector<SearchPack> packs_;
  std::vector<BoxLanes> boxes_;
  Real reach_ = 0.0;
};

/// Of the shape's sphere tree; made once per tree.
[[nodiscard]] const SearchTree& searchTreeOf(const Shape& shape);

}  // namespace nearmiss
