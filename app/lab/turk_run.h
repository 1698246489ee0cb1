// SPDX-License-Identifier: MIT
/// One flight of `lab turk`, watched by every method, frame by frame.
#pragma once

#include <nearmiss/broad_phase.h>

#include <atomic>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "lab/cube_flight.h"
#include "lab/turk.h"

namespace nearmiss::app {

/// A broad phase as the papers' driver uses it: not called again before the time until which
/// nothing new can touch [H93, "Detecting collisions"].
class LookAheadDetector {
 public:
  explicit LookAheadDetector(std::unique_ptr<BroadPhase> phase) : phase_(std::move(phase)) {}

  /// The pairs of cubes that touch now, sorted; until the next call.
  std::span<const BodyPair> detect(std::span<const BodyState> bodies, Real time);

  /// Forgets when it was to look next: other bodies come.
  void reset() noexcept { noContactBefore_ = -std::numeric_limits<Real>::infinity(); }
  /// Whether the last detect() called the broad phase.
  [[nodiscard]] bool asked() const noexcept { return asked_; }
  /// Of bounds or cells, by that detect().
  [[nodiscard]] std::uint64_t tests() const noexcept {
    return asked_ ? phase_->work().boundTests : 0;
  }

 private:
  std::unique_ptr<BroadPhase> phase_;
  Real noContactBefore_ = -std::numeric_limits<Real>::infinity();
  bool asked_ = false;
  std::vector<BodyPair> pairs_, touching_;
};

/// A method, its detector and what it did; the first is Turk's.
struct TurkContender {
  std::string name;
  LookAheadDetector detector;
  TurkFrames frames;
};

/// Flies until two cubes touch. Fills `records`, one for each contender. False if the contenders
/// disagree about who touches; a cancelled run leaves no records.
[[nodiscard]] bool flyAndWatch(CubeFlight& flight, const TurkCommand& command,
                               std::vector<TurkContender>& contenders,
                               const std::atomic<bool>& cancelled,
                               std::vector<TurkRecord>& records);

}  // namespace nearmiss::app
