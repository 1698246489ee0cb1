// SPDX-License-Identifier: MIT
/// Work counted as it is done and handed to the budget a quantum at a time.
#pragma once

#include <nearmiss/time_budget.h>

#include <cstdint>

namespace nearmiss {

class WorkMeter {
 public:
  /// Bound tests between two looks at the budget: about a microsecond.
  static constexpr std::uint64_t quantum = 1024;
  /// The cost of comparing two triangles, or two boxes, in tests of bounds.
  static constexpr std::uint64_t triangleTest = 50, boxTest = 24;

  void reset() noexcept { total_ = open_ = {}; }

  /// Work not yet charged to the budget; add to it.
  [[nodiscard]] WorkCount& open() noexcept { return open_; }

  /// After a quantum of work: charges it, and returns whether the budget is spent.
  [[nodiscard]] bool outOfTime(const TimeBudget& budget) noexcept {
    if (open_.boundTests + triangleTest * open_.triangleTests < quantum) return false;
    const WorkCount spent = open_;
    total_ += spent;
    open_ = {};
    return budget.spend(spent);
  }

  /// Charges what is left of a quantum.
  void settle(const TimeBudget& budget) noexcept {
    total_ += open_;
    budget.spend(open_);
    open_ = {};
  }

  /// All work charged to the budget.
  [[nodiscard]] WorkCount total() const noexcept { return total_; }

 private:
  WorkCount total_, open_;
};

}  // namespace nearmiss
