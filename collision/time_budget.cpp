// SPDX-License-Identifier: MIT
#include <nearmiss/time_budget.h>

namespace nearmiss {

Clock::Duration SteadyClock::now() const noexcept {
  return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace nearmiss
