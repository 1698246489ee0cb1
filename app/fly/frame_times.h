// SPDX-License-Identifier: MIT
/// Frame times of a flight, and the clocks of moving things in the window: the world, the eye,
/// sparks, and the marks of collisions.
#pragma once

#include <engine/flight/frame_budget.h>

#include <chrono>
#include <optional>

#include "fly/overlay/frame_statistics.h"

namespace nearmiss::app::fly {

struct FlightContext;

struct FrameTimes {
  using Time = std::chrono::steady_clock::time_point;

  Time started = std::chrono::steady_clock::now();
  engine::FrameAccount account{started};
  engine::FrameProfile profile;  ///< of the last frame
  engine::FrameHistory history;
  FrameStatistics statistics;
  /// Time of the last turn of the loop, without watching; empty after a start.
  std::optional<double> frameSeconds;
  double turnSeconds = 0.0;  ///< with it
  std::uint64_t framesFlown = 0;
  bool advanced = false;        ///< in this turn
  double markSeconds = 0.0;     ///< of wall time by which marks fade: none while paused
  double pictureSeconds = 0.0;  ///< of the flight, when it was drawn last

  [[nodiscard]] double wallSeconds() const noexcept {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
  void book(engine::FrameAccount::Phase phase) noexcept {
    account.book(phase, std::chrono::steady_clock::now());
  }
  /// The frame begins now: what passed until then belongs to none.
  void beginFrame() noexcept { account.beginAt(std::chrono::steady_clock::now()); }
  /// Forgets what earlier frames took.
  void forget() {
    account.forget();
    history.clear();
    statistics.reset();
    frameSeconds.reset();
  }
};

/// True if frames come at the pace of a clock or a display, and not as fast as they can.
[[nodiscard]] bool paced(const FlightContext& context) noexcept;
/// True if a frame advances by what the last one took. Repeatable and unpaced runs use the scene's
/// own steps.
[[nodiscard]] bool inRealTime(const FlightContext& context) noexcept;

/// True if pictures are to be the same on every machine: then the flight's own clock moves the eye,
/// sparks and glow, else the wall's.
[[nodiscard]] bool picturesRepeat(const FlightContext& context) noexcept;
/// Reading of that clock.
[[nodiscard]] double pictureSeconds(const FlightContext& context) noexcept;
/// Seconds on it since the last call.
[[nodiscard]] double pictureStep(FlightContext& context) noexcept;

/// A turn passes on the clock by which marks fade: none while paused. Single steps and frames of
/// pictures that repeat last as long as they are meant to.
void passMarkTime(FlightContext& context) noexcept;
/// How long a collision is marked, on that clock.
[[nodiscard]] double markLifetime(const FlightContext& context) noexcept;

}  // namespace nearmiss::app::fly
