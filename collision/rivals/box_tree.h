// SPDX-License-Identifier: MIT
/// Binary hierarchies of boxes over the triangles of a mesh, used by all queries of a surface.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/box_measures.h"

namespace nearmiss {

/// A node. The first child of an inner node follows it; `count` is 0 and `offset` is its second
/// child. A leaf has `count` triangles starting at `offset` in BoxTree::order.
struct BoxNode {
  Box box;
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
};

/// Plain data, built once. The depth is below maxDepth.
struct BoxTree {
  static constexpr std::size_t maxDepth = 40;
  static constexpr std::uint32_t trianglesPerLeaf = 4;  ///< maximum

  std::vector<BoxNode> nodes;        ///< the root is 0
  std::vector<std::uint32_t> order;  ///< triangles, leaf by leaf

  BoxTree() = default;
  explicit BoxTree(const TriangleMesh& mesh);

  [[nodiscard]] std::span<const std::uint32_t> trianglesOf(const BoxNode& leaf) const noexcept {
    return std::span(order).subspan(leaf.offset, leaf.count);
  }

  /// Calls visit(triangle) for the leaves below all boxes for which enter(box) holds, in the order
  /// of the tree, until visit returns true. Returns whether it did.
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

}  // namespace nearmiss
