// SPDX-License-Identifier: MIT
/// Neighbours of points by space subdivision [H96 §7, T90].
#pragma once

#include <nearmiss/assertion.h>
#include <nearmiss/primitives.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

/// Points sorted by the cell of a cubical grid they lie in. Refers to points by index alone after
/// construction.
class PointGrid {
 public:
  /// @param cell edge of a cell, metres; grows if the points lie too far apart for it
  PointGrid(std::span<const Vec3> points, Real cell) {
    for (const Vec3& p : points) bounds_.include(p);
    const Vec3 extent = points.empty() ? Vec3(0.0) : bounds_.extent();
    cell_ = std::max(cell, std::max({extent.x, extent.y, extent.z}) / mostCells);
    if (!(cell_ > 0.0)) cell_ = 1.0;
    for (std::size_t i = 0; i < points.size(); ++i)
      entries_.emplace_back(keyOf(cellOf(points[i], 0), cellOf(points[i], 1), cellOf(points[i], 2)),
                            static_cast<std::uint32_t>(i));
    std::sort(entries_.begin(), entries_.end());
  }

  /// Calls visit(index) for all points within `reach` of `p`, and for some beyond.
  void forEachNear(const Vec3& p, Real reach, const auto& visit) const {
    if (entries_.empty()) return;
    const Vec3 low = p - reach, high = p + reach;
    for (std::int64_t z = cellOf(low, 2); z <= cellOf(high, 2); ++z)
      for (std::int64_t y = cellOf(low, 1); y <= cellOf(high, 1); ++y) {
        const std::uint64_t last = keyOf(cellOf(high, 0), y, z);
        auto i = std::lower_bound(entries_.begin(), entries_.end(),
                                  std::pair(keyOf(cellOf(low, 0), y, z), std::uint32_t{0}));
        for (; i != entries_.end() && i->first <= last; ++i) visit(i->second);
      }
  }

  /// The index of the point of `points` nearest to `p`, the lowest of several.
  /// @pre `points` are those of the constructor, at least one
  [[nodiscard]] std::uint32_t nearest(const Vec3& p, std::span<const Vec3> points) const {
    NEARMISS_ASSERT(!points.empty());
    const Real widest = glm::length(bounds_.extent()) + glm::distance(p, bounds_.centre()) + cell_;
    for (Real reach = cell_;; reach *= 2.0) {
      Real best = reach * reach;
      std::uint32_t found = none;
      forEachNear(p, reach, [&](std::uint32_t i) {
        const Vec3 between = points[i] - p;
        const Real square = glm::dot(between, between);
        if (square > best || (square == best && i >= found)) return;
        best = square;
        found = i;
      });
      if (found != none || reach > widest) return found == none ? 0 : found;
    }
  }

 private:
  static constexpr Real mostCells = 1 << 20;
  static constexpr std::uint32_t none = 0xffffffff;
  [[nodiscard]] std::int64_t cellOf(const Vec3& p, int axis) const noexcept {
    const Real cell = std::floor((p[axis] - bounds_.low[axis]) / cell_);
    return static_cast<std::int64_t>(std::clamp(cell, 0.0, mostCells));
  }
  static std::uint64_t keyOf(std::int64_t x, std::int64_t y, std::int64_t z) noexcept {
    return static_cast<std::uint64_t>(z) << 42 | static_cast<std::uint64_t>(y) << 21 |
           static_cast<std::uint64_t>(x);
  }

  Box bounds_;
  Real cell_ = 1.0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries_;
};

}  // namespace nearmiss
