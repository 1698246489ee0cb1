// SPDX-License-Identifier: MIT
/// Sets of points: neighbours by space subdivision [H96 §7, T90], and deduplication.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/math.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearmiss {

/// Points sorted by their cell in a cubic grid. After construction, refers to points only by index.
class PointGrid {
 public:
  /// @param cell edge of a cell, metres; increased if the points span too many cells
  PointGrid(std::span<const Vec3> points, Real cell) {
    for (const Vec3& p : points) bounds_.include(p);
    const Vec3 extent = points.empty() ? Vec3(0.0) : bounds_.extent();
    cell_ = std::max(cell, std::max({extent.x, extent.y, extent.z}) / maxCells);
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
    const std::int64_t lowY = cellOf(low, 1), highY = cellOf(high, 1);
    const std::int64_t lowZ = cellOf(low, 2), highZ = cellOf(high, 2);
    // If there are more rows than points, scan the points, which are sorted by row
    if ((highY - lowY + 1) * (highZ - lowZ + 1) >= std::ssize(entries_)) {
      for (const auto& [key, index] : entries_) visit(index);
      return;
    }
    for (std::int64_t z = lowZ; z <= highZ; ++z)
      for (std::int64_t y = lowY; y <= highY; ++y) {
        const std::uint64_t last = keyOf(cellOf(high, 0), y, z);
        auto i = std::lower_bound(entries_.begin(), entries_.end(),
                                  std::pair(keyOf(cellOf(low, 0), y, z), std::uint32_t{0}));
        for (; i != entries_.end() && i->first <= last; ++i) visit(i->second);
      }
  }

 private:
  static constexpr Real maxCells = 1 << 20;
  [[nodiscard]] std::int64_t cellOf(const Vec3& p, int axis) const noexcept {
    const Real cell = std::floor((p[axis] - bounds_.low[axis]) / cell_);
    return static_cast<std::int64_t>(std::clamp(cell, 0.0, maxCells));
  }
  static std::uint64_t keyOf(std::int64_t x, std::int64_t y, std::int64_t z) noexcept {
    return static_cast<std::uint64_t>(z) << 42 | static_cast<std::uint64_t>(y) << 21 |
           static_cast<std::uint64_t>(x);
  }

  Box bounds_;
  Real cell_ = 1.0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> entries_;
};

/// A set of distinct points. The corners of neighbouring pieces are equal to the bit. Emptying it
/// keeps its memory.
class DistinctPoints {
 public:
  /// Empties the set and prepares it for about `count` points.
  void start(std::size_t count) {
    points_.clear();
    points_.reserve(count);
    takeSlots(std::bit_ceil(2 * count + 2));
  }
  /// Adds `point` if it is new. Returns its index in points().
  std::uint32_t add(const Vec3& point) {
    if (2 * points_.size() > mask_) grow();
    const std::size_t hash = hashOf(point);
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.epoch != epoch_) {
        slot = {epoch_, static_cast<std::uint32_t>(points_.size())};
        points_.push_back(point);
        return slot.index;
      }
      if (points_[slot.index] == point) return slot.index;
    }
  }
  /// The points in the order of insertion.
  [[nodiscard]] std::span<const Vec3> points() const noexcept { return points_; }

  /// Equal for equal points; differs in the low bits for most others.
  [[nodiscard]] static std::size_t hashOf(const Vec3& point) noexcept {
    // 0 and -0 are equal. Round numbers end in zero bits, which products keep, hence the rotations
    std::uint64_t hash = 0;
    for (const Real number : {point.x, point.y, point.z})
      hash = std::rotl(hash * 0x9e3779b97f4a7c15u, 32) ^ std::bit_cast<std::uint64_t>(number + 0.0);
    return static_cast<std::size_t>(SplitMix(hash).bits());
  }

 private:
  struct Slot {
    std::uint32_t epoch = 0;
    std::uint32_t index = 0;
  };
  /// Clears the first `count` slots, a power of two, for use. A small set uses few slots even if
  /// many are allocated.
  void takeSlots(std::size_t count) {
    mask_ = count - 1;
    if (slots_.size() < count) slots_.resize(count);
    if (++epoch_ != 0) return;
    std::fill(slots_.begin(), slots_.end(), Slot{});
    epoch_ = 1;
  }
  void grow() {
    takeSlots(2 * (mask_ + 1));
    for (std::uint32_t i = 0; i < points_.size(); ++i) {
      std::size_t at = hashOf(points_[i]) & mask_;
      while (slots_[at].epoch == epoch_) at = (at + 1) & mask_;
      slots_[at] = {epoch_, i};
    }
  }

  std::vector<Vec3> points_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint32_t epoch_ = 0;
};

}  // namespace nearmiss
