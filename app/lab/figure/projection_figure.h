// SPDX-License-Identifier: MIT
/// The tables and the figure of `lab projection`.
#pragma once

#include <span>
#include <string>

#include "lab/projection.h"

namespace nearmiss::app {

/// Of one time to another, over the sets.
struct RatioSummary {
  double median = 0.0, at5 = 0.0, at95 = 0.0;  ///< percentiles
};

/// The statistics of the samples of one number of bodies and one resolution.
struct ProjectionSummary {
  int bodies = 0;
  bool planes = false;
  Real step = 0.0;
  std::size_t sets = 0;
  double projectionUs = 0.0;       ///< median
  RatioSummary ratio, plainRatio;  ///< subdivision to projection, with and without pair lists
  RatioSummary queuedRatio;        ///< projection with a queue of crossings to that by slices
  double falsePercent = 0.0;       ///< of all sets
  double earlyMean = 0.0, earlyMedian = 0.0, earlyMost = 0.0;  ///< of sets that meet, seconds
  double crossingsMean = 0.0, crossingsPercent = 0.0;          ///< means
};
[[nodiscard]] std::vector<ProjectionSummary> summarise(std::span<const ProjectionSample> samples);

/// An SVG: time ratio, false positives, earliness and crossings.
[[nodiscard]] std::string drawProjection(std::span<const ProjectionSummary> summaries);

}  // namespace nearmiss::app
