// SPDX-License-Identifier: MIT
/// Summary tables and plots of `lab turk`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lab/table.h"
#include "lab/turk_flight.h"

namespace nearmiss::app::lab {

inline constexpr std::string_view turkBroadPhase = "uniform-grid";
/// Time from which on the look-ahead wins in the papers, seconds [Y04, "Evaluation"].
inline constexpr Real papersBreakEven = 0.25;

/// Medians over the runs; one row per number of bodies and method.
[[nodiscard]] Table summarise(const std::vector<TurkRecord>& records);

/// SVG: speed-up over the time of the first collision, with and without the integrator, for each
/// method; medians and break-even times over the number of bodies.
[[nodiscard]] std::string drawTurkSpeedup(const Table& flights, const Table& summaries);

/// SVG: histogram of frame times for each number of bodies.
[[nodiscard]] std::string drawTurkFrames(const Table& frames);

}  // namespace nearmiss::app::lab
