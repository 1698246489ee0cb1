// SPDX-License-Identifier: MIT
/// Draws one frame of the scene from values: calls nothing back, keeps no world. OpenGL 3.3 core.
#pragma once

#include <engine/model/shape_set.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/draw_quality.h"

namespace nearmiss::app::fly {

/// The driver's description of itself.
struct DriverInfo {
  std::string version, renderer;
  bool software = false;  ///< llvmpipe, softpipe, swrast
};

/// A part of the window, as high as it is, pixels.
struct Viewport {
  int x = 0, width = 0, height = 0;
};

/// 8-bit RGB, top row first.
struct Photograph {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;
};

class PanelSheet;

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
  /// The same from models alone; ShapeId is the index among them.
  void setShapes(std::span<const engine::DrawMesh> models);
  void draw(const DrawFrame& frame, int width, int height, const DrawQuality& quality = {}) {
    draw(frame, Viewport{0, width, height}, quality);
  }
  /// The same into a part of it; the rest stays as it is.
  void draw(const DrawFrame& frame, const Viewport& part, const DrawQuality& quality);
  /// The same far finer: twice the size, and four samples per pixel. What has a width in pixels
  /// keeps it in proportion. Draws nothing into the window. Errors: Unsupported (no room for it).
  Result<Photograph> photograph(const DrawFrame& frame, int width, int height);
  [[nodiscard]] PanelSheet& panels() noexcept;
  /// Number of ships in view in the last draw().
  [[nodiscard]] std::size_t shipsDrawn() const noexcept;
  /// Number of their triangles, at their levels of detail.
  [[nodiscard]] std::size_t shipTriangles() const noexcept;
  /// The framebuffer as 8-bit RGB, top row first. Waits for the GPU.
  [[nodiscard]] std::vector<std::uint8_t> readPixels(int width, int height) const;

 private:
  Renderer() = default;
  void drawOneOfEach();
  /// True if the window's own framebuffer has samples. @pre it is bound, at the first call
  bool windowHasSamples();
  bool fitTarget(int width, int height);
  /// Draws into `part` of what is bound what the window shows in `shownIn`.
  void drawScene(const DrawFrame& frame, const Viewport& part, const Viewport& shownIn,
                 std::size_t maxTriangles, float finer = 1.0f);
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

[[nodiscard]] DriverInfo driverInfo();

/// Writes a PNG. Errors: Unreadable.
Result<Success> writePng(const std::filesystem::path& file, int width, int height,
                         std::span<const std::uint8_t> rgb);

}  // namespace nearmiss::app::fly
