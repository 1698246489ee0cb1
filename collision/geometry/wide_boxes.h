// SPDX-License-Identifier: MIT
/// The hierarchy of boxes over the triangles of a surface, or over bodies: eight siblings per node,
/// in float.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/shape.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/four_floats.h"

namespace nearmiss {

/// Divided by the surface area heuristic [W07], down to leaves of up to eight items, nearly all
/// full. Boxes are rounded outwards, in units in which all boxes lie within 1 of the middle. So
/// neither the position nor the size of the contents costs digits. A slot is 8 node + lane; slot 0,
/// alone in node 0, is the root.
class WideBoxes {
 public:
  static constexpr unsigned width = 8;
  static constexpr std::uint32_t isLeaf = 0x80000000u;
  /// Maximum size of a traversal stack: 7 slots wait on each level, and no level is deeper than 46.
  static constexpr std::size_t maxWaiting = 323;

  struct alignas(32) Node {
    float low[3][width], high[3][width];     ///< by axis; unused lanes repeat the last box
    std::array<std::uint32_t, width> child;  ///< a later node, or a leaf if isLeaf is set
    std::uint32_t count = 0;                 ///< number of children
  };

  /// A box in units, rounded outwards, for comparison with the boxes of nodes.
  class Query {
   public:
    Query(const WideBoxes& boxes, const Box& box) noexcept;
    /// Returns a mask of the boxes of the node that this one overlaps: bit k for child k.
    [[nodiscard]] unsigned lanesOf(const Node& node) const noexcept;

   private:
    float low_[3], high_[3];
  };

  WideBoxes() = default;
  explicit WideBoxes(std::span<const Box> boxes, int workers = 1) { build(boxes, workers); }

  /// Builds the hierarchy over the boxes of items. Reuses the memory of the last build if it
  /// suffices. The result is the same for any number of threads. O(n log n).
  /// @pre boxes are finite and not empty
  void build(std::span<const Box> boxes, int workers = 1);

  /// Updates the boxes after items have moved, and keeps the division. O(leaves); does not
  /// allocate.
  /// @param leaves the box around the items of each leaf: finite and not empty
  void refit(std::span<const Box> leaves) noexcept;

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// Children come after their parents.
  [[nodiscard]] const Node& node(std::uint32_t at) const noexcept { return nodes_[at]; }
  [[nodiscard]] std::size_t nodeCount() const noexcept { return nodes_.size(); }
  [[nodiscard]] std::uint32_t childOf(std::uint32_t slot) const noexcept {
    return nodes_[slot / width].child[slot % width];
  }
  /// Returns false if the boxes of two slots are disjoint.
  [[nodiscard]] bool overlap(std::uint32_t p, std::uint32_t q) const noexcept {
    const Node &a = nodes_[p / width], &b = nodes_[q / width];
    const std::uint32_t i = p % width, k = q % width;
    int apart = 0;
    for (int axis = 0; axis < 3; ++axis) {
      apart |= static_cast<int>(a.low[axis][i] > b.high[axis][k]);
      apart |= static_cast<int>(b.low[axis][k] > a.high[axis][i]);
    }
    return apart == 0;
  }
  /// Returns the box of a slot, metres. It is certain to contain all items below.
  [[nodiscard]] Box boxOf(std::uint32_t slot) const noexcept;
  /// The box of everything, as boxOf().
  [[nodiscard]] const Box& bounds() const noexcept { return bounds_; }

