// SPDX-License-Identifier: MIT
/// Pairs of bounding spheres that are near each other at one instant, for bodies of any sizes.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <utility>
#include <vector>

#include "broad/wrapped_grid.h"

namespace nearmiss {

/// Grids whose cell width doubles from level to level. A sphere lies on the finest level with cells
/// at least as wide as the sphere, and is compared with spheres on its own and all coarser levels.
class SphereMeetings {
 public:
  /// Sets the spheres: the bounding spheres of `bodies`, each enlarged by half of `margin` metres
  /// and by `growth` of its radius. Does not allocate if an earlier call had at least as many
  /// bodies.
  void take(std::span<const BodyState> bodies, Real margin, Real growth = 0.0);

  /// Calls visit(a, b) with a < b once for every pair of spheres that meet, in any order. Returns
  /// the number of pairs compared.
  std::uint64_t forEachPair(const auto& visit) const {
    std::uint64_t tests = 0;
    const auto compare = [&](std::uint32_t i, std::uint32_t j) {
      ++tests;
      if (meet(i, j)) visit(std::min(i, j), std::max(i, j));
    };
    const auto count = static_cast<std::uint32_t>(balls_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      if (levels_.empty()) {
        for (std::uint32_t j = i + 1; j < count; ++j) compare(i, j);
      } else if (levels_[i] == Grid::noLevel) {
        for (std::uint32_t j = 0; j < count; ++j)
          if (levels_[j] != Grid::noLevel || j > i) compare(i, j);
      } else {
        for (std::uint64_t bits = grid_.usedLevels() >> levels_[i] << levels_[i]; bits != 0;
             bits &= bits - 1)
          lookUp(i, std::countr_zero(bits), compare);
      }
    }
    return tests;
  }

 private:
  struct Nothing {};
  using Grid = WrappedGrid<Nothing>;

  /// Fewer spheres are compared with each other without a grid.
  static constexpr std::size_t few = 48;

  void lookUp(std::uint32_t i, int level, const auto& compare) const {
    // Other levels fold onto the same cells, so skip their spheres
    const auto other = [&](std::uint32_t j) {
      if (levels_[j] == level && (level > levels_[i] || j > i)) compare(i, j);
    };
    const Real around = balls_[i].radius + 0.5 * grid_.cell(level);
    const Vec3 low = balls_[i].centre - around, high = balls_[i].centre + around;
    if (grid_.covers(low, high, level)) {
      grid_.forEachCellIn(low, high, level, [&](std::uint32_t first) {
        for (std::uint32_t j = first; j != Grid::none; j = grid_.next(j)) other(j);
      });
    } else {
      for (std::uint32_t j = 0; j < balls_.size(); ++j) other(j);
    }
  }

  [[nodiscard]] bool meet(std::uint32_t i, std::uint32_t j) const noexcept {
    const Vec3 between = balls_[i].centre - balls_[j].centre;
    const Real reach = balls_[i].radius + balls_[j].radius;
    return glm::dot(between, between) <= reach * reach;
  }

  std::vector<Sphere> balls_;
  std::vector<int> levels_;  ///< grid level of each sphere; empty if there are few spheres
  Grid grid_;
};

}  // namespace nearmiss
