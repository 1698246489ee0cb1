// SPDX-License-Identifier: MIT
/// Boxes beside the spheres of a tree, for walls and rods that spheres fit badly [H96 §12].
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/sphere_pack.h>

#include <cstdint>
#include <vector>

namespace nearmiss {

/// All points p with |axis[k] . (p - centre)| <= half[k] for each k. Body frame, metres; a slab
/// where half[0] is small, a beam where half[0] and half[1] are.
struct NodeBox {
  float centre[3];
  float axis[3][3];  ///< of unit length and at right angles, within rounding
  float half[3];     ///< ascending

  [[nodiscard]] Vec3 middle() const noexcept { return {centre[0], centre[1], centre[2]}; }
  [[nodiscard]] Vec3 direction(int k) const noexcept {
    return {axis[k][0], axis[k][1], axis[k][2]};
  }
  /// By how much `p` lies outside of the worst pair of faces, metres; negative inside.
  [[nodiscard]] Real excess(const Vec3& p) const noexcept;
};

/// Whether the axes are of unit length and at right angles to within 2^-22, and the box is of the
/// sphere's size: neither half nor distance of the centres is above twice the radius.
[[nodiscard]] bool isBoxFor(const NodeBox& box, const Sphere& sphere) noexcept;

/// A sphere with a box bounds what lies in both: all of the surface that the sphere has to cover
/// does.
struct NodeBoxes {
  static constexpr std::uint32_t none = 0xffffffff;
  std::vector<std::uint32_t> boxOf;  ///< per slot of the tree, or `none`; empty without boxes
  std::vector<NodeBox> boxes;

  [[nodiscard]] bool empty() const noexcept { return boxes.empty(); }
  [[nodiscard]] const NodeBox* find(SphereId id) const noexcept {
    return boxes.empty() || boxOf[id] == none ? nullptr : &boxes[boxOf[id]];
  }
};

}  // namespace nearmiss
