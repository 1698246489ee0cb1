// SPDX-License-Identifier: MIT
/// Figures of `lab turk`, and what it prints.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lab/turk.h"

namespace nearmiss::app {

/// Medians over the runs of one method with one number of bodies.
struct TurkSummary {
  std::string method;
  int bodies = 0;
  std::size_t runs = 0, collided = 0;
  Real end = 0.0;
  double speedup = 0.0, speedupWithIntegrator = 0.0;
  double lateSpeedup = 0.0;  ///< of runs in which the collision comes after a quarter of a second
  double frameUs = 0.0, slowestRatio = 0.0, callsPercent = 0.0;  ///< a frame's mean detection
  Real breakEven = 0.0;  ///< seconds; infinite where more than half of the runs end before it
  double crossingsPercent = 0.0;  ///< mean
};
[[nodiscard]] std::vector<TurkSummary> summarise(std::span<const TurkRecord> records);

void printTurk(std::span<const TurkSummary> summaries);

/// SVG: speedup over the time of the first collision, without and with the integrator, for each
/// method; medians and break-even times over the number of bodies.
[[nodiscard]] std::string drawTurkSpeedup(std::span<const TurkRecord> records,
                                          std::span<const TurkSummary> summaries);
/// SVG: how many frames take how long, for each number of bodies.
[[nodiscard]] std::string drawTurkFrames(std::span<const TurkFrames> frames);

}  // namespace nearmiss::app
