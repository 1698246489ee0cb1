// SPDX-License-Identifier: MIT
#include <nearmiss/time_budget.h>

#include <algorithm>

namespace nearmiss {

Clock::Duration SteadyClock::now() const noexcept {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

TimeBudget TimeBudget::share(std::size_t parts, Clock::Duration minimum) const noexcept {
  TimeBudget some = *this;
  if (!limited()) return some;
  const Clock::Duration now = clock_->now();
  if (now >= end_) return some;
  const Clock::Duration left = end_ - now;
  some.end_ =
      now + std::max(left / static_cast<Clock::Duration::rep>(parts), std::min(minimum, left));
  return some;
}

}  // namespace nearmiss
