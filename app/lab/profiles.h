// SPDX-License-Identifier: MIT
/// `nearmiss lab profiles`: detection and frame times of flights against a target, by BSP trees and
/// by sphere trees [H96 §11.3, Figs. 17 to 22].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view profilesSummary =
    "frame and detection times against a target, by BSP trees, octrees and medial spheres";

struct ProfilesCommand : LabCommand {
  std::vector<std::string> runs;   ///< of profileRuns(); empty: all
  std::uint64_t frames = 400;      ///< of each run
  double frameMs = 1000.0 / 60.0;  ///< the target, where the paper's was 0.1 s
  std::uint64_t seed = 42;
};

[[nodiscard]] std::vector<std::string_view> profileRuns();

/// Fills what compares two runs: how many times as long the BSP trees took.
void finishProfiles(LabResult& result);

/// Prints a table; writes profiles, and a profile of each run, profile_NAME.csv. Returns an
/// ExitCode.
int runProfiles(const ProfilesCommand& command);

}  // namespace nearmiss::app
