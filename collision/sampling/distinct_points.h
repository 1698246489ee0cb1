// SPDX-License-Identifier: MIT
/// Points without their repetitions: the corners of neighbouring pieces are the same, bit for bit.
#pragma once

#include <nearmiss/primitives.h>
#include <nearmiss/split_mix.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// Keeps its memory when it is emptied.
class DistinctPoints {
 public:
  /// Empties the set and makes room for `most` points.
  void start(std::size_t most) {
    points_.clear();
    points_.reserve(most);
    ++epoch_;
    // Few points keep to few slots, however many there are
    mask_ = std::bit_ceil(2 * most) - 1;
    if (slots_.size() <= mask_) slots_.resize(mask_ + 1);
  }
  /// Adds `point` unless it is there; its index in points(). @pre no more than `most` were added
  std::uint32_t add(const Vec3& point) {
    for (std::size_t at = hashOf(point) & mask_;; at = (at + 1) & mask_) {
      Slot& slot = slots_[at];
      if (slot.epoch != epoch_) {
        slot = {epoch_, static_cast<std::uint32_t>(points_.size())};
        points_.push_back(point);
        return slot.index;
      }
      if (points_[slot.index] == point) return slot.index;
    }
  }
  /// In the order in which they came.
  [[nodiscard]] std::span<const Vec3> points() const noexcept { return points_; }

  /// Equal for equal points, and in its low bits unlike for others.
  [[nodiscard]] static std::size_t hashOf(const Vec3& point) noexcept {
    // 0 and -0 are one number. Round numbers end in zeros, which products keep: hence the turns
    std::uint64_t hash = 0;
    for (const Real number : {point.x, point.y, point.z})
      hash = std::rotl(hash * 0x9e3779b97f4a7c15u, 32) ^ std::bit_cast<std::uint64_t>(number + 0.0);
    return static_cast<std::size_t>(SplitMix(hash).bits());
  }

 private:
  struct Slot {
    std::uint64_t epoch = 0;
    std::uint32_t index = 0;
  };
  std::vector<Vec3> points_;
  std::vector<Slot> slots_;
  std::size_t mask_ = 0;
  std::uint64_t epoch_ = 0;
};

}  // namespace nearmiss
