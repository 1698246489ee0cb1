// SPDX-License-Identifier: MIT
/// A uniform grid without borders: cell coordinates are taken modulo powers of two, so that space
/// far away folds back onto the same cells. What a lookup finds must be tested. Made for memory: a
/// bit marks the cells that are not empty; an item and its data share half a cache line, and can be
/// prefetched.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace nearmiss {

template <class Knowledge>
class WrappedGrid {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Forgets all; room for `count` items named 0 to count - 1 in cells of edge `cell` metres.
  void clear(std::size_t count, Real cell) {
    // About four cells an item, as near to a cube as powers of two allow; whole words of bits
    int bits = 14;
    while (bits < 24 && (std::size_t{1} << bits) < 4 * count) ++bits;
    bits_[0] = std::max(6, (bits + 2) / 3);
    bits_[1] = (bits - bits_[0] + 1) / 2;
    bits_[2] = bits - bits_[0] - bits_[1];
    heads_.assign(std::size_t{1} << bits, none);
    occupied_.assign(heads_.size() / 64, 0);
    nodes_.assign(count, Node{});
    perCell_ = 1.0 / cell;
  }

  /// The data of an item, in the grid or not.
  [[nodiscard]] Knowledge& operator[](std::uint32_t item) noexcept { return nodes_[item].known; }
  [[nodiscard]] const Knowledge& operator[](std::uint32_t item) const noexcept {
    return nodes_[item].known;
  }
  void prefetch(std::uint32_t item) const noexcept { __builtin_prefetch(&nodes_[item]); }

  /// @pre Not in the grid.
  void insert(std::uint32_t item, const Vec3& at) noexcept {
    const std::uint32_t cell =
        rowOf(coordinate(at.y), coordinate(at.z)) + fold(coordinate(at.x), 0);
    const std::uint32_t next = heads_[cell];
    Node& node = nodes_[item];
    node.cell = cell;
    node.before = none;
    node.next = next;
    if (next != none) nodes_[next].before = item;
    heads_[cell] = item;
    occupied_[cell / 64] |= std::uint64_t{1} << cell % 64;
  }

  /// Does nothing for an item that is not in the grid.
  void remove(std::uint32_t item) noexcept {
    Node& node = nodes_[item];
    if (node.cell == none) return;
    if (node.before != none)
      nodes_[node.before].next = node.next;
    else
      heads_[node.cell] = node.next;
    if (node.next != none) nodes_[node.next].before = node.before;
    if (heads_[node.cell] == none)
      occupied_[node.cell / 64] &= ~(std::uint64_t{1} << node.cell % 64);
    node.cell = none;
  }

  /// True if a box is small enough to be looked up by its cells, fewer of a row than a word has
  /// bits, and its numbers fit.
  [[nodiscard]] bool covers(const Vec3& low, const Vec3& high) const noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const Real first = low[axis] * perCell_, last = high[axis] * perCell_;
      if (!(std::abs(first) < 1e15)) return false;
      if (!(last - first < static_cast<Real>(std::min((1 << bits_[axis]) - 1, 62)))) return false;
    }
    return true;
  }

  /// visit(first) with the first item of every cell that meets the box and is not empty, once;
  /// next() leads to the others. @pre covers(low, high)
  template <class Visit>
  void forEachCellIn(const Vec3& low, const Vec3& high, const Visit& visit) const {
    NEARMISS_ASSERT(covers(low, high));
    const std::int64_t y0 = coordinate(low.y), y1 = coordinate(high.y);
    const std::int64_t z0 = coordinate(low.z), z1 = coordinate(high.z);
    const std::uint32_t x0 = fold(coordinate(low.x), 0);
    const std::uint32_t width = fold(coordinate(high.x) - coordinate(low.x), 0) + 1;
    for (std::int64_t z = z0; z <= z1; ++z)
      for (std::int64_t y = y0; y <= y1; ++y) {
        const std::uint32_t row = rowOf(y, z);
        // Word by word, from the first cell round to the last
        for (std::uint32_t done = 0; done < width;) {
          const std::uint32_t x = fold(x0 + done, 0);
          const std::uint32_t some = std::min(width - done, 64 - x % 64);
          std::uint64_t bits = occupied_[(row + x) / 64] >> x % 64;
          bits &= (std::uint64_t{1} << some) - 1;
          for (; bits != 0; bits &= bits - 1)
            visit(heads_[row + x + static_cast<std::uint32_t>(std::countr_zero(bits))]);
          done += some;
        }
      }
  }
  /// The next item of the same cell, or none.
  [[nodiscard]] std::uint32_t next(std::uint32_t item) const noexcept { return nodes_[item].next; }

 private:
  struct Node {
    Knowledge known;
    std::uint32_t cell = none, before = none, next = none;
  };

  [[nodiscard]] std::int64_t coordinate(Real value) const noexcept {
    const Real scaled = value * perCell_;
    const auto truncated = static_cast<std::int64_t>(scaled);
    return truncated - (static_cast<Real>(truncated) > scaled ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t fold(std::int64_t value, int axis) const noexcept {
    return static_cast<std::uint32_t>(value) & ((1u << bits_[axis]) - 1u);
  }
  /// The first cell of a row along x.
  [[nodiscard]] std::uint32_t rowOf(std::int64_t y, std::int64_t z) const noexcept {
    return (fold(z, 2) << bits_[1] | fold(y, 1)) << bits_[0];
  }

  std::array<int, 3> bits_{6, 1, 1};
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> occupied_;  ///< by bits: cells that are not empty
  std::vector<Node> nodes_;
  Real perCell_ = 1.0;
};

}  // namespace nearmiss
