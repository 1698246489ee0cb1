// SPDX-License-Identifier: MIT
/// Pairs of spheres or triangles that were met before, of the last some thousands.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// One pair a slot: a pair that another one has replaced is looked at once more, which only costs.
class RecentPairs {
 public:
  /// Without `room` nothing may be added.
  explicit RecentPairs(bool room) : slots_(room ? std::size_t{1} << bits : 0) {}

  /// Forgets everything, at no cost.
  void clear() noexcept { ++stamp_; }

  /// Whether the pair is new.
  bool add(std::uint32_t a, std::uint32_t b) noexcept {
    NEARMISS_ASSERT(!slots_.empty());
    const std::uint64_t pair = std::uint64_t{a} << 32 | b;
    Slot& slot = slots_[static_cast<std::size_t>((pair * 0x9e3779b97f4a7c15) >> (64 - bits))];
    if (slot.stamp == stamp_ && slot.pair == pair) return false;
    slot = {pair, stamp_};
    return true;
  }

 private:
  static constexpr int bits = 12;
  struct Slot {
    std::uint64_t pair = 0, stamp = 0;
  };
  std::vector<Slot> slots_;
  std::uint64_t stamp_ = 1;
};

}  // namespace nearmiss
