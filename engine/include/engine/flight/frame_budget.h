// SPDX-License-Identifier: MIT
/// Accounts for the time of a frame and computes detection's budget: the target minus a running
/// prediction of everything else [H96 §4.2].
#pragma once

#include <engine/flight/budget.h>
#include <engine/flight/frame_profile.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace nearmiss::engine {

class FrameBudget {
 public:
  using Duration = std::chrono::nanoseconds;
  static constexpr std::size_t window = 30;  ///< number of frames averaged by the prediction
  static constexpr std::size_t warmUp = 10;  ///< first frames, ignored because caches and shaders
                                             ///< are cold

  /// Predicted time of everything but detection in the next frame; 0 before the first measurement.
  [[nodiscard]] Duration predictedRest() const noexcept;
  /// Records the time of everything but detection and slack in the frame that just ended.
  void record(Duration rest) noexcept;
  /// Completes a frame whose times are all known: sets whether it missed its target, and records
  /// its time without detection, slack and `watching`.
  void settle(FrameProfile& frame) noexcept;
  void reset() noexcept { *this = FrameBudget(); }

 private:
  std::array<Duration, window> rest_{};
  std::size_t seen_ = 0;
};

/// Waits until `end` on the steady clock: sleeps to half a millisecond before it, then spins.
void idleUntil(std::chrono::steady_clock::time_point end) noexcept;

// The same accounting for every loop: each nanosecond of a frame belongs to one phase.

/// Frames follow one another without a gap. A loop calls book() at the end of each of its own
/// phases, and simulated() after the simulation. Remaining time is FrameProfile::other.
class FrameAccount {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = FrameProfile::Duration;
  using Phase = Duration FrameProfile::*;

  /// The first frame begins at `now`.
  explicit FrameAccount(Time now) noexcept : began_(now), booked_(now) {}

  /// Returns the time allowed to detection in the current frame [H96 §4.2]. On the work clock only
  /// detection takes time, so that a run is repeatable bit for bit.
  [[nodiscard]] Duration allowance(const BudgetRule& rule, ClockKind clock,
                                   Duration target) const noexcept;
  /// Predicted time of everything but detection in the current frame.
  [[nodiscard]] Duration predictedRest() const noexcept { return budget_.predictedRest(); }

  /// Books the time from the last call until `now` to `phase`.
  void book(Phase phase, Time now) noexcept;
  /// Adds the times that the simulation measured itself since the last call. Books the rest of that
  /// time to `other`.
  void simulated(const FrameProfile& simulation, Duration target, Time now) noexcept;
  /// Ends the frame at `now`, where the next frame begins. Returns null if nothing was simulated;
  /// otherwise the profile is valid until the next call.
  const FrameProfile* end(Time now) noexcept;

  /// Restarts the frame at `now`; the time before belongs to no frame.
  void beginAt(Time now) noexcept;
  [[nodiscard]] Time began() const noexcept { return began_; }
  /// Discards the measured times of earlier frames.
  void forget() noexcept { budget_.reset(); }

 private:
  FrameBudget budget_;
  FrameProfile profile_;  ///< of the current frame
  FrameProfile ended_;
  std::optional<Time> first_;  ///< start of the first frame that was simulated
  Time began_, booked_;
  bool simulated_ = false;
};

}  // namespace nearmiss::engine
