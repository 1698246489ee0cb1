// SPDX-License-Identifier: MIT
/// Cancellation as an exhausted budget of time, which all queries heed.
#pragma once

#include <nearmiss/time_budget.h>

#include <atomic>

namespace nearmiss::engine {

/// Stands still until a flag is set; then every budget of it is exhausted, one without a deadline
/// too. The flag may be null, and outlives this.
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
