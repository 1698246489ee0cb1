// SPDX-License-Identifier: MIT
/// The frame data of all shaders, and the lights of the scene.
#pragma once

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>

#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

/// Same layout as `Frame` in shaders/frame.glsl (std140).
struct FrameBlock {
  glm::mat4 viewProjection{1.0f};  ///< for points relative to the eye, world axes
  glm::vec4 right{0.0f};           ///< axes of the eye, world frame
  glm::vec4 up{0.0f};
  glm::vec4 forward{0.0f};
  glm::vec4 viewport{0.0f};  ///< pixels, and their reciprocals
  glm::vec4 misc{0.0f};      ///< size of a pixel at distance 1; simulation seconds; scene pixels
                             ///< per window pixel; 0
  glm::vec4 sun{0.0f};       ///< directions towards the lights
  glm::vec4 planet{0.0f};
};

/// Directions towards the lights, world axes. The sun is the key light, the planet the fill light.
inline const glm::vec3 sunDirection = glm::normalize(glm::vec3(0.62f, 0.52f, 0.42f));
inline const glm::vec3 planetDirection = glm::normalize(glm::vec3(-0.72f, -0.24f, -0.80f));

/// The visible volume, to cull objects.
class ViewCone {
 public:
  ViewCone(const Camera& camera, double aspect)
      : toEye_(glm::conjugate(camera.pose.rotation)),
        eye_(camera.pose.position),
        near_(camera.nearPlane),
        far_(camera.farPlane),
        tanY_(std::tan(0.5 * camera.fieldOfView)),
        tanX_(tanY_ * aspect),
        lengthY_(std::sqrt(1.0 + tanY_ * tanY_)),
        lengthX_(std::sqrt(1.0 + tanX_ * tanX_)) {}

  /// Returns false only if no point of the sphere (world) is visible.
  [[nodiscard]] bool mayBeVisible(const Vec3& centre, double radius) const {
    const Vec3 p = toEye_ * (centre - eye_);
    const double depth = -p.z;
    return depth > near_ - radius && depth < far_ + radius &&
           std::abs(p.x) - depth * tanX_ < radius * lengthX_ &&
           std::abs(p.y) - depth * tanY_ < radius * lengthY_;
  }

 private:
  Quat toEye_;
  Vec3 eye_;
  double near_, far_, tanY_, tanX_, lengthY_, lengthX_;
};

}  // namespace nearmiss::app::fly
