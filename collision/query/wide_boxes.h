// SPDX-License-Identifier: MIT
/// A hierarchy of boxes, four siblings side by side in float, for rays and points.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/four_floats.h"

namespace nearmiss {

/// Cut where rays pay least, by slices of centres [W07]. Boxes are rounded outwards, in units in
/// which all of them lie within 1 of the middle, so that neither the place nor the size of what
/// they hold costs digits.
class WideBoxes {
 public:
  static constexpr unsigned width = 4;
  static constexpr std::uint32_t isLeaf = 0x80000000u;
  /// No search holds more nodes: 3 wait on each level, and no level is deeper than 49.
  static constexpr std::size_t maxWaiting = 152;

  struct Node {
    FourFloats low[3], high[3];              ///< by axis
    std::array<std::uint32_t, width> child;  ///< a node, or a leaf where isLeaf is set
    std::uint32_t count = 0;                 ///< of children
  };

  /// Takes up the boxes of things; keeps its memory. @pre Boxes are finite and not empty.
  void build(std::span<const Box> boxes);

  [[nodiscard]] bool empty() const noexcept { return nodes_.empty(); }
  /// The root is 0.
  [[nodiscard]] const Node& node(std::uint32_t at) const noexcept { return nodes_[at]; }
  /// The things of a leaf, `leaf` without its flag, ascending; the last is repeated.
  [[nodiscard]] std::span<const std::uint32_t, width> thingsOf(std::uint32_t leaf) const noexcept {
    return std::span<const std::uint32_t, width>(order_.data() + width * leaf, width);
  }
  [[nodiscard]] std::size_t leafCount() const noexcept { return order_.size() / width; }

  [[nodiscard]] const Vec3& middle() const noexcept { return middle_; }
  /// Metres per unit: a power of two.
  [[nodiscard]] Real unit() const noexcept { return unit_; }
  /// In units: how far from its place rounding may put what inUnits() gives of a point that is at
  /// most as far from the origin as the boxes are.
  [[nodiscard]] Real rounding() const noexcept { return rounding_; }
  [[nodiscard]] Vec3 inUnits(const Vec3& p) const noexcept { return (p - middle_) / unit_; }

 private:
  struct Range {
    std::uint32_t begin, end;
    Box box;
    [[nodiscard]] std::uint32_t size() const noexcept { return end - begin; }
  };
  [[nodiscard]] Range rangeOf(std::uint32_t begin, std::uint32_t end) const noexcept;
  std::uint32_t makeNode(const Range& whole, int depth);
  std::uint32_t makeLeaf(const Range& range);
  [[nodiscard]] std::uint32_t split(const Range& range, int depth);
  void put(std::uint32_t at, unsigned lane, const Box& box) noexcept;

  std::span<const Box> boxes_;         ///< while it is built
  std::vector<std::uint32_t> sorted_;  ///< things, in the order of the hierarchy
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;  ///< of each leaf
  Vec3 middle_{0.0};
  Real unit_ = 1.0;
  Real rounding_ = 0.0;
};

}  // namespace nearmiss
