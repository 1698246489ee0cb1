// SPDX-License-Identifier: MIT
/// `nearmiss lab budget`: how far detection goes beyond its allowance, by allowance, number of
/// ships and load of the machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view budgetSummary =
    "overrun of detection beyond its allowance, by ships and load of the machine";

struct BudgetCommand : LabCommand {
  std::vector<int> ships{10, 100, 1000};
  std::vector<double> allowancesUs{20.0, 100.0, 500.0};
  std::vector<int> busyThreads{0, 1, 2};  ///< of its own, that do nothing but take cores
  std::uint64_t frames = 1500;            ///< of each flight
  std::uint64_t seed = 42;
};

/// Prints a table; writes budget. Returns an ExitCode.
int runBudget(const BudgetCommand& command);

}  // namespace nearmiss::app
