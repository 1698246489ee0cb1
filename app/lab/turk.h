// SPDX-License-Identifier: MIT
/// `nearmiss lab turk`: broad phases that look ahead against Turk's uniform grid, on random cubes
/// until the first collision [H93, "Performance"; Y04, "Evaluation"].
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lab/lab_result.h"

namespace nearmiss::app {

inline constexpr std::string_view turkSummary =
    "broad phases that look ahead against Turk's grid, cubes flying until the first collision";

struct TurkCommand : LabCommand {
  int runs = 20;                     ///< for each number of bodies
  std::vector<int> bodies;           ///< empty: 10 to 10,000
  std::vector<std::string> methods;  ///< beside Turk's grid; empty: those that look ahead
  Real step = 1.0 / 60.0;            ///< seconds of simulation in a frame
  Real longest = 30.0;               ///< seconds after which a run without a collision ends
  std::uint64_t seed = 1;
};

/// Frame times by logarithm, ten bins to a factor of ten, from 10 ns on.
struct FrameHistogram {
  static constexpr std::size_t bins = 80;
  std::array<std::uint64_t, bins> frames{};

  void add(double micros) noexcept;
  /// The middle of a bin, microseconds.
  [[nodiscard]] static double middleOf(std::size_t bin) noexcept;
};

/// What one method did in one run. Turk's grid has such a record too.
struct TurkRecord {
  std::string method;
  int bodies = 0, run = 0;
  bool collided = false;
  Real end = 0.0;  ///< simulation time of the first collision, or of the last frame
  std::size_t frames = 0;
  std::size_t calls = 0;     ///< frames in which the method had to look at all bodies
  std::uint64_t tests = 0;   ///< of spheres, or of bounds, in all frames
  double detectionUs = 0.0;  ///< of all frames
  double integratorUs = 0.0;
  double slowestUs = 0.0;  ///< frame
  double speedup = 1.0;    ///< Turk's detection time to this one's
  double speedupWithIntegrator = 1.0;
  double slowestRatio = 1.0;  ///< this one's slowest frame to Turk's
  Real breakEven = 0.0;       ///< from when on it stays ahead of Turk; `end` if never
  double crossingsPercent =
      0.0;  ///< of three times C(2N, 2), by projection, before the first meeting
};

/// Frames of all runs of one method with one number of bodies.
struct TurkFrames {
  std::string method;
  int bodies = 0;
  FrameHistogram histogram;
};

/// Prints a table; writes turk, turk_frames, turk_speedup.svg and turk_frames.svg. Returns
/// an ExitCode: ValidationFailed where two methods find different first collisions.
int runTurk(const TurkCommand& command);

}  // namespace nearmiss::app
