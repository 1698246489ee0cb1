// SPDX-License-Identifier: MIT
/// Sections of a report on runs: the frame profile of one, and comparisons.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "report/plot.h"
#include "report/record.h"
#include "report/statistics.h"

namespace nearmiss::app::report {

/// Data kept from a frame profile: 16 bytes per frame plus a constant amount.
struct ProfileData {
  std::string name;  ///< shown on the page
  std::filesystem::path file;
  std::vector<HeadLine> head;
  std::vector<double> frameMs;      ///< excluding watching
  std::vector<double> detectionMs;  ///< broad and narrow phase
  StripColumns strip;
  std::array<double, 5> collisions{};       ///< number of those that began, by finest level 1 to 5
  std::uint64_t missed = 0, exhausted = 0;  ///< number of frames
  bool cutShort = false;                    ///< its last line was incomplete and is ignored
};

/// Reads the rows. Errors: BadFormat for a missing column, a row of a different length, or a cell
/// that is not a number; Unreadable.
[[nodiscard]] Result<ProfileData> readProfile(RecordReader reader);

/// Plot of frame times, distributions, statistics, collisions.
[[nodiscard]] std::string profileHtml(const ProfileData& profile);

/// Fraction of frames within a time, over times in milliseconds.
[[nodiscard]] PlotSeries distributionSeries(std::string name, std::span<const double> milliseconds,
                                            std::size_t style);

/// Runs with comparable times, in the given order; each run joins the first suitable group.
using RunGroup = std::vector<const ProfileData*>;
[[nodiscard]] std::vector<RunGroup> comparableRuns(std::span<const ProfileData> runs);

/// A sentence for each run: its frame times, and the difference from the first run of the group.
[[nodiscard]] std::vector<std::string> foundIn(const RunGroup& runs);

/// Means with bootstrap intervals, and differences from the first run.
/// @pre at least two runs
[[nodiscard]] std::string comparisonHtml(const RunGroup& runs);

}  // namespace nearmiss::app::report