  /// Returns the items of a leaf, ascending; the last is repeated. The isLeaf bit of `leaf` is
  /// ignored.
  [[nodiscard]] std::span<const std::uint32_t, width> itemsOf(std::uint32_t leaf) const noexcept {
    leaf &= ~isLeaf;
    return std::span<const std::uint32_t, width>(order_.data() + std::size_t{width} * leaf, width);
  }
  /// Calls visit(item, lane) for each item of a leaf until it returns true. Returns whether it did.
  bool anyIn(std::uint32_t leaf, const auto& visit) const {
    const auto items = itemsOf(leaf);
    for (unsigned lane = 0; lane < width; ++lane) {
      if (lane > 0 && items[lane] == items[lane - 1]) break;
      if (visit(items[lane], lane)) return true;
    }
    return false;
  }
  /// Appends the items below a node or in a leaf.
  void addItemsBelow(std::uint32_t child, std::vector<std::uint32_t>& items) const {
    if ((child & isLeaf) != 0) {
      anyIn(child, [&items](std::uint32_t item, unsigned) {
        items.push_back(item);
        return false;
      });
      return;
    }
    for (std::uint32_t lane = 0; lane < nodes_[child].count; ++lane)
      addItemsBelow(nodes_[child].child[lane], items);
  }
  /// Returns a mask of the lanes of a leaf that hold items.
  [[nodiscard]] unsigned lanesOf(std::uint32_t leaf) const noexcept {
    const auto items = itemsOf(leaf);
    unsigned lanes = 1;
    for (unsigned lane = 1; lane < width; ++lane)
      lanes |= (items[lane] != items[lane - 1] ? 1u : 0u) << lane;
    return lanes;
  }
  /// Returns the items of all leaves, as itemsOf().
  [[nodiscard]] const std::uint32_t* items() const noexcept { return order_.data(); }
  [[nodiscard]] std::size_t leafCount() const noexcept { return order_.size() / width; }

  /// Calls visit(item) for items of leaves, in the order of the hierarchy, until it returns true.
  /// Visits a leaf if lanesOf(node) has the bits of its box and of all boxes above. Returns whether
  /// visit returned true.
  /// @param lanesOf takes the index of a node
  bool anyOf(const auto& lanesOf, const auto& visit) const {
    if (nodes_.empty()) return false;
    std::array<std::uint32_t, maxWaiting> waiting;
    std::size_t size = 0;
    waiting[size++] = 0;
    while (size > 0) {
      const std::uint32_t at = waiting[--size];
      if ((at & isLeaf) != 0) {
        if (anyIn(at, [&visit](std::uint32_t item, unsigned) { return visit(item); })) return true;
        continue;
      }
      const Node& own = nodes_[at];
      // Visit the first lane first
      for (unsigned lanes = lanesOf(at) & ((1u << own.count) - 1u); lanes != 0;) {
        const auto last = static_cast<unsigned>(std::bit_width(lanes)) - 1u;
        lanes ^= 1u << last;
        waiting[size++] = own.child[last];
      }
    }
    return false;
  }
  /// The same for boxes that may overlap `box`, metres; coordinates may be infinite.
  bool anyOverlapping(const Box& box, const auto& visit) const {
    const Query query(*this, box);
    return anyOf([&](std::uint32_t at) { return query.lanesOf(nodes_[at]); }, visit);
  }
  /// The same for boxes for which enter(box) returns true, metres.
  bool anyWhere(const auto& enter, const auto& visit) const {
    return anyOf(
        [&](std::uint32_t at) {
          unsigned lanes = 0;
          for (unsigned lane = 0; lane < nodes_[at].count; ++lane)
            if (enter(boxOf(width * at + lane))) lanes |= 1u << lane;
          return lanes;
        },
        visit);
  }

  [[nodiscard]] const Vec3& middle() const noexcept { return middle_; }
  /// Metres per unit: a power of two, at least 2^-60.
  [[nodiscard]] Real unit() const noexcept { return unit_; }
  /// Upper bound of the rounding error of inUnits(), in units, for a point that is at most as far
  /// from the origin as the boxes are.
  [[nodiscard]] Real rounding() const noexcept { return rounding_; }
  [[nodiscard]] Vec3 inUnits(const Vec3& p) const noexcept { return (p - middle_) * perUnit_; }

 private:
  class Builder;
  void setBounds(const Box& bounds) noexcept;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;  ///< items of each leaf
  Box bounds_;
  Vec3 middle_{0.0};
  Real unit_ = 1.0, perUnit_ = 1.0;
  Real rounding_ = 0.0;
};

}  // namespace nearmiss
