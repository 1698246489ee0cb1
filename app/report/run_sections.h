// SPDX-License-Identifier: MIT
/// Sections of a report on runs: one by its frame profile, and several side by side.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/plot.h"
#include "report/record.h"
#include "report/statistics.h"

namespace nearmiss::app::report {

/// What is kept of a frame profile: 16 bytes per frame, and what is the same for any length.
struct ProfileData {
  std::string name;  ///< on the page
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::vector<double> frameMs;      ///< without what only watches
  std::vector<double> detectionMs;  ///< broad and narrow phase
  StripColumns strip;
  std::array<double, 5> collisions{};       ///< counts of those that began, by finest level 1 to 5
  std::uint64_t missed = 0, exhausted = 0;  ///< frames
  bool cutShort = false;                    ///< its last line was not whole, and is left out
};

/// Reads the rows. Errors: BadFormat for a column that is missing, a row of other length or a cell
/// that is no number; Unreadable.
[[nodiscard]] Result<ProfileData> readProfile(RecordReader reader);

/// Frame-time strip, distributions, statistics, collisions.
[[nodiscard]] std::string profileHtml(const ProfileData& profile);

/// The share of frames that took no longer, over times in milliseconds.
[[nodiscard]] PlotSeries distributionSeries(std::string name, std::span<const double> milliseconds,
                                            std::size_t style);

/// Runs whose times mean the same, in the order given, each in the first group that takes it.
using RunGroup = std::vector<const ProfileData*>;
[[nodiscard]] std::vector<RunGroup> comparableRuns(std::span<const ProfileData> runs);

/// What was found in one sentence for each run: how long its frames took, and how it differs from
/// the first of its group.
[[nodiscard]] std::vector<std::string> foundIn(const RunGroup& runs);

/// Means with bootstrap intervals, and differences from the first run.
/// @pre two runs or more
[[nodiscard]] std::string comparisonHtml(const RunGroup& runs);

}  // namespace nearmiss::app::report
