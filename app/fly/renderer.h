// SPDX-License-Identifier: MIT
/// Draws one frame of the scene from values: asks nobody, keeps no world. OpenGL 3.3 core. Colours
/// are as shown (sRGB, 0 to 1) but where linear is said.
#pragma once

#include <engine/shape_set.h>
#include <nearmiss/narrow_phase.h>

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fly/camera.h"

namespace nearmiss::app {

/// One ship as drawn.
struct ShipInstance {
  ShapeId shape{};
  Pose pose;
  /// Linear. The paint of the hull: the material that covers most of the model takes this colour,
  /// the others keep their own but for a hint of it. White leaves the model as it came.
  glm::vec3 tint{1.0f};
  float glow = 0.0f;  ///< 0 to 1: has just collided, blends to cream and shines
  float outline =
      0.0f;  ///< 0 or 1: drawn with a rim of outlineColour (picked, or reduced flashing)
  glm::vec3 outlineColour{1.0f};
  float thrust = 0.0f;  ///< 0 to 1: length of the engine plume
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

struct DrawLine {
  Vec3 from{0.0}, to{0.0};  ///< world
  glm::vec3 colour{1.0f};
};

/// Triangles to mark, three corners each, world.
struct DrawTriangle {
  Vec3 a{0.0}, b{0.0}, c{0.0};
  glm::vec3 colour{1.0f};
};

struct DrawFrame {
  Camera camera;
  std::span<const ShipInstance> ships;
  std::span<const DrawSphere> spheres;
  std::span<const DrawLine> lines;
  std::span<const DrawTriangle> triangles;
  std::span<const DrawBall> balls;
  std::optional<glm::vec3> backdrop;  ///< a plain ground instead of sky, dust and cage
  bool wireframe = false;
  double arenaRadius = 0.0;  ///< a faint cage where the arena ends; 0: none
  double seconds = 0.0;      ///< of simulation, for flicker of the plume
};

/// What the driver says of itself.
struct DriverInfo {
  std::string version, renderer;
  bool software = false;  ///< llvmpipe, softpipe, swrast
};

class Renderer {
 public:
  /// @pre a GL 3.3 core context is current and loaded. Errors: Unsupported (a shader that does not
  /// compile, with the driver's words), NotFound (shader files).
  static Result<Renderer> create();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// Uploads the models of a scene; replaces those before. Draws over what is in the framebuffer.
  void setShapes(const engine::ShapeSet& shapes);
  /// The same from models alone; ShapeId is the place among them.
  void setShapes(std::span<const engine::DrawMesh> models);
  void draw(const DrawFrame& frame, int width, int height);
  /// Of the last draw(): ships that were not left out as out of view.
  [[nodiscard]] std::size_t shipsDrawn() const noexcept;
  /// The framebuffer as 8-bit RGB, top row first. Waits for the GPU.
  [[nodiscard]] std::vector<std::uint8_t> readPixels(int width, int height) const;
  /// World to pixels of the window, y down; false behind the eye.
  [[nodiscard]] static bool project(const Camera& camera, int width, int height, const Vec3& world,
                                    glm::vec2& pixel);

 private:
  Renderer() = default;
  void drawOneOfEach();
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

[[nodiscard]] DriverInfo driverInfo();

/// Writes a PNG. Errors: Unreadable.
Result<Success> writePng(const std::filesystem::path& file, int width, int height,
                         std::span<const std::uint8_t> rgb);

}  // namespace nearmiss::app
