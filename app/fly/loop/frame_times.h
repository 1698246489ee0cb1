// SPDX-License-Identifier: MIT
/// Relates simulation time to wall time: the step of the next frame, the pace of recent frames,
/// their times, and the clocks that move the eye, sparks and collision marks.
#pragma once

#include <engine/flight/frame_budget.h>
#include <engine/flight/frame_profile.h>
#include <engine/scene/scene.h>

#include <chrono>
#include <optional>

#include "fly/overlay/frame_statistics.h"

namespace nearmiss::app::fly {

[[nodiscard]] inline double seconds(engine::FrameProfile::Duration duration) noexcept {
  return std::chrono::duration<double>(duration).count();
}

/// Simulation seconds of one frame, and between its detections.
struct FrameStep {
  Real dt = 0.0, detectStep = 0.0;
};

/// Maximum simulation step in real time [s]. After a longer stall the world continues without
/// catching up.
inline constexpr double longestRealFrame = 0.2;

/// Returns the step of the next frame at `speed` simulation seconds per second, at most
/// maxFrameSeconds. `frameSeconds` is the wall time of the last frame; `nullopt`: use the scene's
/// fixed step.
[[nodiscard]] FrameStep nextStep(const engine::Scene& scene, double speed,
                                 std::optional<double> frameSeconds) noexcept;

/// Mean over about the last second; 0 before the second frame.
struct Pace {
  double rate = 0.0;   ///< simulation seconds per second
  double hertz = 0.0;  ///< frames per second
};
[[nodiscard]] Pace paceOf(const engine::FrameHistory& history) noexcept;

struct FlightContext;

/// Decides once per session when to say that drawing alone takes longer than a frame may.
class SlowDrawingAlert {
 public:
  /// Returns true once, after drawing was too slow for two seconds of flight. `calm`: a user flies
  /// who can do something about it; otherwise the time starts again.
  [[nodiscard]] bool isDue(bool tooSlow, bool calm, double frameSeconds) noexcept;

 private:
  double seconds_ = 0.0;
  bool shown_ = false;
};

struct FrameTimes {
  using Time = std::chrono::steady_clock::time_point;

  Time started = std::chrono::steady_clock::now();
  engine::FrameAccount account{started};
  engine::FrameProfile profile;  ///< of the last frame
  engine::FrameHistory history;
  FrameStatistics statistics;
  /// Duration of the last turn of the loop, without watching; empty after a start.
  std::optional<double> frameSeconds;
  double turnSeconds = 0.0;  ///< duration of the last turn, with watching
  /// Replaces the wall clock while a script plays.
  std::optional<double> scripted;
  std::uint64_t framesFlown = 0;
  bool advanced = false;        ///< in the current turn
  double markSeconds = 0.0;     ///< wall time of the clock that fades marks; stops while paused
  double pictureSeconds = 0.0;  ///< simulation time of the last drawn picture

  [[nodiscard]] double wallSeconds() const noexcept {
    if (scripted) return *scripted;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  }
  void book(engine::FrameAccount::Phase phase) noexcept {
    account.book(phase, std::chrono::steady_clock::now());
  }
  /// Starts the frame now; the time before belongs to no frame.
  void beginFrame() noexcept { account.beginAt(std::chrono::steady_clock::now()); }
  /// Discards earlier measurements.
  void forget() {
    account.forget();
    history.clear();
    statistics.reset();
    frameSeconds.reset();
  }
};

/// Returns true if a clock or the display limits the frame rate.
[[nodiscard]] bool paced(const FlightContext& context) noexcept;
/// Returns true if a frame advances by the duration of the last one. Repeatable and unpaced runs
/// use the scene's fixed steps.
[[nodiscard]] bool inRealTime(const FlightContext& context) noexcept;

/// Returns true if pictures must be the same on every machine. Then the flight's clock moves the
/// eye, sparks and glow; otherwise the wall clock does.
[[nodiscard]] bool picturesRepeat(const FlightContext& context) noexcept;
/// Reads that clock.
[[nodiscard]] double pictureSeconds(const FlightContext& context) noexcept;
/// Seconds on that clock since the last call.
[[nodiscard]] double pictureStep(FlightContext& context) noexcept;

/// Advances the clock that fades marks; it stops while paused. Single steps and frames of
/// repeatable pictures advance it by their nominal duration.
void ageMarks(FlightContext& context) noexcept;
/// Time for which a collision is marked, on that clock.
[[nodiscard]] double markLifetime(const FlightContext& context) noexcept;

}  // namespace nearmiss::app::fly
