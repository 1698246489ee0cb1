// SPDX-License-Identifier: MIT
/// Formats gaps, bounds and other distances between ships.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace nearmiss::app {

/// Uses three digits, in metres from 1 m: "0.52 cm", "57.7 cm", "2.14 m"; "no bound" for infinity.
[[nodiscard]] inline std::string gapText(double metres) {
  if (!std::isfinite(metres)) return "no bound";
  const double cm = 100.0 * metres;
  if (cm < 99.95) return fmt::format("{:.{}f} cm", cm, cm < 9.995 ? 2 : 1);
  return fmt::format("{:.{}f} m", metres, metres < 9.995 ? 2 : metres < 99.95 ? 1 : 0);
}

}  // namespace nearmiss::app
