// SPDX-License-Identifier: MIT
/// The time that one call may spend, the clock that measures it, and counts of the work done.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace nearmiss {

/// Counts of work, to compare methods on any machine and to advance the work clock.
struct WorkCount {
  std::uint64_t boundTests = 0;     ///< sphere against sphere, box against box, point against plane
  std::uint64_t triangleTests = 0;  ///< triangle against triangle, exactly
  WorkCount& operator+=(const WorkCount& more) noexcept {
    boundTests += more.boundTests;
    triangleTests += more.triangleTests;
    return *this;
  }
};

/// A source of time that tests and repeatable runs can drive by hand.
class Clock {
 public:
  using Duration = std::chrono::nanoseconds;
  virtual ~Clock() = default;
  /// Time since an arbitrary start; never decreases.
  [[nodiscard]] virtual Duration now() const noexcept = 0;
  /// Called for every piece of work done under a budget of this clock.
  virtual void charge(const WorkCount&) noexcept {}
  /// Returns true if several threads may read and charge it concurrently.
  [[nodiscard]] virtual bool shareable() const noexcept { return false; }
};

/// Wall time. One reading costs as much as several sphere tests, so read it once per quantum of
/// work.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override;
  [[nodiscard]] bool shareable() const noexcept override { return true; }
};

/// A clock that advances by counted work at fixed prices. Time-critical runs are then repeatable
/// bit for bit on any machine.
class WorkClock final : public Clock {
 public:
  static constexpr Duration boundTestPrice{5};
  static constexpr Duration triangleTestPrice{200};
  [[nodiscard]] Duration now() const noexcept override { return now_; }
  void charge(const WorkCount& work) noexcept override {
    now_ += boundTestPrice * work.boundTests + triangleTestPrice * work.triangleTests;
  }
  void advance(Duration by) noexcept { now_ += by; }

 private:
  Duration now_{};
};

/// A deadline on one clock. Cheap to copy. The clock must outlive it.
class TimeBudget {
 public:
  [[nodiscard]] static TimeBudget unlimited() noexcept { return TimeBudget(); }
  /// Starts now. An allowance of zero or less is exhausted immediately; one beyond the range of the
  /// clock never is.
  TimeBudget(Clock& clock, Clock::Duration allowance) noexcept
      : clock_(&clock), end_(endOf(clock.now(), allowance)) {}
  [[nodiscard]] bool exhausted() const noexcept { return clock_ && clock_->now() >= end_; }
  /// Charges a quantum of work to the clock. Returns true if no time is left.
  bool spend(const WorkCount& work) const noexcept {
    if (!clock_) return false;
    clock_->charge(work);
    return clock_->now() >= end_;
  }
  /// Returns true if time can run out at all.
  [[nodiscard]] bool limited() const noexcept { return clock_ && end_ != Clock::Duration::max(); }
  /// Returns true if several threads may work under it concurrently.
  [[nodiscard]] bool shareable() const noexcept { return !clock_ || clock_->shareable(); }
  /// Returns a budget with one of `parts` equal shares of the remaining time, but at least
  /// `minimum` as far as that much is left.
  /// @pre parts > 0
  [[nodiscard]] TimeBudget share(std::size_t parts, Clock::Duration minimum = {}) const noexcept;
  /// Returns a budget with half of the remaining time.
  [[nodiscard]] TimeBudget halved() const noexcept { return share(2); }
  /// Returns a budget on the same clock without a deadline: work is charged, but time never runs
  /// out.
  [[nodiscard]] TimeBudget withoutDeadline() const noexcept {
    TimeBudget open = *this;
    open.end_ = Clock::Duration::max();
    return open;
  }

 private:
  TimeBudget() = default;
  /// Returns the sum, clamped to Duration::min() and Duration::max().
  [[nodiscard]] static Clock::Duration endOf(Clock::Duration now,
                                             Clock::Duration allowance) noexcept {
    using Duration = Clock::Duration;
    if (allowance > Duration::zero())
      return now > Duration::max() - allowance ? Duration::max() : now + allowance;
    return now < Duration::min() - allowance ? Duration::min() : now + allowance;
  }
  Clock* clock_ = nullptr;  ///< null: unlimited
  Clock::Duration end_{};
};

}  // namespace nearmiss
