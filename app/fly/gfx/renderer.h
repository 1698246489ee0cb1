// SPDX-License-Identifier: MIT
/// Draws one frame from values: no callbacks, no world state. OpenGL 3.3 core.
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

/// The driver, as it describes itself.
struct DriverInfo {
  std::string version, renderer;
  bool software = false;  ///< llvmpipe, softpipe, swrast
};

/// A part of the window with its full height, pixels.
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
  /// Creates a renderer. Errors: Unsupported (a shader that does not compile, with the driver's
  /// words), NotFound (shader files).
  /// @pre a GL 3.3 core context is current and loaded
  static Result<Renderer> create();
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;
  ~Renderer();

  /// Uploads the models of a scene, replacing the previous ones.
  void setShapes(const engine::ShapeSet& shapes);
  /// As above, from models only; shapes have the order of `models`.
  void setShapes(std::span<const engine::DrawMesh> models);
  void draw(const DrawFrame& frame, int width, int height, const DrawQuality& quality = {}) {
    draw(frame, Viewport{0, width, height}, quality);
  }
  /// Draws into a part of the window; the rest does not change.
  void draw(const DrawFrame& frame, const Viewport& part, const DrawQuality& quality);
  /// Draws off screen with twice the size and four samples per pixel. Widths in
  /// pixels, such as those of lines, grow by the same factor.
  /// Errors: Unsupported (not enough memory).
  Result<Photograph> photograph(const DrawFrame& frame, int width, int height);
  [[nodiscard]] PanelSheet& panels() noexcept;
  /// Number of visible ships in the last draw().
  [[nodiscard]] std::size_t shipsDrawn() const noexcept;
  /// Number of triangles of these ships, at the levels of detail at which they were drawn.
  [[nodiscard]] std::size_t shipTriangles() const noexcept;
  /// Reads the framebuffer as 8-bit RGB, top row first. Waits for the GPU.
  [[nodiscard]] std::vector<std::uint8_t> readPixels(int width, int height) const;

 private:
  Renderer() = default;
  void drawOneOfEach();
  /// Returns true if the window's framebuffer is multisampled.
  /// @pre it is bound at the first call
  bool windowHasSamples();
  bool fitTarget(int width, int height);
  /// Draws into `part` of the bound target what the window shows in `shownIn`.
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
