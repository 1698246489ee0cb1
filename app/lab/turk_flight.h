// SPDX-License-Identifier: MIT
/// One flight of `lab turk`, watched by every method, frame by frame.
#pragma once

#include <nearmiss/broad_phase.h>
#include <nearmiss/methods/broad_phases.h>

#include <atomic>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lab/decade_bins.h"
#include "lab/random_cubes.h"

namespace nearmiss::app::lab {

/// Record of one method in one run. Turk's grid has such a record too.
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
  /// Share of three times C(2N, 2), by projection, before the first meeting.
  double crossingsPercent = 0.0;
};

/// A broad phase as the papers' driver uses it: not called again before the time until which
/// nothing new can touch [H93, "Detecting collisions"].
class LookAheadDetector {
 public:
  /// `form` is what the broad phase takes the bodies for.
  LookAheadDetector(std::unique_ptr<BroadPhase> phase, BodyForm form)
      : phase_(std::move(phase)), form_(form) {}

  /// The pairs of cubes that touch now, sorted; until the next call.
  std::span<const BodyPair> detect(const CubeFlight& flight);

  /// Forgets when it was to look next: other bodies come.
  void reset() noexcept { noContactBefore_ = -std::numeric_limits<Real>::infinity(); }
  /// True if the last detect() called the broad phase.
  [[nodiscard]] bool asked() const noexcept { return asked_; }
  /// Tests of bounds or cells in that detect().
  [[nodiscard]] std::uint64_t tests() const noexcept {
    return asked_ ? phase_->work().boundTests : 0;
  }

 private:
  std::unique_ptr<BroadPhase> phase_;
  BodyForm form_;
  Real noContactBefore_ = -std::numeric_limits<Real>::infinity();
  bool asked_ = false;
  std::vector<BodyPair> pairs_, touching_;
};

/// A method, its detector and how long its frames took; the first is Turk's.
struct TurkContender {
  std::string name;
  LookAheadDetector detector;
  DecadeBins frameUs = {};
};

/// How a flight goes.
struct TurkFlight {
  Real step = 1.0 / 60.0;  ///< seconds of simulation in a frame
  Real longest = 30.0;     ///< seconds after which a run without a collision ends
};

/// Flies until two cubes touch. Fills `records`, one for each contender. False if the contenders
/// disagree about who touches; a cancelled run leaves no records.
[[nodiscard]] bool flyAndWatch(CubeFlight& flight, const TurkFlight& settings,
                               std::vector<TurkContender>& contenders,
                               const std::atomic<bool>& cancelled,
                               std::vector<TurkRecord>& records);

}  // namespace nearmiss::app::lab
