// SPDX-License-Identifier: MIT
/// Binary hierarchies of boxes over the triangles of a mesh, for every query of a surface.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The first axis along which the box is the longest.
[[nodiscard]] inline int longestAxis(const Box& box) noexcept {
  const Vec3 extent = box.extent();
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

/// An inner node's first child follows it; `count` is 0 and `offset` its second child. A leaf has
/// `count` triangles from `offset` in BoxTree::order.
struct BoxNode {
  Box box;
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

/// Plain data, built once. Deepest level below maxDepth.
struct BoxTree {
  static constexpr std::size_t maxDepth = 40;
  static constexpr std::uint32_t trianglesPerLeaf = 4;  ///< at most

  std::vector<BoxNode> nodes;        ///< the root is 0
  std::vector<std::uint32_t> order;  ///< triangles, leaf by leaf

  BoxTree() = default;
  explicit BoxTree(const TriangleMesh& mesh);

  [[nodiscard]] std::span<const std::uint32_t> trianglesOf(const BoxNode& leaf) const noexcept {
    return std::span(order).subspan(leaf.offset, leaf.count);
  }

  /// Calls visit(triangle) for the leaves below all boxes for which enter(box) holds, in the order
  /// of the tree, until visit returns true; whether it did.
  bool anyOf(const auto& enter, const auto& visit) const {
    return anyOfNodes([&](std::uint32_t at) { return enter(nodes[at].box); }, visit);
  }
  /// As anyOf(), with the index of a node instead of its box.
  bool anyOfNodes(const auto& enter, const auto& visit) const {
    std::array<std::uint32_t, maxDepth> waiting;
    std::size_t size = 0;
    for (std::uint32_t at = 0;;) {
      const BoxNode& node = nodes[at];
      if (enter(at)) {
        if (node.count == 0) {
          waiting[size++] = node.offset;
          ++at;
          continue;
        }
        for (const std::uint32_t t : trianglesOf(node))
          if (visit(t)) return true;
      }
      if (size == 0) return false;
      at = waiting[--size];
    }
  }
};

/// The largest absolute value of a coordinate.
[[nodiscard]] inline Real largestCoordinate(const Vec3& v) noexcept {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
[[nodiscard]] inline Real largestCoordinate(const Box& box) noexcept {
  return std::max(largestCoordinate(box.low), largestCoordinate(box.high));
}

[[nodiscard]] inline Box boxOf(const std::array<Vec3, 3>& triangle) noexcept {
  Box box;
  for (const Vec3& p : triangle) box.include(p);
  return box;
}

/// A box along the triangles that it holds: all points p with low[k] <= axes[k] . p <= high[k].
/// Oblique triangles, needles above all, fill such boxes far better than axis-aligned ones.
struct TightBox {
  std::array<Vec3, 3> axes;  ///< of unit length and at right angles, within rounding
  Vec3 low{0.0}, high{0.0};
};

/// One tight box for each node of a BoxTree.
class TightBoxes {
 public:
  TightBoxes(const TriangleMesh& mesh, const BoxTree& tree);

  /// False only if nothing in node `a` meets anything in node `b`: an axis of one of the boxes
  /// separates them, by more than rounding.
  [[nodiscard]] bool mayMeet(std::uint32_t a, std::uint32_t b) const noexcept {
    return !parted(boxes_[a], boxes_[b]) && !parted(boxes_[b], boxes_[a]);
  }

 private:
  [[nodiscard]] bool parted(const TightBox& a, const TightBox& b) const noexcept;

  std::vector<TightBox> boxes_;
  Real rounding_ = 0.0;  ///< metres: covers the rounding of products with an axis
};

}  // namespace nearmiss
