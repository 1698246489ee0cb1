// SPDX-License-Identifier: MIT
/// The eye: where it is, where it looks, and the rigs that move it.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <glm/vec2.hpp>
#include <optional>

namespace nearmiss::app::fly {

/// Looks along -z of its own frame, +y is up.
struct Camera {
  Pose pose;                                  ///< world
  double fieldOfView = 0.9;                   ///< vertical, radians
  double nearPlane = 0.05, farPlane = 400.0;  ///< metres

  /// World to eye without the translation: what is drawn is given relative to the eye, in float.
  [[nodiscard]] glm::mat4 viewRotation() const;
  [[nodiscard]] glm::mat4 projection(double aspect) const;
};

enum class CameraMode : std::uint8_t { Chase, Cockpit, Orbit, Free };

/// Follows the user's ship, or flies by itself. Smoothing depends on elapsed time alone, so that
/// the eye moves alike at every frame rate.
class CameraRig {
 public:
  /// The free camera starts where the eye is.
  void setMode(CameraMode mode) noexcept;
  [[nodiscard]] CameraMode mode() const noexcept { return mode_; }
  /// How the picture is seen: a look at something shows the own ship from outside, as an orbit
  /// does.
  [[nodiscard]] CameraMode seenBy() const noexcept { return looking_ ? CameraMode::Orbit : mode_; }
  /// True if the eye goes with the ship and looks where it flies.
  [[nodiscard]] bool looksAhead() const noexcept {
    return seenBy() == CameraMode::Chase || seenBy() == CameraMode::Cockpit;
  }
  /// Mouse drag in pixels, wheel in notches. Dragging orbits, turns the free camera, and is a
  /// glance aside in the other modes.
  void drag(double dx, double dy) noexcept;
  void zoom(double notches) noexcept;
  /// Orbits and looks from those angles, radians.
  void face(double yaw, double pitch) noexcept;
  /// The rotation of an eye that orbits there.
  [[nodiscard]] static Quat orbitRotation(double yaw, double pitch) noexcept;
  /// The eye nears that distance, in ship radii, and goes round at `turn` radians per second.
  void glide(double distance, double turn, double seconds) noexcept;
  /// Stick positions for the free camera (right, up, forward), each in [-1, 1], `seconds` of wall
  /// time.
  void moveFree(const Vec3& own, double seconds) noexcept;
  /// The same of its turn about its own upright axis, to the left.
  void turnFree(double left, double seconds) noexcept;
  /// Makes the camera free where it is, and keeps its view.
  void goFree() noexcept;
  /// Changes the angle of view, in notches of the wheel: wider or, below 0, narrower.
  void widen(double notches) noexcept;
  void reset() noexcept;
  /// The sphere to look at instead of the ship, in the world, from the next update() on; nothing:
  /// the ship again. Only a look that was begun has it in view; setMode() and reset() end the look.
  void lookAt(const std::optional<Sphere>& focus) noexcept;
  /// A jolt: throws the eye that follows the ship by so much, in ship radii, world axes; it springs
  /// back within a moment.
  void kick(const Vec3& push) noexcept;
  /// Mode, distance and angles of another rig, and where it is if it is free: for two that follow a
  /// ship each and are moved as one.
  void moveAs(const CameraRig& other) noexcept;
  /// The chase eye keeps the whole ship above that share of the picture's height, from the next
  /// update() on.
  void keepAbove(double share) noexcept { floor_ = share; }
  void beginLook() noexcept { looking_ = true; }
  [[nodiscard]] bool looking() const noexcept { return looking_; }
  /// Follows smoothly; `seconds` of wall time since the last call. `shipRadius` in metres.
  const Camera& update(const Pose& ship, double shipRadius, double seconds);

 private:
  void chase(const Pose& ship, double seconds);
  void raiseShip(const Pose& ship);
  void orbit(const Pose& ship);
  void look(double seconds);

  CameraMode mode_ = CameraMode::Chase;
  double distance_ = 6.0;    ///< in ship radii
  double shipRadius_ = 1.0;  ///< of the last update()
  double orbitYaw_ = 0.6, orbitPitch_ = 0.35;
  double glanceYaw_ = 0.0, glancePitch_ = 0.0;  ///< return to 0 by themselves
  Quat followed_ = glm::identity<Quat>();       ///< the ship's rotation, smoothed
  Vec3 lastPosition_{0.0};                      ///< of the ship
  Vec3 velocity_{0.0};                          ///< of the ship, metres per wall second, smoothed
  Vec3 kick_{0.0};                              ///< in ship radii, springs back
  double floor_ = 1.0;                          ///< share of the height
  Camera camera_;
  std::optional<Sphere> focus_;
  Sphere looked_;  ///< the focus, followed smoothly
  bool started_ = false, looking_ = false, lookBegun_ = false;
};

/// World to pixels of the window, y down; false behind the eye.
[[nodiscard]] bool project(const Camera& camera, int width, int height, const Vec3& world,
                           glm::vec2& pixel);
/// The point at a pixel, `depth` metres before the eye along its view.
[[nodiscard]] Vec3 unproject(const Camera& camera, int width, int height, const glm::vec2& pixel,
                             double depth);

}  // namespace nearmiss::app::fly
