// SPDX-License-Identifier: MIT
/// The number of threads of a command.
#pragma once

#include <nearmiss/advanced/worker_pool.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "command_line/options.h"

namespace nearmiss::app {

/// Returns the requested number of threads; for 0, the number of cores.
[[nodiscard]] inline int threadsOf(int asked) noexcept {
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  return asked > 0 ? asked : cores;
}

// The threads that share the frames' work in `run` and `fly`.

/// Makes a pool of --workers threads; null for one.
[[nodiscard]] inline std::shared_ptr<WorkerPool> workerPool(const Options& options) {
  const int workers = threadsOf(options.workers);
  return workers > 1 ? std::make_shared<WorkerPool>(workers) : nullptr;
}

}  // namespace nearmiss::app
