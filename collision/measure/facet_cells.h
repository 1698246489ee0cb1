// SPDX-License-Identifier: MIT
/// A grid over large triangles in a heap. Boxes around them are useless, for they all overlap; a
/// point has few of them in its cell, and most of these are excluded by their planes.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/triangle_intersection.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

class FacetCells {
 public:
  using Point = std::array<float, 3>;

  /// Without cells, if the facets are too small for the cells that memory allows.
  explicit FacetCells(std::span<const Triangle> facets);

  [[nodiscard]] bool empty() const noexcept { return begin_.empty(); }

  /// Calls look(facet) for all facets that can be nearer to `p` (frame of the facets, metres) than
  /// the square root of `least`, which look() makes less; stops at `goal`. False if they are too
  /// many: then some were not looked at.
  bool search(const Point& p, float goal, const float& least, const auto& look) const {
    const auto lookIn = [&](std::size_t cell) {
      for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
        const Plane& plane = planes_[listed_[i]];
        const float height = plane.x * p[0] + plane.y * p[1] + plane.z * p[2] - plane.offset;
        if (height * height < least) look(listed_[i]);
      }
    };
    // The facets in the point's own cell bound the number of other cells to search
    Range range = rangeAbout(p, 0.0f);
    const std::size_t own = range.count() == 1 ? indexOf(range.low) : begin_.size();
    if (own < begin_.size()) lookIn(own);
    if (least <= goal) return true;
    range = rangeAbout(p, std::sqrt(least));
    if (range.count() > mostAsked) return false;
    for (int z = range.low[2]; z <= range.high[2]; ++z)
      for (int y = range.low[1]; y <= range.high[1]; ++y)
        for (int x = range.low[0]; x <= range.high[0]; ++x) {
          const std::size_t cell = indexOf({x, y, z});
          if (cell != own) lookIn(cell);
          if (least <= goal) return true;
        }
    return true;
  }

 private:
  using Cell = std::array<int, 3>;
  static constexpr std::size_t mostAsked = 8;
  struct Plane {
    float x = 0.0f, y = 0.0f, z = 0.0f, offset = 0.0f;  ///< all 0 without an area
  };
  /// From low to high, both included; none where one of low is above high.
  struct Range {
    Cell low, high;
    [[nodiscard]] std::size_t count() const noexcept {
      std::size_t product = 1;
      for (std::size_t axis = 0; axis < 3; ++axis)
        product *= static_cast<std::size_t>(std::max(high[axis] - low[axis] + 1, 0));
      return product;
    }
  };
  struct Entry {
    std::uint32_t cell, facet;
  };
  [[nodiscard]] std::size_t indexOf(const Cell& cell) const noexcept {
    const auto at = [&](std::size_t axis) { return static_cast<std::size_t>(cell[axis]); };
    return (at(2) * static_cast<std::size_t>(counts_[1]) + at(1)) *
               static_cast<std::size_t>(counts_[0]) +
           at(0);
  }
  /// The cells within `reach` along the axes.
  [[nodiscard]] Range rangeAbout(const Point& p, float reach) const noexcept {
    Range range;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto last = static_cast<float>(counts_[axis]);
      const float low = std::floor((p[axis] - reach - low_[axis]) * perMetre_);
      const float high = std::floor((p[axis] + reach - low_[axis]) * perMetre_);
      range.low[axis] = static_cast<int>(std::clamp(low, 0.0f, last));
      range.high[axis] = static_cast<int>(std::clamp(high, -1.0f, last - 1.0f));
    }
    return range;
  }
  [[nodiscard]] static Plane planeOf(const Triangle& facet) noexcept;
  [[nodiscard]] Box boxOf(const Range& range) const noexcept;
  void list(std::uint32_t number, const Triangle& facet, const Range& range,
            std::vector<Entry>& entries) const;

  Cell counts_{0, 0, 0};
  Point low_{};
  float perMetre_ = 0.0f;
  std::vector<std::uint32_t> begin_;  ///< of each cell in listed_, x fastest, and the end
  std::vector<std::uint32_t> listed_;
  std::vector<Plane> planes_;
};

}  // namespace nearmiss
