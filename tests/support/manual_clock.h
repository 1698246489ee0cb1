// SPDX-License-Identifier: MIT
/// A clock that tests move by hand.
#pragma once

#include <nearmiss/time_budget.h>

namespace nearmiss {

/// A clock that moves only by advance(), and by `perReading` at every now().
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Duration perReading = {}) noexcept : perReading_(perReading) {}
  void advance(Duration by) noexcept { now_ += by; }
  [[nodiscard]] Duration now() const noexcept override { return now_ += perReading_; }

 private:
  Duration perReading_;
  mutable Duration now_{};
};

}  // namespace nearmiss
