// SPDX-License-Identifier: MIT
/// The threads that `run` and `fly` share their frames' work among.
#pragma once

#include <nearmiss/worker_pool.h>

#include <memory>

#include "options.h"
#include "thread_count.h"

namespace nearmiss::app {

/// As many as --workers says; null for one, which needs no others.
[[nodiscard]] inline std::shared_ptr<WorkerPool> workerPool(const Options& options) {
  const int workers = threadsOf(options.workers);
  return workers > 1 ? std::make_shared<WorkerPool>(workers) : nullptr;
}

}  // namespace nearmiss::app
