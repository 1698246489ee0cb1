// SPDX-License-Identifier: MIT
/// How a flight is seen: its eye, the marks of what has happened, and all that is drawn of it.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <optional>
#include <span>

#include "fly/gfx/camera.h"
#include "fly/view/collision_marks.h"
#include "fly/view/flight_cues.h"
#include "fly/view/scene_drawing.h"

namespace nearmiss::app::fly {

/// Where the eye came from: what is at rest draws streaks between there and here.
class EyeTrail {
 public:
  /// Where the eye was `exposure` seconds before, if it moved then as it did since the last call,
  /// which was `seconds` of wall time ago. Nothing where it leapt.
  std::optional<Pose> before(const Pose& eye, double seconds);
  static constexpr double exposure = 0.06;

 private:
  std::optional<Pose> last_;
};

/// The place nearest to `eye` that no other ship's sphere holds; of several ships that overlap the
/// last one counts.
[[nodiscard]] Vec3 outsideShips(std::span<const BodyState> bodies, std::size_t own,
                                Vec3 eye) noexcept;

struct FlightView {
  CameraRig rig;
  Camera camera;  ///< of the last look()
  CollisionMarks marks;
  Impacts impacts;
  SceneDrawing scene;
  EyeTrail trail;
  FlightCues cues;

  /// Forgets what has happened; the eye stays.
  void clearMarks() noexcept;
  /// Moves the eye, which follows the flight's own ship or the picked pair. `seconds` of time have
  /// passed for it; 0: the picture stays.
  void look(const Flight& flight, const UiState& ui, double seconds);
  /// The view of `camera`. `seconds` as of look(); `now` is the clock of sparks and glow. Views
  /// into this object, valid until the next call.
  [[nodiscard]] DrawFrame compose(const Flight& flight, const UiState& ui, double seconds,
                                  double now);
  /// Words and marks of flight over the picture. `area` is what panels leave of the window.
  void label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
             const Rect& area, std::span<const Ground> panels,
             const std::optional<NearestPoints>& nearest = {},
             const ContactManifold* picked = nullptr);
};

}  // namespace nearmiss::app::fly
