// SPDX-License-Identifier: MIT
/// Pieces of a frame's work that do not depend on each other, shared out over workers.
#pragma once

#include <nearmiss/worker_pool.h>

#include <atomic>
#include <cstddef>

namespace nearmiss::engine {

/// Calls act(index) once for every index below `count`; on all workers of the pool, if there is one
/// and there are `least` pieces: with fewer, other threads would come too late.
void forEachPiece(WorkerPool* pool, std::size_t count, std::size_t least, const auto& act) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](int) {
    for (std::size_t i = next++; i < count; i = next++) act(i);
  };
  if (pool && count >= least)
    pool->run(work);
  else
    work(0);
}

}  // namespace nearmiss::engine
