// SPDX-License-Identifier: MIT
/// Work that does not depend on its order, shared out over the workers of a pool.
#pragma once

#include <nearmiss/worker_pool.h>

#include <atomic>
#include <cstddef>

namespace nearmiss {

/// Calls act(index) once for every index below `count`; on all workers of the pool, if there is one
/// and there are at least `minShared`: with fewer, other threads would come too late.
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
