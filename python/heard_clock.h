// SPDX-License-Identifier: MIT
/// Wall time that ends when Python is interrupted.
#pragma once

#include <nearmiss/time_budget.h>

#include <optional>

namespace nearmiss::python {

/// A clock for one call of the thread that reads it, which has released the GIL. It polls for
/// signals. After Ctrl-C, or once Python exits, all its budgets are exhausted.
class HeardClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override;

  /// Starts a budget. Without `seconds`, only an interruption ends it.
  /// @throws Failure unless `seconds` is from 0 to 1e6
  [[nodiscard]] TimeBudget budget(std::optional<double> seconds);

  [[nodiscard]] bool interrupted() const noexcept;
  /// @pre the GIL is held
  /// @throws KeyboardInterrupt, or the exception of the signal's handler, after a signal
  void raiseIfInterrupted() const;
  /// As raiseIfInterrupted(), and also for results that are not `complete` because Python exits.
  /// @throws Failure in that case
  void raiseUnless(bool complete) const;

 private:
  SteadyClock wall_;
  mutable Duration looked_{};
  mutable bool interrupted_ = false;
};

}  // namespace nearmiss::python
