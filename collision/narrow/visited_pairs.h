// SPDX-License-Identifier: MIT
/// Pairs of spheres or triangles that were visited before: the most recent few thousand, or all. In
/// a DAG, several pairs of parents lead to the same pair.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// A direct-mapped cache: one pair per slot. A pair that was replaced is examined again, which
/// costs time only.
class RecentPairs {
 public:
  /// Without `room`, nothing may be added.
  explicit RecentPairs(bool room) : slots_(room ? std::size_t{1} << bits : 0) {}

  /// Discards everything in constant time.
  void clear() noexcept { ++stamp_; }

  /// Adds a pair. Returns true if it is new.
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

/// A set of pairs of numbers. Grows to the largest set ever held and then allocates no more.
class VisitedPairs {
 public:
  /// Discards everything.
  void clear() noexcept {
    ++generation_;
    size_ = 0;
  }

  /// Adds a pair. Returns true if it is new.
  bool add(std::uint32_t a, std::uint32_t b) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    Slot& slot = find(a, b);
    if (slot.generation == generation_) return false;
    slot = {a, b, generation_};
    ++size_;
    return true;
  }

 private:
  struct Slot {
    std::uint32_t a = 0, b = 0;
    std::uint64_t generation = 0;
  };

  /// Returns the slot of the pair, or the free slot where it belongs.
  Slot& find(std::uint32_t a, std::uint32_t b) noexcept {
    std::uint64_t key = (std::uint64_t{a} << 32 | b) * 0x9e3779b97f4a7c15;
    key ^= key >> 32;
    for (std::size_t at = key & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[at];
      if (slot.generation != generation_ || (slot.a == a && slot.b == b)) return slot;
    }
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.generation == generation_) find(slot.a, slot.b) = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  ///< a power of two
  std::size_t size_ = 0;
  std::uint64_t generation_ = 1;
};

}  // namespace nearmiss
