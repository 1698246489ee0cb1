// SPDX-License-Identifier: MIT
/// The tables of `lab fig15`.
#pragma once

#include <engine/flight/pair_calls.h>

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

/// What one set-up gave. Metres.
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

/// Adds the tables to the result, without rows.
void addFig15Tables(LabResult& result);

/// Adds the rows of one set-up.
Fig15Faults addFig15Rows(LabResult& result, std::size_t item, std::string_view setUp,
                         const Fig15Calls& calls);

}  // namespace nearmiss::app
