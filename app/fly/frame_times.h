// SPDX-License-Identifier: MIT
/// What the frames of a flight took, and the clocks of its pictures.
#pragma once

#include <engine/flight/frame_account.h>

#include <chrono>
#include <optional>

#include "fly/overlay/frame_statistics.h"

namespace nearmiss::app {

struct FrameTimes {
  using Time = std::chrono::steady_clock::time_point;

  Time started = std::chrono::steady_clock::now();
  engine::FrameAccount account{started};
  engine::FrameProfile profile;  ///< of the last frame
  engine::FrameHistory history;
  FrameStatistics statistics;
  /// What the last turn of the loop took, without watching; nothing after a start.
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

}  // namespace nearmiss::app
