// SPDX-License-Identifier: MIT
/// How often the machine took this thread's core away: what a time that was overrun may be due to.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace nearmiss::app {

/// Involuntary context switches of the calling thread so far. Another machine's demand for the core
/// that this one only imagines is not among them.
[[nodiscard]] inline std::uint64_t preemptions() noexcept {
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

}  // namespace nearmiss::app
