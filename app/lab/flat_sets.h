// SPDX-License-Identifier: MIT
/// `nearmiss lab flat-sets`: how much volume a given number of spheres that cover a robot's link
/// has outside of it, by several ways to choose them.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view flatSetsSummary =
    "volume outside of ten links of robots, covered by 8 to 256 spheres in five ways";

struct FlatSetsCommand : LabCommand {
  std::vector<std::size_t> counts{8, 16, 32, 64, 128};  ///< spheres at most
  int workers = 0;  ///< 0: as many as cores; never changes the result
};

/// Prints a table; writes flat-sets.csv. Returns an ExitCode: ValidationFailed where spheres that
/// are to cover do not.
int runFlatSets(const FlatSetsCommand& command);

}  // namespace nearmiss::app
