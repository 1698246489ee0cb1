// SPDX-License-Identifier: MIT
/// The camera, and the rig that moves it.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>

namespace nearmiss::app::fly {

/// Looks along -z of its frame; +y is up.
struct Camera {
  Pose pose;                                  ///< world
  double fieldOfView = 0.9;                   ///< vertical, radians
  double nearPlane = 0.05, farPlane = 400.0;  ///< metres

  /// World-to-eye rotation. Positions are passed relative to the eye, in float.
  [[nodiscard]] glm::mat4 viewRotation() const;
  [[nodiscard]] glm::mat4 projection(double aspect) const;
};

enum class CameraMode : std::uint8_t { Chase, Cockpit, Orbit, Free };

/// Follows the user's ship or flies freely. The view behind or in a fast ship is wider. Smoothing
/// depends only on elapsed time, so that the motion is the same at every frame rate.
class CameraRig {
 public:
  /// The free camera starts at the current eye.
  void setMode(CameraMode mode) noexcept;
  [[nodiscard]] CameraMode mode() const noexcept { return mode_; }
  /// Returns the effective mode: looking at an object shows the user's ship from outside, like
  /// Orbit.
  [[nodiscard]] CameraMode effectiveMode() const noexcept {
    return looking_ ? CameraMode::Orbit : mode_;
  }
  /// Returns true if the eye moves with the ship and looks ahead.
  [[nodiscard]] bool looksAhead() const noexcept {
    return effectiveMode() == CameraMode::Chase || effectiveMode() == CameraMode::Cockpit;
  }
  /// Handles mouse drags in pixels and wheel notches. Dragging orbits or turns the free camera; in
  /// the other modes it is a short glance aside.
  void drag(double dx, double dy) noexcept;
  void zoom(double notches) noexcept;
  /// Sets the orbit angles, radians.
  void face(double yaw, double pitch) noexcept;
  /// The rotation of an eye at those orbit angles.
  [[nodiscard]] static Quat orbitRotation(double yaw, double pitch) noexcept;
  /// Moves the eye towards that distance, in ship radii, and orbits at `turn` radians per second.
  void glide(double distance, double turn, double seconds) noexcept;
  /// Moves the free camera by stick positions (right, up, forward), each in [-1, 1], for `seconds`
  /// of wall time.
  void moveFree(const Vec3& own, double seconds) noexcept;
  /// Turns the free camera about its own vertical axis, to the left.
  void turnFree(double left, double seconds) noexcept;
  /// Switches to the free camera at the current view.
  void startFreeCamera() noexcept;
  /// Changes the field of view by wheel notches: positive is wider, negative narrower.
  void widen(double notches) noexcept;
  void reset() noexcept;
  /// Sets the sphere to look at instead of the ship, world frame, from the next update() on;
  /// `nullopt`: the ship. Takes effect only after beginLook(); setMethod() and reset() end the
  /// look.
  void lookAt(const std::optional<Sphere>& focus) noexcept;
  /// Shakes the eye that follows the ship by `push`, in ship radii, world axes; it springs back
  /// within a moment.
  void kick(const Vec3& push) noexcept;
  /// Copies mode, distance and angles of another rig, and the position of a free camera. Used for
  /// two rigs that follow a ship each and move together.
  void moveAs(const CameraRig& other) noexcept;
  /// Sets where the picture shows the ship or the focus, from the next update() on. `middle`:
  /// distance to the right of the picture's middle, relative to half its height. In chase mode the
  /// whole ship is above the fraction `floor` of the height.
  void setFreeArea(double middle, double floor) noexcept {
    middle_ = middle;
    floor_ = floor;
  }
  void beginLook() noexcept { looking_ = true; }
  [[nodiscard]] bool looking() const noexcept { return looking_; }
  /// Updates the eye; `seconds` of wall time since the last call. `shipRadius` in metres.
  const Camera& update(const Pose& ship, double shipRadius, double seconds);

 private:
  void chase(const Pose& ship, double seconds);
  void placeShip(const Pose& ship);
  void placeMiddle();
  void orbit(const Pose& ship);
  void look(double seconds);

  CameraMode mode_ = CameraMode::Chase;
  double distance_ = 6.0;    ///< in ship radii
  double shipRadius_ = 1.0;  ///< at the last update()
  double orbitYaw_ = 0.6, orbitPitch_ = 0.35;
  double glanceYaw_ = 0.0, glancePitch_ = 0.0;  ///< return to 0 automatically
  Quat followed_ = glm::identity<Quat>();       ///< the ship's rotation, smoothed
  Vec3 lastPosition_{0.0};                      ///< of the ship
  Vec3 velocity_{0.0};                          ///< of the ship, metres per wall second, smoothed
  Vec3 kick_{0.0};                              ///< in ship radii, springs back
  double middle_ = 0.0, floor_ = 1.0;           ///< see setFreeArea()
  Camera camera_;
  double fieldOfView_ = camera_.fieldOfView;  ///< at rest
  std::optional<Sphere> focus_;
  Sphere looked_;  ///< smoothed focus
  bool started_ = false, looking_ = false, lookBegun_ = false;
};

/// Projects a world position to window pixels, y down. Returns false if it is behind the eye.
[[nodiscard]] bool project(const Camera& camera, int width, int height, const Vec3& world,
                           glm::vec2& pixel);
/// Returns the point at a pixel, `depth` metres in front of the eye along its view direction.
[[nodiscard]] Vec3 unproject(const Camera& camera, int width, int height, const glm::vec2& pixel,
                             double depth);

}  // namespace nearmiss::app::fly
