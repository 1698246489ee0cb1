// SPDX-License-Identifier: MIT
/// Where the eye came from: what is at rest draws streaks between there and here.
#pragma once

#include <nearmiss/primitives.h>

#include <optional>

#include "fly/gfx/camera.h"
#include "fly/gfx/renderer.h"
#include "fly/view/collision_marks.h"
#include "fly/view/flight_cues.h"
#include "fly/view/scene_drawing.h"

namespace nearmiss::app {

class EyeTrail {
 public:
  /// Where the eye was `exposure` seconds before, if it moved then as it did since the last call,
  /// which was `seconds` of wall time ago. Nothing where it leapt.
  std::optional<Pose> before(const Pose& eye, double seconds);
  static constexpr double exposure = 0.06;

 private:
  std::optional<Pose> last_;
};

// What is seen of a flight that goes on beside the main one.

class SecondView {
 public:
  void clear() noexcept;
  /// Takes up what the flight's last frame brought. `markNow` and `lifetime` as of
  /// CollisionMarks::update().
  void take(const Flight& flight, double markNow, double lifetime, double wallSeconds);
  /// Looks as `rig` does at the flight's own ship; where `seconds` of wall time is 0 the picture
  /// stays. Valid until the next call.
  const DrawFrame& compose(const Flight& flight, const UiState& ui, const CameraRig& rig,
                           double seconds, double wallSeconds);
  void label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
             const Rect& area, std::span<const Ground> panels);
  [[nodiscard]] const Camera& camera() const noexcept { return camera_; }

 private:
  CameraRig rig_;
  Camera camera_;
  CollisionMarks marks_;
  Impacts impacts_;
  SceneDrawing scene_;
  EyeTrail trail_;
  FlightCues cues_;
  DrawFrame frame_;
};

}  // namespace nearmiss::app
