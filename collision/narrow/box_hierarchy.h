// SPDX-License-Identifier: MIT
/// A hierarchy of turned boxes over whole triangles [GLM96], eight wide: where surfaces run along
/// each other closely, as a peg in its hole, boxes are apart long before spheres are.
#pragma once

#include <nearmiss/mesh.h>
#include <nearmiss/shape.h>

#include <cstdint>
#include <span>
#include <vector>

#include "narrow/search_tree.h"

namespace nearmiss {

/// Up to eight boxes side by side, as NodeBox; unused lanes lie where nothing meets them.
struct alignas(64) BoxPack {
  float centre[3][SpherePack::width];
  float axis[3][3][SpherePack::width];  ///< axis, coordinate
  float half[3][SpherePack::width];     ///< ascending; rounded up
  /// First and only pack of the children, or a group of triangles (SearchTree::group).
  std::uint32_t child[SpherePack::width];
};

/// Immutable, body frame, metres. A slot is 8 pack + lane; the root is slot 0. Groups are as those
/// of SearchTree, of whole triangles.
class BoxHierarchy {
 public:
  explicit BoxHierarchy(const Polyhedron& polyhedron);

  [[nodiscard]] const BoxPack* packs() const noexcept { return packs_.data(); }
  [[nodiscard]] const TriangleGroup* groups() const noexcept { return groups_.data(); }
  [[nodiscard]] std::size_t packCount() const noexcept { return packs_.size(); }

 private:
  [[nodiscard]] std::uint32_t add(const Polyhedron& polyhedron, std::span<std::uint32_t> triangles);
  void put(const Polyhedron& polyhedron, std::span<const std::uint32_t> triangles,
           std::uint32_t pack, std::size_t lane);

  std::vector<BoxPack> packs_;
  std::vector<TriangleGroup> groups_;
};

/// Of the shape's mesh; made once per mesh.
[[nodiscard]] const BoxHierarchy& boxHierarchyOf(const Shape& shape);

}  // namespace nearmiss
