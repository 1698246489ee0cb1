// SPDX-License-Identifier: MIT
/// Where the time of a frame goes, and how much of it detection may have: the target less a running
/// prediction of all the rest [H96 §4.2].
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
  static constexpr std::size_t window = 30;  ///< frames that the prediction is the mean of
  static constexpr std::size_t warmUp = 10;  ///< first frames that do not count: caches, shaders

  /// The predicted time of everything but detection in the next frame; 0 before any is known.
  [[nodiscard]] Duration predictedRest() const noexcept;
  /// Tells what everything but detection and slack took in the frame that has just ended.
  void record(Duration rest) noexcept;
  /// Completes a frame of which all times are known: sets whether it missed its target, and records
  /// its rest, without its `watching`.
  void settle(FrameProfile& frame) noexcept;
  void reset() noexcept { *this = FrameBudget(); }

 private:
  std::array<Duration, window> rest_{};
  std::size_t seen_ = 0;
};

/// Waits until `end` on the steady clock: sleeps to half a millisecond before it, then spins.
void idleUntil(std::chrono::steady_clock::time_point end) noexcept;

// Where each nanosecond of a frame is booked, and what detection may have of it: the same for
// every loop.

/// Frames follow one another without a gap. A loop calls book() where one of its own phases ends,
/// and simulated() after the simulation; what nobody claims is FrameProfile::other.
class FrameAccount {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Duration = FrameProfile::Duration;
  using Phase = Duration FrameProfile::*;

  /// The first frame begins at `now`.
  explicit FrameAccount(Time now) noexcept : began_(now), booked_(now) {}

  /// The time allowed to detection in the current frame [H96 §4.2]. On the work clock only
  /// detection takes time, so that a run repeats bit for bit.
  [[nodiscard]] Duration allowance(const BudgetRule& rule, ClockKind clock,
                                   Duration target) const noexcept;
  /// The predicted time of everything but detection in it.
  [[nodiscard]] Duration predictedRest() const noexcept { return budget_.predictedRest(); }

  /// Books the time since the last call, until `now`, to `phase`.
  void book(Phase phase, Time now) noexcept;
  /// Takes over what the simulation timed itself since the last call, and books the rest of that
  /// time to `other`.
  void simulated(const FrameProfile& simulation, Duration target, Time now) noexcept;
  /// Ends the frame at `now`, where the next begins. Null where nothing was simulated; else valid
  /// until the next call.
  const FrameProfile* end(Time now) noexcept;

  /// Restarts the frame at `now`: the time until then belongs to none.
  void beginAt(Time now) noexcept;
  [[nodiscard]] Time began() const noexcept { return began_; }
  /// Forgets what earlier frames took.
  void forget() noexcept { budget_.reset(); }

 private:
  FrameBudget budget_;
  FrameProfile profile_;  ///< of the frame under way
  FrameProfile ended_;
  std::optional<Time> first_;  ///< where the first frame began that was simulated
  Time began_, booked_;
  bool simulated_ = false;
};

}  // namespace nearmiss::engine
