// SPDX-License-Identifier: MIT
/// Formats a scored run.
#pragma once

#include <engine/game/best_runs.h>
#include <fmt/format.h>

#include <chrono>
#include <string>

namespace nearmiss::app {

/// "45 us", "9.8 ms", "unlimited".
[[nodiscard]] inline std::string budgetText(std::chrono::nanoseconds budget) {
  if (budget == std::chrono::nanoseconds::max()) return "unlimited";
  const double us = std::chrono::duration<double, std::micro>(budget).count();
  return us < 1000.0 ? fmt::format("{:.0f} us", us) : fmt::format("{:.3g} ms", 1e-3 * us);
}

/// "2026-01-31 17:45, lamps, seed 42, budget 45 us to 9.8 ms".
[[nodiscard]] inline std::string runText(const engine::BestRun& run) {
  const std::string least = budgetText(run.minBudget), most = budgetText(run.maxBudget);
  return fmt::format("{}, {}, seed {}, budget {}", run.date, run.scene, run.seed,
                     least == most ? least : least + " to " + most);
}

}  // namespace nearmiss::app
