// SPDX-License-Identifier: MIT
/// One run by its frame profile: frame-time strip, distributions, statistics, collisions.
#pragma once

#include <string>

#include "report/plot.h"
#include "report/profile_data.h"

namespace nearmiss::app {

[[nodiscard]] std::string profileHtml(const ProfileData& profile);

/// The share of frames that took no longer, over times in milliseconds.
[[nodiscard]] PlotSeries distributionSeries(std::string name, std::span<const double> milliseconds,
                                            std::size_t style);

}  // namespace nearmiss::app
