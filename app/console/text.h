// SPDX-License-Identifier: MIT
/// Formats distances, scored runs, and texts from files.
#pragma once

#include <engine/game/best_runs.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <string>
#include <string_view>

namespace nearmiss::app {

/// Uses three digits, in metres from 1 m: "0.52 cm", "57.7 cm", "2.14 m"; "no bound" for infinity.
[[nodiscard]] inline std::string gapText(double metres) {
  if (!std::isfinite(metres)) return "no bound";
  const double size = std::abs(metres), cm = 100.0 * size;
  // Values that round to 0 have no sign
  const std::string_view sign = metres < 0.0 && cm >= 0.005 ? "-" : "";
  if (cm < 99.95) return fmt::format("{}{:.{}f} cm", sign, cm, cm < 9.995 ? 2 : 1);
  return fmt::format("{}{:.{}f} m", sign, size, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

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

/// Replaces control characters by `?`, because a terminal would execute them.
[[nodiscard]] inline std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return shown;
}

}  // namespace nearmiss::app
