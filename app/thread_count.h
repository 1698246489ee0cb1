// SPDX-License-Identifier: MIT
/// How many threads a command uses.
#pragma once

#include <algorithm>
#include <thread>

namespace nearmiss::app {

/// As many as were asked for; for 0 as many as the machine has cores.
[[nodiscard]] inline int threadsOf(int asked) noexcept {
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return asked > 0 ? asked : cores;
}

}  // namespace nearmiss::app
