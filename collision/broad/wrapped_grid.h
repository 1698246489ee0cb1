// SPDX-License-Identifier: MIT
/// A uniform grid without borders: cell coordinates are taken modulo powers of two, so that space
/// far away folds back onto the same cells. Who looks up a cell must test what it finds.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

namespace nearmiss {

class WrappedGrid {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  /// Forgets all; room for `count` items named 0 to count - 1 in cells of edge `cell` metres.
  void clear(std::size_t count, Real cell) {
    // About four cells an item, as near to a cube as powers of two allow
    int bits = 3;
    while (bits < 24 && (std::size_t{1} << bits) < 4 * count) ++bits;
    for (int axis = 0; axis < 3; ++axis) bits_[axis] = (bits + 2 - axis) / 3;
    heads_.assign(std::size_t{1} << bits, none);
    links_.assign(count, Link{});
    perCell_ = 1.0 / cell;
  }

  /// @pre Not in the grid.
  void insert(std::uint32_t item, const Vec3& at) noexcept {
    const std::uint32_t cell = cellAt(coordinate(at.x), coordinate(at.y), coordinate(at.z));
    const std::uint32_t next = heads_[cell];
    links_[item] = {cell, none, next};
    if (next != none) links_[next].before = item;
    heads_[cell] = item;
  }

  /// Does nothing for an item that is not in the grid.
  void remove(std::uint32_t item) noexcept {
    const Link link = links_[item];
    if (link.cell == none) return;
    if (link.before != none)
      links_[link.before].next = link.next;
    else
      heads_[link.cell] = link.next;
    if (link.next != none) links_[link.next].before = link.before;
    links_[item] = Link{};
  }

  /// Whether a box is small enough to be looked up by its cells, and its numbers fit.
  [[nodiscard]] bool covers(const Vec3& low, const Vec3& high) const noexcept {
    for (int axis = 0; axis < 3; ++axis) {
      const Real first = low[axis] * perCell_, last = high[axis] * perCell_;
      if (!(std::abs(first) < 1e15) || !(std::abs(last) < 1e15)) return false;
      if (!(last - first < static_cast<Real>((1 << bits_[axis]) - 1))) return false;
    }
    return true;
  }

  /// visit(item) for every item in a cell that meets the box, once. @pre covers(low, high)
  template <class Visit>
  void forEachIn(const Vec3& low, const Vec3& high, const Visit& visit) const {
    const std::int64_t x0 = coordinate(low.x), x1 = coordinate(high.x);
    const std::int64_t y0 = coordinate(low.y), y1 = coordinate(high.y);
    const std::int64_t z0 = coordinate(low.z), z1 = coordinate(high.z);
    for (std::int64_t z = z0; z <= z1; ++z)
      for (std::int64_t y = y0; y <= y1; ++y)
        for (std::int64_t x = x0; x <= x1; ++x)
          for (std::uint32_t item = heads_[cellAt(x, y, z)]; item != none; item = links_[item].next)
            visit(item);
  }

 private:
  struct Link {
    std::uint32_t cell = none, before = none, next = none;
  };

  [[nodiscard]] std::int64_t coordinate(Real value) const noexcept {
    const Real scaled = value * perCell_;
    const auto truncated = static_cast<std::int64_t>(scaled);
    return truncated - (static_cast<Real>(truncated) > scaled ? 1 : 0);
  }
  [[nodiscard]] std::uint32_t cellAt(std::int64_t x, std::int64_t y,
                                     std::int64_t z) const noexcept {
    const auto fold = [this](std::int64_t value, int axis) {
      return static_cast<std::uint32_t>(value) & ((1u << bits_[axis]) - 1u);
    };
    return ((fold(z, 2) << bits_[1] | fold(y, 1)) << bits_[0]) | fold(x, 0);
  }

  std::array<int, 3> bits_{1, 1, 1};
  std::vector<std::uint32_t> heads_;
  std::vector<Link> links_;
  Real perCell_ = 1.0;
};

}  // namespace nearmiss
