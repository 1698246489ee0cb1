// SPDX-License-Identifier: MIT
/// How long this thread has worked, without the time for which the system gave its core to others.
#pragma once

#include <chrono>
#include <ctime>

namespace nearmiss::app {

[[nodiscard]] inline std::chrono::nanoseconds threadTime() noexcept {
  std::timespec time{};
  if (::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace nearmiss::app
