// SPDX-License-Identifier: MIT
/// The contents of a frame, as values. Colours are sRGB from 0 to 1 unless they are marked as
/// linear.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>
#include <optional>
#include <span>

#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {

/// A rectangle of window pixels; the origin is the lower left corner.
struct PixelRect {
  int x = 0, y = 0, width = 0, height = 0;
  [[nodiscard]] bool operator==(const PixelRect&) const = default;
};

/// A ship to draw.
struct ShipInstance {
  std::uint32_t shape{};
  Pose pose;
  /// Linear. The livery: colours the material that covers most of the model, and slightly tints the
  /// others. White leaves the model unchanged.
  glm::vec3 tint{1.0f};
  float glow = 0.0f;  ///< 0 to 1: just hit; the area near `hit` shines in cream, its rim in
                      ///< outlineColour
  Vec3 hit{0.0};      ///< place of the hit, world
  float outline =
      0.0f;  ///< 0 or 1: drawn with a rim of outlineColour (picked, or reduced flashing)
  glm::vec3 outlineColour{1.0f};  ///< colour of the rim and of the glow's rim
  float thrust = 0.0f;            ///< 0 to 1: length of the engine plume
};

/// A sphere of some level of detail. A ring is one cheap billboard; three circles show the sphere
/// better but cost more.
struct DrawSphere {
  Sphere sphere;  ///< world
  glm::vec3 colour{1.0f};
  float alpha = 1.0f;
  bool threeCircles = false;
};

/// A lit solid sphere.
struct DrawBall {
  Sphere sphere;           ///< world
  glm::vec3 colour{1.0f};  ///< linear
};

/// A soft round light, added to the background.
struct DrawLight {
  Sphere sphere;           ///< world
  glm::vec3 colour{1.0f};  ///< at its centre
};

struct DrawLine {
  Vec3 from{0.0}, to{0.0};  ///< world
  glm::vec3 colour{1.0f};
  float alpha = 1.0f;
};

/// Triangles to mark, world frame.
struct DrawTriangle {
  Vec3 a{0.0}, b{0.0}, c{0.0};
  glm::vec3 colour{1.0f};
};

/// A square picture in the world, 8-bit RGBA. Rows run from the first corner to the second, and
/// from there to the third and fourth.
struct DrawPlane {
  std::array<Vec3, 4> corners{};
  std::span<const std::uint8_t> colours;
  int pixels = 0;              ///< along a side
  std::uint64_t revision = 0;  ///< changes with the picture
};

struct DrawFrame {
  Camera camera;
  std::span<const ShipInstance> ships;
  std::span<const ShipInstance> ghosts;  ///< translucent, over ships and sky
  std::span<const DrawSphere> spheres;
  std::span<const DrawLine> lines;
  std::span<const DrawTriangle> triangles;
  std::span<const DrawBall> balls;
  std::span<const DrawBall> shells;  ///< translucent, over everything else; only the nearest is
                                     ///< visible
  std::span<const DrawLight> lights;
  std::optional<DrawPlane> plane;
  /// Previous pose of the eye; dust draws streaks from there. `nullopt`: at rest.
  std::optional<Pose> eyeBefore;
  std::optional<glm::vec3> backdrop;  ///< a plain background instead of sky, dust and arena
  /// Areas that panels will cover; nothing is drawn there.
  std::span<const PixelRect> covered;
  bool wireframe = false;
  double arenaRadius = 0.0;  ///< of the faint circles at the edge of the arena; 0: none
  double seconds = 0.0;      ///< simulation time, for the flicker of the plume
};

}  // namespace nearmiss::app::fly
