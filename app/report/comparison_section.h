// SPDX-License-Identifier: MIT
/// Runs side by side: means with bootstrap intervals, and differences from the first run.
#pragma once

#include <string>
#include <vector>

#include "report/profile_data.h"

namespace nearmiss::app {

/// Runs whose times mean the same, in the order given, each in the first group that takes it.
using RunGroup = std::vector<const ProfileData*>;
[[nodiscard]] std::vector<RunGroup> comparableRuns(std::span<const ProfileData> runs);

/// Of two runs at least.
[[nodiscard]] std::string comparisonHtml(const RunGroup& runs);

}  // namespace nearmiss::app
