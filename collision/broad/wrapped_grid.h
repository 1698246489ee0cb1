// SPDX-License-Identifier: MIT
/// Uniform unbounded grids, one per level, whose cell width doubles from level to level. Cell
/// coordinates are taken modulo powers of two, so that distant space and other levels fold onto the
/// same cells; callers must test every item found. Designed for the cache: one bit marks each
/// nonempty cell, and an item and its data share half a cache line and can be prefetched.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>
#include <nearmiss/shape.h>

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
  static constexpr int levels = 64;
  static constexpr int noLevel = levels;

  /// Removes all items and makes room for `count` items numbered 0 to count - 1. `cell` is the edge
  /// of the finest cells, metres.
  void clear(std::size_t count, Real cell) {
    // About four cells per item, as close to a cube as powers of two allow; whole words of bits
    int bits = 14;
    while (bits < 24 && (std::size_t{1} << bits) < 4 * count) ++bits;
    bits_[0] = std::max(6, (bits + 2) / 3);
    bits_[1] = (bits - bits_[0] + 1) / 2;
    bits_[2] = bits - bits_[0] - bits_[1];
    heads_.resize(std::size_t{1} << bits);
    occupied_.resize(heads_.size() / 64);
    nodes_.assign(count, Node{});
    setCell(cell);
  }

  /// Removes all items, but keeps their data. `cell` is the new edge of the finest cells, metres.
  void setCell(Real cell) {
    std::ranges::fill(heads_, none);
    std::ranges::fill(occupied_, 0);
    for (Node& node : nodes_) node.level = noLevel;
    items_.fill(0);
    used_ = 0;
    for (int level = 0; level < levels; ++level) {
      cell_[at(level)] = std::ldexp(cell, level);
      perCell_[at(level)] = 1.0 / cell_[at(level)];
    }
  }

  /// Cell edge of a level, metres.
  [[nodiscard]] Real cell(int level) const noexcept { return cell_[at(level)]; }

  /// Returns the finest level whose cells are at least as wide as `width` and have numbers at a
  /// position, or noLevel.
  [[nodiscard]] int levelFor(Real width, const Vec3& place) const noexcept {
    const Real cells = width * perCell_[0];
    if (!(cells < 0x1p62)) return noLevel;
    const int level = cells <= 1.0 ? 0 : std::ilogb(cells) + 1;
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(place[axis]) * perCell_[at(level)] < farthest)) return noLevel;
    return level;
  }

  /// Bit mask of the levels that have items.
  [[nodiscard]] std::uint64_t usedLevels() const noexcept { return used_; }

  /// The data of an item, whether it is in the grid or not.
  [[nodiscard]] Knowledge& operator[](std::uint32_t item) noexcept { return nodes_[item].known; }
  [[nodiscard]] const Knowledge& operator[](std::uint32_t item) const noexcept {
    return nodes_[item].known;
  }
  void prefetch(std::uint32_t item) const noexcept { __builtin_prefetch(&nodes_[item]); }

  /// @pre the item is not in the grid, and levelFor() returns the level for this position
  void insert(std::uint32_t item, const Vec3& place, int level) noexcept {
    const auto on = [&](Real value) { return coordinate(value, level); };
    const std::uint32_t cell = rowOf(on(place.y), on(place.z), level) + fold(on(place.x), 0);
    const std::uint32_t next = heads_[cell];
    Node& node = nodes_[item];
    node.cell = cell & 0xffffffu;
    node.level = static_cast<std::uint32_t>(level) & 0xffu;
    if (items_[at(level)]++ == 0) used_ |= std::uint64_t{1} << level;
    node.before = none;
    node.next = next;
    if (next != none) nodes_[next].before = item;
    heads_[cell] = item;
    occupied_[cell / 64] |= std::uint64_t{1} << cell % 64;
  }

  [[nodiscard]] bool contains(std::uint32_t item) const noexcept {
    return nodes_[item].level != noLevel;
  }

  /// @pre the item is in the grid
  void remove(std::uint32_t item) noexcept {
    Node& node = nodes_[item];
    if (node.before != none)
      nodes_[node.before].next = node.next;
    else
      heads_[node.cell] = node.next;
    if (node.next != none) nodes_[node.next].before = node.before;
    if (heads_[node.cell] == none)
      occupied_[node.cell / 64] &= ~(std::uint64_t{1} << node.cell % 64);
    if (--items_[at(node.level)] == 0) used_ &= ~(std::uint64_t{1} << node.level);
    node.level = noLevel;
  }

  /// Returns true if a box can be looked up by its cells: its cell numbers fit, and each row has
  /// fewer cells than a word has bits.
  [[nodiscard]] bool covers(const Vec3& low, const Vec3& high, int level) const noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const Real first = low[axis] * perCell_[at(level)], last = high[axis] * perCell_[at(level)];
      if (!(std::abs(first) < farthest)) return false;
      if (!(last - first < static_cast<Real>(std::min((1 << bits_[axis]) - 1, 62)))) return false;
    }
    return true;
  }

  /// Calls visit(first) once for every nonempty cell of a level that meets the box, with the first
  /// item of the cell; next() leads to the others.
  /// @pre covers(low, high, level)
  template <class Visit>
  void forEachCellIn(const Vec3& low, const Vec3& high, int level, const Visit& visit) const {
    NEARMISS_ASSERT(covers(low, high, level));
    const auto on = [&](Real value) { return coordinate(value, level); };
    const std::int64_t y0 = on(low.y), y1 = on(high.y);
    const std::int64_t z0 = on(low.z), z1 = on(high.z);
    const std::uint32_t x0 = fold(on(low.x), 0);
    const std::uint32_t width = fold(on(high.x) - on(low.x), 0) + 1;
    for (std::int64_t z = z0; z <= z1; ++z)
      for (std::int64_t y = y0; y <= y1; ++y) {
        const std::uint32_t row = rowOf(y, z, level);
        // Word by word, cyclically from the first cell to the last
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
  /// Returns the next item of the same cell, or none.
  [[nodiscard]] std::uint32_t next(std::uint32_t item) const noexcept { return nodes_[item].next; }

 private:
  struct Node {
    Knowledge known;
    std::uint32_t cell : 24 = 0, level : 8 = noLevel;
    std::uint32_t before = none, next = none;
  };

  /// Maximum cell coordinate: positions beyond have no cell number.
  static constexpr Real farthest = 1e15;

  static std::size_t at(int level) noexcept { return static_cast<std::size_t>(level); }
  [[nodiscard]] std::int64_t coordinate(Real value, int level) const noexcept {
    const Real scaled = value * perCell_[at(level)];
    const auto truncated = static_cast<std::int64_t>(scaled);
    return truncated - (static_cast<Real>(truncated) > scaled ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t fold(std::int64_t value, int axis) const noexcept {
    return static_cast<std::uint32_t>(value) & ((1u << bits_[axis]) - 1u);
  }
  /// Returns the first cell of a row along x. Levels are offset from each other, as far as there is
  /// room.
  [[nodiscard]] std::uint32_t rowOf(std::int64_t y, std::int64_t z, int level) const noexcept {
    return (fold(z + 37 * level, 2) << bits_[1] | fold(y + 23 * level, 1)) << bits_[0];
  }

  std::array<int, 3> bits_{6, 1, 1};
  std::vector<std::uint32_t> heads_;
  std::vector<std::uint64_t> occupied_;  ///< bit per cell: not empty
  std::vector<Node> nodes_;
  std::array<Real, levels> cell_{}, perCell_{};  ///< metres; cells per metre
  std::array<std::uint32_t, levels> items_{};    ///< number of items by level
  std::uint64_t used_ = 0;                       ///< bit mask of the levels that have items
};

}  // namespace nearmiss
