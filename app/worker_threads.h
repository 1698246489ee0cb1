// SPDX-License-Identifier: MIT
/// The number of threads of a command.
#pragma once

#include <nearmiss/worker_pool.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "options.h"

namespace nearmiss::app {

/// As many as were asked for; for 0 as many as the machine has cores.
[[nodiscard]] inline int threadsOf(int asked) noexcept {
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return asked > 0 ? asked : cores;
}

// The threads that `run` and `fly` share their frames' work among.

/// As many as --workers says; null for one, which needs no others.
[[nodiscard]] inline std::shared_ptr<WorkerPool> workerPool(const Options& options) {
  const int workers = threadsOf(options.workers);
  return workers > 1 ? std::make_shared<WorkerPool>(workers) : nullptr;
}

}  // namespace nearmiss::app
