// SPDX-License-Identifier: MIT
/// Wall time that ends when Python is interrupted.
#pragma once

#include <nearmiss/time_budget.h>

#include <optional>

namespace nearmiss::python {

/// A clock for one call of the thread that reads it, which has released the GIL. From time to time
/// it looks for signals; from Ctrl-C on, or once Python ends, every budget of it is exhausted.
class HeardClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override;

  /// Starts now. Without `seconds` only an interruption ends it.
  /// @throws Failure unless 0 to 1e6
  [[nodiscard]] TimeBudget budget(std::optional<double> seconds);

  [[nodiscard]] bool interrupted() const noexcept;
  /// @pre the GIL is held
  /// @throws KeyboardInterrupt, or what the handler of the signal raised, if it was a signal
  void raiseIfInterrupted() const;
  /// Likewise, and for answers that are not `complete` because Python ends.
  /// @throws Failure then
  void raiseUnless(bool complete) const;

 private:
  SteadyClock wall_;
  mutable Duration looked_{};
  mutable bool interrupted_ = false;
};

}  // namespace nearmiss::python
