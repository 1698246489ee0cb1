// SPDX-License-Identifier: MIT
/// The contents of one frame, as values. Colours are as shown (sRGB, 0 to 1) except where linear is
/// said.
#pragma once

#include <nearmiss/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>

#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

/// Whole pixels of the window, counted from its lower left corner.
struct PixelRect {
  int x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool operator==(const PixelRect&) const = default;
};

/// One ship as drawn.
struct ShipInstance {
  ShapeId shape{};
  Pose pose;
  /// Linear. The paint of the hull: the material that covers most of the model takes this colour,
  /// the others keep their own but for a hint of it. White leaves the model as it came.
  glm::vec3 tint{1.0f};
  float glow = 0.0f;  ///< 0 to 1: has just collided, what is near `hit` shines in cream, its rim in
                      ///< outlineColour
  Vec3 hit{0.0};      ///< where it was hit, world
  float outline =
      0.0f;  ///< 0 or 1: drawn with a rim of outlineColour (picked, or reduced flashing)
  glm::vec3 outlineColour{1.0f};  ///< of that rim and of the glow's
  float thrust = 0.0f;            ///< 0 to 1: length of the engine plume
};

/// A sphere of some level of detail. Rings are one billboard each and cheap; three circles show the
/// sphere's shape and are for few.
struct DrawSphere {
  Sphere sphere;  ///< world
  glm::vec3 colour{1.0f};
  float alpha = 1.0f;
  bool threeCircles = false;
};

/// A solid sphere, lit.
struct DrawBall {
  Sphere sphere;           ///< world
  glm::vec3 colour{1.0f};  ///< linear
};

/// A soft round light that adds to what is behind it.
struct DrawLight {
  Sphere sphere;           ///< world
  glm::vec3 colour{1.0f};  ///< of its middle
};

struct DrawLine {
  Vec3 from{0.0}, to{0.0};  ///< world
  glm::vec3 colour{1.0f};
};

/// Triangles to mark, three corners each, world.
struct DrawTriangle {
  Vec3 a{0.0}, b{0.0}, c{0.0};
  glm::vec3 colour{1.0f};
};

/// A square picture in the world, 8-bit RGBA, from its first corner to the second, row by row to
/// the third and fourth.
struct DrawPlane {
  std::array<Vec3, 4> corners{};
  std::span<const std::uint8_t> colours;
  int pixels = 0;              ///< along a side
  std::uint64_t revision = 0;  ///< another one for another picture
};

struct DrawFrame {
  Camera camera;
  std::span<const ShipInstance> ships;
  std::span<const ShipInstance> ghosts;  ///< translucent, over ships and sky
  std::span<const DrawSphere> spheres;
  std::span<const DrawLine> lines;
  std::span<const DrawTriangle> triangles;
  std::span<const DrawBall> balls;
  std::span<const DrawBall> shells;  ///< translucent, over all else; of several the nearest is seen
  std::span<const DrawLight> lights;
  std::optional<DrawPlane> plane;
  /// Where the eye was a moment ago: dust draws streaks from there. Nothing: it is at rest.
  std::optional<Pose> eyeBefore;
  std::optional<glm::vec3> backdrop;  ///< a plain ground instead of sky, dust and arena
  /// Panels will stand there: nothing is drawn below them.
  std::span<const PixelRect> covered;
  bool wireframe = false;
  double arenaRadius = 0.0;  ///< of the faint crosses where the arena ends; 0: none
  double seconds = 0.0;      ///< of simulation, for flicker of the plume
};

}  // namespace nearmiss::app::fly
