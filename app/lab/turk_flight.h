// SPDX-License-Identifier: MIT
/// One flight of `lab turk`, processed by every method, frame by frame.
#pragma once

#include <nearmiss/advanced/broad_phase.h>
#include <nearmiss/rivals/broad_phases.h>

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

/// Measurements of one method in one run. Turk's grid has a record as well.
struct TurkRecord {
  std::string method;
  int bodies = 0, run = 0;
  bool collided = false;
  Real end = 0.0;  ///< simulation time of the first collision, or of the last frame
  std::size_t frames = 0;
  std::size_t calls = 0;     ///< frames in which the method examined all bodies
  std::uint64_t tests = 0;   ///< of spheres or bounds, in all frames
  double detectionUs = 0.0;  ///< of all frames
  double integratorUs = 0.0;
  double slowestUs = 0.0;  ///< slowest frame
  double speedup = 1.0;    ///< Turk's detection time divided by this method's
  double speedupWithIntegrator = 1.0;
  double slowestRatio = 1.0;  ///< this method's slowest frame divided by Turk's
  Real breakEven = 0.0;       ///< time after which it stays ahead of Turk; `end` if never
  /// For projection, before the first meeting: percentage of the maximum 3 C(2N, 2) crossings.
  double crossingsPercent = 0.0;
};

/// Calls a broad phase as the papers' driver does: never before the time at which the next pair can
/// begin to touch [H93, "Detecting collisions"].
class LookAheadDetector {
 public:
  /// `form`: how the broad phase sees the bodies.
  LookAheadDetector(std::unique_ptr<BroadPhase> phase, BodyForm form)
      : phase_(std::move(phase)), form_(form) {}

  /// Returns the pairs of cubes that touch now, sorted; valid until the next call.
  std::span<const BodyPair> detect(const CubeFlight& flight);

  /// Call before other bodies: resets the time of the next call.
  void reset() noexcept { noContactBefore_ = -std::numeric_limits<Real>::infinity(); }
  /// Returns true if the last detect() called the broad phase.
  [[nodiscard]] bool requested() const noexcept { return requested_; }
  /// Tests of bounds or cells in the last detect().
  [[nodiscard]] std::uint64_t tests() const noexcept {
    return requested_ ? phase_->work().boundTests : 0;
  }

 private:
  std::unique_ptr<BroadPhase> phase_;
  BodyForm form_;
  Real noContactBefore_ = -std::numeric_limits<Real>::infinity();
  bool requested_ = false;
  std::vector<BodyPair> pairs_, touching_;
};

/// A method, its detector and its frame times; the first is Turk's.
struct TurkContender {
  std::string name;
  LookAheadDetector detector;
  DecadeBins frameUs = {};
};

/// Settings of a flight.
struct TurkFlight {
  Real step = 1.0 / 60.0;  ///< simulation time per frame [s]
  Real longest = 30.0;     ///< maximum duration of a run without a collision [s]
};

/// Flies until two cubes touch. Fills `records`, one per contender. Returns false if the contenders
/// find different contacts; a cancelled run leaves no records.
[[nodiscard]] bool flyAndWatch(CubeFlight& flight, const TurkFlight& settings,
                               std::vector<TurkContender>& contenders,
                               const std::atomic<bool>& cancelled,
                               std::vector<TurkRecord>& records);

}  // namespace nearmiss::app::lab
