// SPDX-License-Identifier: MIT
/// How a gap, a bound on one, or any other distance between ships is written wherever one is.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace nearmiss::app {

/// Always in centimetres, with three digits: "0.52 cm", "57.7 cm", "214 cm"; "no bound" where it is
/// infinite.
[[nodiscard]] inline std::string gapText(double metres) {
  if (!std::isfinite(metres)) return "no bound";
  const double cm = 100.0 * metres;
  const int decimals = cm < 9.995 ? 2 : cm < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} cm", cm, decimals);
}

}  // namespace nearmiss::app
