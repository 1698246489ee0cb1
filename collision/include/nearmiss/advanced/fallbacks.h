// SPDX-License-Identifier: MIT
/// Counts how often a method fell back to a simpler one. Results stay correct, but measurements
/// then describe the simpler method, at least in part.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nearmiss {

/// The kinds of fallback.
enum class Fallback : std::uint8_t {
  LinCannyFlat,      ///< A hull without faces, which the feature walk cannot use.
  LinCannyLost,      ///< a feature walk whose result no planes confirmed
  ScheduleAllPairs,  ///< a call with too many bodies for a heap of all pairs
  AnnealedApart,     ///< a tree that was no better than the octree's
  PartitionHalves,   ///< a part of a layout that the multilevel partition did not divide
};

/// One entry of fallbackCatalog().
struct FallbackEntry {
  Fallback kind;
  std::string_view name;     ///< name in records
  std::string_view meaning;  ///< a clause: which method fell back to which
};
[[nodiscard]] std::span<const FallbackEntry> fallbackCatalog() noexcept;

/// Counts one fallback. Thread-safe.
void countFallback(Fallback kind) noexcept;
/// Returns the count of the whole process so far.
[[nodiscard]] std::uint64_t fallbacks(Fallback kind) noexcept;
/// Returns the count of the calling thread so far.
[[nodiscard]] std::uint64_t fallbacksHere(Fallback kind) noexcept;

/// Returns one line for each kind with a nonzero count: count, name and meaning.
[[nodiscard]] std::string fallbackLines();

}  // namespace nearmiss
