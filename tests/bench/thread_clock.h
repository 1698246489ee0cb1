// SPDX-License-Identifier: MIT
/// CPU time of the calling thread: what another program takes meanwhile does not count.
#pragma once

#include <nearmiss/time_budget.h>

#include <chrono>
#include <ctime>

namespace nearmiss::bench {

class ThreadClock final : public Clock {
 public:
  [[nodiscard]] Duration now() const noexcept override {
    timespec time{};
    if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return {};
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
};

[[nodiscard]] inline double microsOf(Clock::Duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

}  // namespace nearmiss::bench
