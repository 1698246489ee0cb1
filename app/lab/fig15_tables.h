// SPDX-License-Identifier: MIT
/// The tables of `lab fig15`.
#pragma once

#include <engine/flight/pair_calls.h>

#include <cstddef>
#include <string_view>
#include <vector>

#include "lab/result.h"

namespace nearmiss::app::lab {

/// The papers' number of calls [H96 §11.2].
inline constexpr std::size_t paperCalls = 86'083;

/// Results of one set-up. Metres.
struct Fig15Calls {
  std::vector<engine::PairCall> calls;
  /// The true distance in each call, rounded down; not a number where it was not sought.
  std::vector<Real> distances;
};

/// How often something was found that must not be.
struct Fig15Faults {
  std::size_t missed = 0;    ///< contacts of the BSP trees that the sphere trees do not have
  std::size_t invented = 0;  ///< the reverse
  std::size_t broken = 0;    ///< bounds below the true distance
  [[nodiscard]] bool any() const noexcept { return missed + invented + broken > 0; }
};

/// The tables without rows. The true distance is sought in every distanceEvery-th call.
[[nodiscard]] std::vector<Table> fig15Tables(std::size_t distanceEvery);

/// Adds the rows of one set-up.
Fig15Faults addFig15Rows(ExperimentResult& result, std::size_t item, std::string_view setUp,
                         const Fig15Calls& calls);

}  // namespace nearmiss::app::lab
