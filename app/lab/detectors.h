// SPDX-License-Identifier: MIT
/// `nearmiss lab detectors`: every broad phase with every narrow phase on the same recorded states,
/// one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view detectorsSummary =
    "all broad and narrow phases on the states of one flight: contacts and time, level by level";

struct DetectorsCommand : LabCommand {
  std::vector<std::string> models{"lamp"};  ///< in turn, one a ship
  std::vector<std::string> broad, narrow;   ///< only these; empty: all of the catalogue
  int ships = 30;
  double crowding = 16.0;  ///< how many times as many ships a cubic metre as in the default scene
  int steps = 40;          ///< recorded, a twentieth of a second apart
  int rounds = 3;          ///< in which everything is timed; the median counts
  std::uint64_t seed = 1;
};

/// One pair of methods over all states, to a level or to the end. Microseconds a detection.
struct DetectorsRow {
  std::string broad, narrow;
  std::string until;  ///< "level 1" to "level 4", or "exact"
  std::size_t pairs = 0, contacts = 0, possible = 0;
  std::size_t missed = 0;    ///< contacts of the reference that were called separate
  std::size_t invented = 0;  ///< contacts that the reference does not have
  double meanUs = 0.0, p99Us = 0.0;
  double boundTests = 0.0, triangleTests = 0.0;  ///< a detection
};

/// Prints a table; writes detectors.csv. Returns an ExitCode: ValidationFailed where an exact
/// answer differs from the reference, which is every triangle of every pair.
int runDetectors(const DetectorsCommand& command);

}  // namespace nearmiss::app
