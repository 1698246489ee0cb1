// SPDX-License-Identifier: MIT
/// Counts preemptions of this thread, a possible cause of overruns.
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace nearmiss::app {

/// Returns the involuntary context switches of the calling thread so far. On a virtual machine,
/// preemption by the host is not included.
[[nodiscard]] inline std::uint64_t preemptions() noexcept {
  rusage usage{};
  if (::getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return static_cast<std::uint64_t>(usage.ru_nivcsw);
}

}  // namespace nearmiss::app
