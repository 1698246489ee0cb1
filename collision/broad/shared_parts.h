// SPDX-License-Identifier: MIT
/// Parts of a call of a broad phase, shared out over the workers of a pool. What a part finds it
/// keeps for itself, so that the caller can go through the parts in their order, whoever did them.
#pragma once

#include <nearmiss/detail/shared_work.h>

#include <algorithm>
#include <cstddef>

namespace nearmiss {

/// A part takes some microseconds.
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
