// SPDX-License-Identifier: MIT
/// Counts of the times that a method gave way to a simpler one. Answers stay right; but what was
/// measured then is not, or not alone, what was asked for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss {

enum class Fallback : std::uint8_t {
  LinCannyFlat,      ///< a hull without faces, which a walk over features cannot use
  LinCannyLost,      ///< a walk whose end no planes confirmed
  ScheduleAllPairs,  ///< a call with too many bodies for a heap of all pairs
  AnnealedApart,     ///< a tree that the octree's was no worse than
  PartitionHalves,   ///< a part of a layout that the multilevel partition left whole
};

struct FallbackEntry {
  Fallback kind;
  std::string_view name;     ///< in records
  std::string_view meaning;  ///< a clause: what gave way to what
};
[[nodiscard]] std::span<const FallbackEntry> fallbackCatalog() noexcept;

/// Counts one more, in any thread.
void countFallback(Fallback kind) noexcept;
/// Those of the whole process so far.
[[nodiscard]] std::uint64_t fallbacks(Fallback kind) noexcept;
/// Those of the calling thread so far.
[[nodiscard]] std::uint64_t fallbacksHere(Fallback kind) noexcept;

/// A line for each kind that the process has counted: how often, its name, its meaning.
[[nodiscard]] std::string fallbackLines();

}  // namespace nearmiss
