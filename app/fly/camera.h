// SPDX-License-Identifier: MIT
/// The eye: where it is, where it looks, and the rigs that move it.
#pragma once

#include <nearmiss/math.h>

#include <cstdint>
#include <glm/mat4x4.hpp>

namespace nearmiss::app {

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

/// Follows the user's ship, or flies by itself.
class CameraRig {
 public:
  void cycleMode() noexcept;
  [[nodiscard]] CameraMode mode() const noexcept { return mode_; }
  /// Mouse drag in pixels, wheel in notches.
  void drag(double dx, double dy) noexcept;
  void zoom(double notches) noexcept;
  /// Stick positions for the free camera, each in [-1, 1], `seconds` of wall time.
  void moveFree(const Vec3& own, double seconds) noexcept;
  void reset() noexcept;
  /// Follows smoothly; `seconds` of wall time since the last call. `shipRadius` in metres.
  const Camera& update(const Pose& ship, double shipRadius, double seconds);

 private:
  CameraMode mode_ = CameraMode::Chase;
  double distance_ = 5.0;  ///< in ship radii
  double orbitYaw_ = 0.6, orbitPitch_ = 0.35;
  Quat followed_ = glm::identity<Quat>();
  Camera camera_;
  bool started_ = false;
};

}  // namespace nearmiss::app
