// SPDX-License-Identifier: MIT
/// `nearmiss lab fig15`: sphere trees against BSP trees on the same calls, level by level: how much
/// faster they are [H96 Fig. 15], and how accurate [H96 Fig. 16].
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view fig15Summary =
    "speed-up over BSP trees and separation bounds, call by call, level by level";

/// The papers' number of calls [H96 §11.2].
inline constexpr std::size_t paperCalls = 86'083;

struct Fig15Command : LabCommand {
  std::size_t calls = paperCalls;  ///< at least, of each set-up
  std::size_t distanceEvery = 1;   ///< the true distance is sought in every so-manieth call
  std::uint64_t seed = 42;
};

/// Prints a table; writes fig15, fig15_histogram, fig15_calls, fig16 and fig16_histogram. Returns
/// an ExitCode: ValidationFailed where the methods differ about a contact, or a bound is below the
/// true distance.
int runFig15(const Fig15Command& command);

}  // namespace nearmiss::app
