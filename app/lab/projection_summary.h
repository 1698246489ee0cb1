// SPDX-License-Identifier: MIT
/// Output and plots of the searches of `lab projection`.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/table.h"

namespace nearmiss::app::lab {

/// One set of bounds, searched in two published ways and in two of ours. Simulation seconds unless
/// stated otherwise.
struct ProjectionSample {
  int bodies = 0, set = 0;
  bool planes = false;
  Real span = 0.0;  ///< duration of the bounds
  Real step = 0.0;  ///< resolution of the subdivision
  std::optional<Real> oracle, projection, subdivision;
  double projectionUs = 0.0, subdivisionUs = 0.0;  ///< of the published ones, medians, microseconds
  double slicedUs = 0.0;                           ///< of our projection, by time slices
  double listedUs = 0.0;                           ///< of our subdivision, with pair lists
  std::uint64_t crossings = 0;                     ///< of the published projection, until the first
                                                   ///< meeting
  double crossingsPercent = 0.0;                   ///< percentage of the maximum 3 C(2N, 2)
  std::uint64_t intervals = 0, pairTests = 0;      ///< of the published subdivision
  std::uint64_t listedPairTests = 0;
  /// The published subdivision reported a meeting in an interval without one.
  bool falsePositive = false;
};

/// Medians and percentiles; one row per number of bodies, with and without planes, and resolution.
[[nodiscard]] Table summarise(const std::vector<ProjectionSample>& samples);

/// SVG: time ratio, false positives, earliness and crossings of the sets without planes.
[[nodiscard]] std::string drawProjection(const Table& summaries);

}  // namespace nearmiss::app::lab
