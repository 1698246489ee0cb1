// SPDX-License-Identifier: MIT
/// Simulation time in ticks, each about as long as the interval of calls, and a calendar of future
/// events.
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

/// Maximum number of ticks between the present and an entry of a calendar.
inline constexpr std::int64_t calendarReach = 63;

class TickClock {
 public:
  /// Sets the length of a tick from the next restart on; ignored unless above 0 and finite.
  void setResolution(Real seconds) noexcept {
    if (seconds > 0.0 && std::isfinite(seconds)) resolution_ = seconds;
  }

  /// Returns true if the tick length still suits the interval of calls. The next call comes at
  /// `time`.
  [[nodiscard]] bool keepPace(Real time) noexcept {
    const Real step = time - time_;
    if (!(step >= 0.0) || !(time - origin_ < 1e6 * length_)) return false;
    // Results do not depend on the tick length, and steps of wall time vary a little
    constexpr Real little = 1.25;
    if (resolution_ > 0.0) return suits(resolution_, little);
    if (step == 0.0) return true;
    // The second call reveals the interval of calls; later intervals may vary considerably
    return suits(step, std::exchange(secondCall_, false) ? little : 4.0);
  }

  void goOn(Real time) noexcept {
    time_ = time;
    present_ = static_cast<std::int64_t>(std::floor(since(time)));
  }

  /// Restarts at `time`, which becomes tick 0. Ticks are as long as the time since the last call.
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
  /// Returns the time since the origin, in ticks.
  [[nodiscard]] Real since(Real time) const noexcept { return (time - origin_) / length_; }
  /// Returns the tick in which to act so as not to be later than `time`. At least the current tick,
  /// also if times cannot be distinguished; never beyond the reach of a calendar.
  [[nodiscard]] std::int64_t tickBefore(Real time) const noexcept {
    const Real ahead = std::floor(since(time) - 1e-9);
    const std::int64_t last = present_ + calendarReach;
    if (ahead >= static_cast<Real>(last)) return last;
    return ahead > static_cast<Real>(present_) ? static_cast<std::int64_t>(ahead) : present_;
  }
  /// Never later than the first moment of the tick, despite rounding.
  [[nodiscard]] Real timeOf(std::int64_t tick) const noexcept {
    return origin_ + static_cast<Real>(tick) * length_ * (1.0 - 1e-12) - 1e-12 * std::abs(origin_);
  }

 private:
  [[nodiscard]] bool suits(Real seconds, Real most) const noexcept {
    return seconds < most * length_ && seconds > length_ / most;
  }

  /// Tick length assumed before the second call, seconds.
  static constexpr Real firstTick = 0.05;

  Real time_ = 0.0, origin_ = 0.0, length_ = firstTick;
  Real resolution_ = 0.0;  ///< 0 if not set
  std::int64_t present_ = 0;
  bool started_ = false, secondCall_ = false;
};

/// A ring of buckets, one per tick. Tick numbers are chosen by the caller. All buckets share one
/// pool, whose memory is reused.
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

  /// Advances to `present` and passes every due entry to `take`, which may add later ones.
  template <class Take>
  void advance(std::int64_t present, const Take& take) {
    const std::int64_t before = present_;
    const std::int64_t last = present < before + reach ? present : before + reach;
    present_ = present;
    for (std::int64_t tick = before + 1; tick <= last; ++tick) {
      // Empty the bucket first: an entry added one ring further on goes into the same bucket
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

  /// Removes entries that are over, if there are more than twice as many as were left last time.
  /// Each tick keeps at least one entry, so that nextTick() does not change; the others keep their
  /// order.
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

  /// Returns the first tick after the present that has an entry, or present + reach + 1.
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
  std::size_t count_ = 0, countLeft_ = 0;  ///< number of entries, now and after the last forgetIf()
};

}  // namespace nearmiss
