// SPDX-License-Identifier: MIT
/// `nearmiss lab projection`: the earliest intersection of random bounds by projection and by
/// subdivision, side by side [H93, "Intersecting space-time bounds"; Y04, "Projection vs.
/// Subdivision"].
#pragma once

#include <nearmiss/math.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view projectionSummary =
    "earliest intersection of space-time bounds: projection against subdivision";

struct ProjectionCommand : LabCommand {
  int sets = 200;  ///< random sets for each number of bodies, with and without planes
  std::uint64_t seed = 1;
};

/// One set of bounds, searched both ways. Seconds of simulation unless said otherwise.
struct ProjectionSample {
  int bodies = 0, set = 0;
  bool planes = false;
  Real span = 0.0;  ///< how long the bounds hold
  Real step = 0.0;  ///< resolution of the subdivision
  std::optional<Real> oracle, projection, subdivision;
  double projectionUs = 0.0, subdivisionUs = 0.0;  ///< microseconds, medians
  double queuedUs = 0.0;                           ///< of the projection with a queue of crossings
  double plainUs = 0.0;                            ///< of the subdivision without pair lists
  std::uint64_t crossings = 0;                     ///< until the first meeting
  double crossingsPercent = 0.0;                   ///< of three times C(2N, 2)
  std::uint64_t intervals = 0, pairTests = 0;      ///< of the subdivision
  std::uint64_t plainPairTests = 0;
  /// The subdivision reported a meeting that the bounds do not have in that interval.
  bool falsePositive = false;
};

/// Prints tables; writes projection.csv and projection.svg. Returns an ExitCode: ValidationFailed
/// where a search is later than the closed form over all pairs, or the projection differs from it.
int runProjection(const ProjectionCommand& command);

}  // namespace nearmiss::app
