// SPDX-License-Identifier: MIT
/// Simulation time in ticks of about the time between two calls, and a calendar of future events.
#pragma once

#include <nearmiss/detail/assertion.h>
#include <nearmiss/math.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace nearmiss {

/// How far ahead of the present an entry of a calendar may lie, in ticks.
inline constexpr std::int64_t calendarReach = 63;

class TickClock {
 public:
  /// Fixes the length of a tick from the next restart on; ignored unless above 0 and finite.
  void setResolution(Real seconds) noexcept {
    if (seconds > 0.0 && std::isfinite(seconds)) resolution_ = seconds;
  }

  /// True if ticks of that length still suit the calls, the next of which comes at `time`.
  [[nodiscard]] bool keepPace(Real time) noexcept {
    const Real step = time - time_;
    if (!(step >= 0.0) || !(time - origin_ < 1e6 * length_)) return false;
    // Answers do not depend on the length of a tick, and steps of wall time vary a little
    constexpr Real little = 1.25;
    if (resolution_ > 0.0) return suits(resolution_, little);
    if (step == 0.0) return true;
    // The second call shows the interval of calls; later ones may vary a good deal
    return suits(step, std::exchange(secondCall_, false) ? little : 4.0);
  }

  void goOn(Real time) noexcept {
    time_ = time;
    present_ = static_cast<std::int64_t>(std::floor(since(time)));
  }

  /// Restarts at `time`, tick 0, with ticks as long as the time since the last call.
  void restart(Real time) noexcept {
    const Real step = time - time_;
    secondCall_ = !started_;
    if (started_ && step > 0.0 && std::isfinite(step)) length_ = step;
    if (resolution_ > 0.0) length_ = resolution_;
    started_ = true;
    time_ = origin_ = time;
    present_ = 0;
  }

  [[nodiscard]] Real time() const noexcept { return time_; }
  [[nodiscard]] Real length() const noexcept { return length_; }
  [[nodiscard]] std::int64_t present() const noexcept { return present_; }
  /// In ticks.
  [[nodiscard]] Real since(Real time) const noexcept { return (time - origin_) / length_; }
  /// The tick to act in so as not to be later than `time`: the present one at least, at once where
  /// times have no difference, and none that a calendar does not reach.
  [[nodiscard]] std::int64_t tickBefore(Real time) const noexcept {
    const Real ahead = std::floor(since(time) - 1e-9);
    const std::int64_t last = present_ + calendarReach;
    if (ahead >= static_cast<Real>(last)) return last;
    return ahead > static_cast<Real>(present_) ? static_cast<std::int64_t>(ahead) : present_;
  }
  /// Never after the first moment of the tick, whatever the rounding.
  [[nodiscard]] Real timeOf(std::int64_t tick) const noexcept {
    return origin_ + static_cast<Real>(tick) * length_ * (1.0 - 1e-12) - 1e-12 * std::abs(origin_);
  }

 private:
  [[nodiscard]] bool suits(Real seconds, Real most) const noexcept {
    return seconds < most * length_ && seconds > length_ / most;
  }

  /// The call length assumed before the second call, seconds.
  static constexpr Real firstTick = 0.05;

  Real time_ = 0.0, origin_ = 0.0, length_ = firstTick;
  Real resolution_ = 0.0;  ///< 0 until it is set
  std::int64_t present_ = 0;
  bool started_ = false, secondCall_ = false;
};

/// Ticks are whole numbers of the caller's choice. All buckets share one pool, which is kept.
template <class Entry>
class TickCalendar {
 public:
  static constexpr std::int64_t reach = calendarReach;

  TickCalendar() { clear(0); }

  void clear(std::int64_t present) noexcept {
    heads_.fill(none);
    pool_.clear();
    free_ = none;
    present_ = present;
    count_ = countLeft_ = 0;
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
    ++count_;
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
        release(node);
        node = due.next;
        take(due.entry);
      }
    }
  }

  /// Removes entries that are over, if there are more than twice as many as were left the last
  /// time. Each tick keeps one at least, so that nextTick() stays; the others keep their order.
  void forgetIf(const auto& isOver) {
    if (count_ <= 2 * countLeft_) return;
    for (std::uint32_t& head : heads_)
      for (std::uint32_t* link = &head; *link != none;) {
        const std::uint32_t node = *link;
        const bool isAlone = node == head && pool_[node].next == none;
        if (isAlone || !isOver(pool_[node].entry)) {
          link = &pool_[node].next;
          continue;
        }
        *link = pool_[node].next;
        release(node);
      }
    countLeft_ = count_;
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
  void release(std::uint32_t node) noexcept {
    pool_[node].next = free_;
    free_ = node;
    --count_;
  }

  std::array<std::uint32_t, 64> heads_;
  std::vector<Node> pool_;
  std::uint32_t free_ = none;
  std::int64_t present_ = 0;
  std::size_t count_ = 0, countLeft_ = 0;  ///< entries; those left by forgetIf()
};

}  // namespace nearmiss
