// SPDX-License-Identifier: MIT
/// A calendar queue: future events in a ring of buckets of equal time.
#pragma once

#include <nearmiss/detail/assertion.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Ticks are whole numbers of the caller's choice. All buckets share one pool, which is kept.
template <class Entry>
class TickCalendar {
 public:
  /// How far ahead of the present an entry may lie, in ticks.
  static constexpr std::int64_t reach = 63;

  TickCalendar() { clear(0); }

  void clear(std::int64_t present) noexcept {
    heads_.fill(none);
    pool_.clear();
    free_ = none;
    present_ = present;
  }

  /// @pre present < tick <= present + reach
  void add(std::int64_t tick, const Entry& entry) {
    NEARMISS_ASSERT(present_ < tick && tick <= present_ + reach, present_, tick);
    std::uint32_t node = free_;
    if (node != none) {
      free_ = pool_[node].next;
    } else {
      node = static_cast<std::uint32_t>(pool_.size());
      pool_.emplace_back();
    }
    pool_[node] = {entry, heads_[bucketOf(tick)]};
    heads_[bucketOf(tick)] = node;
  }

  /// Advances to `present` and hands every entry that is due to `take`, which may add later ones.
  template <class Take>
  void advance(std::int64_t present, const Take& take) {
    const std::int64_t before = present_;
    const std::int64_t last = present < before + reach ? present : before + reach;
    present_ = present;
    for (std::int64_t tick = before + 1; tick <= last; ++tick) {
      // Empty the bucket first: a ring further on it is another one
      std::uint32_t node = heads_[bucketOf(tick)];
      heads_[bucketOf(tick)] = none;
      while (node != none) {
        const Node due = pool_[node];
        pool_[node].next = free_;
        free_ = node;
        node = due.next;
        take(due.entry);
      }
    }
  }

  /// The first tick after the present that holds an entry, or present + reach + 1.
  [[nodiscard]] std::int64_t nextTick() const noexcept {
    std::int64_t tick = present_ + 1;
    while (tick <= present_ + reach && heads_[bucketOf(tick)] == none) ++tick;
    return tick;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Node {
    Entry entry;
    std::uint32_t next = none;
  };
  static std::size_t bucketOf(std::int64_t tick) noexcept {
    return static_cast<std::size_t>(tick) % 64;
  }

  std::array<std::uint32_t, 64> heads_;
  std::vector<Node> pool_;
  std::uint32_t free_ = none;
  std::int64_t present_ = 0;
};

}  // namespace nearmiss
