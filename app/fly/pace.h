// SPDX-License-Identifier: MIT
/// Simulated time against wall time: how much the next frame advances, and the pace of the last
/// frames.
#pragma once

#include <engine/flight/frame_profile.h>
#include <engine/scene/scene.h>

#include <optional>

namespace nearmiss::app::fly {

[[nodiscard]] inline double seconds(engine::FrameProfile::Duration duration) noexcept {
  return std::chrono::duration<double>(duration).count();
}

/// Simulation seconds of one frame, and between its detections.
struct FrameStep {
  Real dt = 0.0, detectStep = 0.0;
};

/// In real time no frame advances by more than this, however long it took: after a stall the world
/// goes on where it was. Seconds.
inline constexpr double longestRealFrame = 0.2;

/// The step of the next frame at `speed` simulated seconds per second, at most maxFrameSeconds.
/// `frameSeconds` is what the last frame took on the wall; with nothing, the frame takes the
/// scene's own step.
[[nodiscard]] FrameStep nextStep(const engine::Scene& scene, double speed,
                                 std::optional<double> frameSeconds) noexcept;

/// The pace of frames of about the last second; 0 before the second frame.
struct Pace {
  double rate = 0.0;   ///< simulated seconds per second
  double hertz = 0.0;  ///< frames per second
};
[[nodiscard]] Pace paceOf(const engine::FrameHistory& history) noexcept;

}  // namespace nearmiss::app::fly
