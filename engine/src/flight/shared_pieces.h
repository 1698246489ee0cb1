// SPDX-License-Identifier: MIT
/// Pieces of a frame's work that do not depend on each other, shared out over workers.
#pragma once

#include <nearmiss/worker_pool.h>

#include <atomic>
#include <cstddef>

namespace nearmiss::engine {

/// One piece keeps one thread busy.
inline constexpr std::size_t minSharedPieces = 2;

/// Calls act(index) once for every index below `count`; on all workers of the pool, if there is one
/// and there are minSharedPieces. A piece should take tens of microseconds.
void forEachPiece(WorkerPool* pool, std::size_t count, const auto& act) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](int) {
    for (std::size_t i = next++; i < count; i = next++) act(i);
  };
  if (pool && count >= minSharedPieces)
    pool->run(work);
  else
    work(0);
}

}  // namespace nearmiss::engine
