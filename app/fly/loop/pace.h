// SPDX-License-Identifier: MIT
/// Relates simulation time to wall time: the step of the next frame, and the pace of recent frames.
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

}  // namespace nearmiss::app::fly
