// SPDX-License-Identifier: MIT
/// Parts of a call of a broad phase, shared out over the workers of a pool. What a part finds it
/// keeps for itself, so that the caller can go through the parts in their order, whoever did them.
#pragma once

#include <nearmiss/worker_pool.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace nearmiss {

/// A broad phase whose calls can be shared.
class SharesWork {
 public:
  virtual ~SharesWork() = default;
  /// Later calls without a limit of time use the workers of a pool, which must outlive them; null
  /// for none. Results do not depend on it.
  virtual void shareWork(WorkerPool* pool) noexcept = 0;
};

/// With fewer parts other threads would come too late.
inline constexpr std::size_t minSharedParts = 3;

[[nodiscard]] inline std::size_t partCount(std::size_t items, std::size_t partSize) noexcept {
  return (items + partSize - 1) / partSize;
}

/// Calls act(part, first item, end of items) once for every part of `partSize` items; on all
/// workers of the pool, if there is one and there are minSharedParts. A part should take some
/// microseconds.
void forEachPart(WorkerPool* pool, std::size_t items, std::size_t partSize, const auto& act) {
  const std::size_t parts = partCount(items, partSize);
  std::atomic<std::size_t> next{0};
  const auto work = [&](int) {
    for (std::size_t part = next++; part < parts; part = next++)
      act(part, part * partSize, std::min(items, (part + 1) * partSize));
  };
  if (pool && parts >= minSharedParts)
    pool->run(work);
  else
    work(0);
}

}  // namespace nearmiss
