// SPDX-License-Identifier: MIT
/// Pieces of a frame's work that do not depend on each other, shared out over workers.
#pragma once

#include <nearmiss/detail/shared_work.h>

#include <cstddef>

namespace nearmiss::engine {

/// A piece takes tens of microseconds, and keeps one thread busy.
inline constexpr std::size_t minSharedPieces = 2;

/// Calls act(index) once for every index below `count`.
void forEachPiece(WorkerPool* pool, std::size_t count, const auto& act) {
  shareOut(pool, count, minSharedPieces, act);
}

}  // namespace nearmiss::engine
