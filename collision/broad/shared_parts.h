// SPDX-License-Identifier: MIT
/// Divides a broad-phase call into parts for the workers of a pool. Each part stores its own
/// results, so that the caller can read them in order of parts, independently of which worker
/// produced them.
#pragma once

#include <nearmiss/detail/shared_work.h>

#include <algorithm>
#include <cstddef>

namespace nearmiss {

/// Fewer parts run on the calling thread. A part takes a few microseconds.
inline constexpr std::size_t minSharedParts = 3;

[[nodiscard]] inline std::size_t partCount(std::size_t items, std::size_t partSize) noexcept {
  return (items + partSize - 1) / partSize;
}

/// Calls act(part, first item, end of items) once for every part of `partSize` items.
void forEachPart(WorkerPool* pool, std::size_t items, std::size_t partSize, const auto& act) {
  shareOut(pool, partCount(items, partSize), minSharedParts, [&](std::size_t part) {
    act(part, part * partSize, std::min(items, (part + 1) * partSize));
  });
}

}  // namespace nearmiss
