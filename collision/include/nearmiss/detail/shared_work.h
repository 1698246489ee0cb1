// SPDX-License-Identifier: MIT
/// Distributes work that does not depend on its order over the workers of a pool.
#pragma once

#include <nearmiss/advanced/worker_pool.h>

#include <atomic>
#include <cstddef>

namespace nearmiss {

/// Calls act(index) once for every index below `count`. Uses all workers of the pool, if there is
/// one and `count` is at least `minShared`; for less work, other threads would wake too late.
void shareOut(WorkerPool* pool, std::size_t count, std::size_t minShared, const auto& act) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](int) {
    for (std::size_t i = next++; i < count; i = next++) act(i);
  };
  if (pool && count >= minShared)
    pool->run(work);
  else
    work(0);
}

}  // namespace nearmiss
