// SPDX-License-Identifier: MIT
/// Cancels queries by exhausting their time budget.
#pragma once

#include <nearmiss/time_budget.h>

#include <atomic>

namespace nearmiss::engine {

/// A clock that stands still until a flag is set; then all its budgets are exhausted, even those
/// without a deadline. The flag may be null and must outlive the clock.
class CancellationClock final : public Clock {
 public:
  explicit CancellationClock(const std::atomic<bool>* cancelled) noexcept : flag_(cancelled) {}

  [[nodiscard]] bool cancelled() const noexcept { return flag_ && *flag_; }
  [[nodiscard]] Duration now() const noexcept override {
    return cancelled() ? Duration::max() : Duration{};
  }
  [[nodiscard]] bool shareable() const noexcept override { return true; }
  [[nodiscard]] TimeBudget budget() noexcept { return {*this, Duration::max()}; }

 private:
  const std::atomic<bool>* flag_;
};

}  // namespace nearmiss::engine
