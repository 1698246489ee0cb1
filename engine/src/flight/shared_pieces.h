// SPDX-License-Identifier: MIT
/// Distributes independent pieces of a frame's work over workers.
#pragma once

#include <nearmiss/detail/shared_work.h>

#include <atomic>
#include <cstddef>

namespace nearmiss::engine {

/// Minimum number of pieces to share; a piece takes tens of microseconds.
inline constexpr std::size_t minSharedPieces = 2;

/// Calls act(index) once for every index below `count`.
void forEachPiece(WorkerPool* pool, std::size_t count, const auto& act) {
  shareOut(pool, count, minSharedPieces, act);
}

/// Calls act(index, worker) likewise. Calls with the same worker do not overlap, and worker is less
/// than workersOf(pool).
void forEachPieceByWorker(WorkerPool* pool, std::size_t count, const auto& act) {
  std::atomic<std::size_t> next{0};
  const auto work = [&](int worker) {
    for (std::size_t i = next++; i < count; i = next++) act(i, static_cast<std::size_t>(worker));
  };
  if (pool && count >= minSharedPieces)
    pool->run(work);
  else
    work(0);
}
[[nodiscard]] inline std::size_t workersOf(const WorkerPool* pool) noexcept {
  return pool ? static_cast<std::size_t>(pool->workers()) : 1;
}

}  // namespace nearmiss::engine
