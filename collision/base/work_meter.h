// SPDX-License-Identifier: MIT
/// Counts work as it is done and charges it to the budget one quantum at a time.
#pragma once

#include <nearmiss/time_budget.h>

#include <cstdint>

namespace nearmiss {

class WorkMeter {
 public:
  /// Bound tests between two checks of the budget: about a microsecond.
  static constexpr std::uint64_t quantum = 1024;
  /// The cost of comparing two triangles, or two boxes, in bound tests.
  static constexpr std::uint64_t triangleTest = 50, boxTest = 24;

  void reset() noexcept { total_ = open_ = {}; }

  /// Returns the work not yet charged to the budget, to be incremented.
  [[nodiscard]] WorkCount& open() noexcept { return open_; }

  /// Call after a quantum of work: charges it, and returns true if the budget is exhausted.
  [[nodiscard]] bool outOfTime(const TimeBudget& budget) noexcept {
    if (open_.boundTests + triangleTest * open_.triangleTests < quantum) return false;
    const WorkCount spent = open_;
    total_ += spent;
    open_ = {};
    return budget.spend(spent);
  }

  /// Charges the remaining part of a quantum.
  void settle(const TimeBudget& budget) noexcept {
    total_ += open_;
    budget.spend(open_);
    open_ = {};
  }

  /// Returns all work charged to the budget.
  [[nodiscard]] WorkCount total() const noexcept { return total_; }

 private:
  WorkCount total_, open_;
};

}  // namespace nearmiss
