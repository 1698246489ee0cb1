// SPDX-License-Identifier: MIT
/// The threads that `run` and `fly` share their frames' work among.
#pragma once

#include <nearmiss/worker_pool.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "options.h"

namespace nearmiss::app {

/// As many as --workers says; null for one, which needs no others.
[[nodiscard]] inline std::shared_ptr<WorkerPool> workerPool(const Options& options) {
  const auto cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int workers = options.workers > 0 ? options.workers : cores;
  return workers > 1 ? std::make_shared<WorkerPool>(workers) : nullptr;
}

}  // namespace nearmiss::app
