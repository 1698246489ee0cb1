// SPDX-License-Identifier: MIT
/// The tables of `lab fig15`.
#pragma once

#include <engine/flight/pair_calls.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "lab/result.h"

namespace nearmiss::app::lab {

/// Number of calls in the papers [H96 §11.2].
inline constexpr std::size_t paperCalls = 86'083;

/// Results of one setup. Metres.
struct Fig15Calls {
  std::vector<engine::PairCall> calls;
  /// True distance in each call, rounded down; NaN if it was not computed.
  std::vector<Real> distances;
};

/// Numbers of results that must not occur.
struct Fig15Faults {
  std::size_t missed = 0;    ///< contacts found by BSP trees but not by sphere trees
  std::size_t invented = 0;  ///< contacts found by sphere trees but not by BSP trees
  std::size_t broken = 0;    ///< bounds below the true distance
  [[nodiscard]] bool any() const noexcept { return missed + invented + broken > 0; }
};

/// The tables without rows. The true distance is computed in every distanceEvery-th call.
[[nodiscard]] std::vector<Table> fig15Tables(std::size_t distanceEvery);

/// Adds the rows of one setup.
Fig15Faults addFig15Rows(ExperimentResult& result, std::size_t item, std::string_view setUp,
                         const Fig15Calls& calls);

}  // namespace nearmiss::app::lab
