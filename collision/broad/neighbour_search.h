// SPDX-License-Identifier: MIT
/// Finds the neighbours, in a grid of bodies, of those whose bounds were rebuilt.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "broad/kept_bounds.h"
#include "broad/touch_forecast.h"
#include "broad/wrapped_grid.h"

namespace nearmiss {

using LifeGrid = WrappedGrid<LifeBox>;

/// Returns true if the body's bound has been rebuilt since.
[[nodiscard]] inline bool isOutdated(const LifeGrid& grid, const BoundExpiry& expiry) noexcept {
  return grid[expiry.body].build != expiry.build;
}
[[nodiscard]] inline bool isOutdated(const LifeGrid& grid, const PairEvent& event) noexcept {
  return grid[event.a].build != event.buildOfA || grid[event.b].build != event.buildOfB;
}

/// Results for some of the bodies. The lists are kept to reuse their memory.
struct Neighbours {
  struct Touch {
    std::uint32_t i, j;
    Real time;  ///< earliest possible time
  };
  /// a body, and the first item of a cell
  std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> near;  ///< pairs whose boxes overlap
  std::vector<Touch> touches;  ///< pairs that may touch while both bounds are valid
  std::uint64_t tests = 0;
};

/// Only reads, so several threads may search at once.
struct NeighbourSearch {
  const LifeGrid& grid;
  std::span<const std::uint32_t> outside;    ///< bodies that are not in the grid
  std::span<const std::uint64_t> rebuiltIn;  ///< by body: the batch of its last rebuild
  std::uint64_t batch;                       ///< the current batch
  TouchForecast ahead;

  /// Works in stages with prefetching: first all cells, then all items in them, then the remaining
  /// pairs.
  void find(std::span<const std::uint32_t> rebuilt, Neighbours& out) const {
    out.cells.clear();
    out.near.clear();
    out.touches.clear();
    out.tests = 0;
    for (const std::uint32_t i : rebuilt) {
      if (isInCells(i)) {
        forEachLevel(i, [&](const Vec3& low, const Vec3& high, int level) {
          grid.forEachCellIn(low, high, level, [&](std::uint32_t first) {
            grid.prefetch(first);
            out.cells.push_back({i, first});
          });
        });
        for (const std::uint32_t j : outside) compare(i, j, out);
      } else {
        const auto count = static_cast<std::uint32_t>(ahead.bodies.size());
        for (std::uint32_t j = 0; j < count; ++j) compare(i, j, out);
      }
    }
    for (const auto& [i, first] : out.cells)
      for (std::uint32_t j = first; j != LifeGrid::none; j = grid.next(j)) compare(i, j, out);
    for (const auto& [i, j] : out.near)
      if (const Real touch = ahead.touchTime(i, j); touch != noTouch)
        out.touches.push_back({i, j, touch});
  }

 private:
  /// Calls visit(low, high, level) with the box that contains the centres of all neighbours on a
  /// level.
  void forEachLevel(std::uint32_t i, const auto& visit) const {
    const LifeBox& box = grid[i];
    const Vec3 centre(box.x, box.y, box.z);
    for (std::uint64_t bits = grid.usedLevels(); bits != 0; bits &= bits - 1) {
      const int level = std::countr_zero(bits);
      const Real around = Real{box.half} + 0.5 * grid.cell(level);
      visit(centre - around, centre + around, level);
    }
  }

  /// Number of rows of cells that are looked up even if there are fewer bodies.
  static constexpr Real fewRows = 81.0;

  /// Returns true if looking up a body's neighbours by cells is faster than comparing all bodies.
  [[nodiscard]] bool isInCells(std::uint32_t i) const noexcept {
    bool covered = true;
    Real rows = 0.0;
    forEachLevel(i, [&](const Vec3& low, const Vec3& high, int level) {
      covered = covered && grid.covers(low, high, level);
      const Real across = (high.x - low.x) / grid.cell(level) + 1.0;
      rows += across * across;
    });
    return covered && rows < fewRows + static_cast<Real>(ahead.bodies.size());
  }

  void compare(std::uint32_t i, std::uint32_t j, Neighbours& out) const {
    ++out.tests;
    const LifeBox &box = grid[i], &other = grid[j];
    const float reach = box.half + other.half;
    // The negated comparison keeps NaN as a candidate
    if (std::abs(box.x - other.x) > reach || std::abs(box.y - other.y) > reach ||
        std::abs(box.z - other.z) > reach)
      return;
    // If both were rebuilt in this batch, only the lower one reports the pair
    if (j == i || (rebuiltIn[j] == batch && j < i)) return;
    __builtin_prefetch(&ahead.bodies[j]);
    __builtin_prefetch(&ahead.bodies[j].velocity);
    __builtin_prefetch(&ahead.kept[j]);
    __builtin_prefetch(&ahead.envelopes[j]);
    out.near.push_back({i, j});
  }
};

}  // namespace nearmiss
