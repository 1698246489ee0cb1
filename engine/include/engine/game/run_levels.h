// SPDX-License-Identifier: MIT
/// The levels of scored runs: each needs a number of points, and more than the previous one.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace nearmiss::engine {

/// Points that win each level. Flying straight wins the first level, often the third, never the
/// last.
inline constexpr std::array<std::int64_t, 6> runGoals{100, 1'000, 4'000, 12'000, 20'000, 30'000};

struct RunLevel {
  std::size_t number = 1;  ///< from 1
  std::int64_t goal = runGoals.front();
};

/// Returns the level after `won` levels; the last level repeats. A run wins one level at most, so
/// that levels come in order.
[[nodiscard]] constexpr RunLevel levelAfter(std::size_t won) noexcept {
  const std::size_t level = std::min(won, runGoals.size() - 1);
  return {level + 1, runGoals[level]};
}

}  // namespace nearmiss::engine
