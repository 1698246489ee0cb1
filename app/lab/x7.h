// SPDX-License-Identifier: MIT
/// `nearmiss lab x7`: Turk's grid or space-time bounds, with BSP trees or sphere trees, on the same
/// recorded states: the whole detector of the paper beside its rival [H93].
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view x7Summary =
    "grid or space-time bounds, BSP trees or sphere trees, on the same recorded states";

struct X7Command : LabCommand {
  std::vector<int> ships{10, 30, 100};  ///< in a flight
  int steps = 400;                      ///< recorded, a twentieth of a second apart
  int rounds = 5;                       ///< in which everything is timed; the median counts
  std::uint64_t seed = 1;
};

/// Fills what compares the detectors with the grid and BSP trees.
void finishX7(LabResult& result);

/// Prints a table; writes x7. Returns an ExitCode: ValidationFailed where detectors find different
/// contacts.
int runX7(const X7Command& command);

}  // namespace nearmiss::app
