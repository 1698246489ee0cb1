// SPDX-License-Identifier: MIT
/// The view of a flight: camera, marks of past events, and everything to draw.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <optional>
#include <span>

#include "fly/gfx/camera.h"
#include "fly/view/collision_marks.h"
#include "fly/view/contact_look.h"
#include "fly/view/flight_cues.h"
#include "fly/view/scene_drawing.h"

namespace nearmiss::app::fly {

/// Previous positions of the eye, from which objects at rest draw streaks.
class EyeTrail {
 public:
  /// Extrapolates the motion since the last call, `seconds` of wall time ago, to the pose at least
  /// `exposure` seconds before `eye`, more at high speed. `nullopt` after a jump.
  std::optional<Pose> before(const Pose& eye, double seconds);
  static constexpr double exposure = 0.06;

 private:
  std::optional<Pose> last_;
};

/// Returns the point nearest to `eye` outside the spheres of all other ships; if several overlap,
/// the last one counts.
[[nodiscard]] Vec3 outsideShips(std::span<const BodyState> bodies, std::size_t own,
                                Vec3 eye) noexcept;

struct FlightView {
  CameraRig rig;
  Camera camera;  ///< at the last look()
  CollisionMarks marks;
  Impacts impacts;
  SceneDrawing scene;
  EyeTrail trail;
  FlightCues cues;
  ContactLook contacts;

  /// Sets the ship that the camera follows, by its index; unset: the user's.
  void follow(std::optional<std::size_t> ship);
  /// Keeps the ship in the middle of `area`, the part of the window without panels, pixels. In one
  /// of two halves, in the middle of the half.
  void keepIn(const Rect& area, int width, int height, bool half);
  /// Clears the marks of past events; the camera stays.
  void clearMarks() noexcept;
  /// Moves the camera, which follows its ship or the picked pair. `seconds` is the elapsed
  /// time; 0: the picture does not change.
  void look(const Flight& flight, const UiState& ui, double seconds);
  /// Composes the view of `camera`. `seconds` as for look(); `now` is the clock of sparks and glow.
  /// Views into this object, valid until the next call.
  [[nodiscard]] DrawFrame compose(const Flight& flight, const UiState& ui, double seconds,
                                  double now);
  /// Draws labels and markers over the picture. `area` is the part of the window without panels.
  void label(const Ink& ink, const Flight& flight, const UiState& ui, glm::vec2 window,
             const Rect& area, std::span<const Ground> panels,
             const std::optional<NearestPoints>& nearest = {},
             const ContactManifold* picked = nullptr);
  /// Adds the areas that the ships cover in the picture, pixels, moved to the right by `shift`.
  void addShipAreas(const Flight& flight, glm::vec2 window, float shift,
                    std::vector<Rect>& out) const;

 private:
  [[nodiscard]] std::size_t followed(const Flight& flight) const noexcept;

  std::optional<std::size_t> followed_;
};

}  // namespace nearmiss::app::fly
