// SPDX-License-Identifier: MIT
/// Draws flights, as finely as the rest of the frame leaves time for.
#pragma once

#include <engine/flight/frame_profile.h>

#include <memory>
#include <span>
#include <utility>

#include "fly/gfx/draw_quality.h"
#include "fly/gfx/renderer.h"

namespace nearmiss::app::fly {

/// Cost of drawing one half of a split view.
struct HalfDrawn {
  double seconds = 0.0;
  std::size_t triangles = 0;
};

class Canvas {
 public:
  using Shapes = std::shared_ptr<const engine::ShapeSet>;

  explicit Canvas(Renderer renderer) : renderer_(std::move(renderer)) {}
  [[nodiscard]] Renderer& renderer() noexcept { return renderer_; }
  [[nodiscard]] const Renderer& renderer() const noexcept { return renderer_; }

  /// Areas that panels will cover in the next pictures; they are not drawn. The span must stay
  /// valid until they are drawn.
  void cover(std::span<const PixelRect> parts) noexcept { covered_ = parts; }
  /// Draws a flight of those models into the window, antialiased if there is time.
  void draw(const Shapes& shapes, const DrawFrame& frame, int width, int height);
  /// Draws into a part of the window; the rest does not change.
  void draw(const Shapes& shapes, const DrawFrame& frame, const Viewport& part);
  /// Draws into a part of the window and waits for completion.
  HalfDrawn drawHalf(const Shapes& shapes, const DrawFrame& frame, const Viewport& part);
  /// Clears the window.
  static void clear();

  /// Call at the end of a frame that used draw(). Gives drawing the rest of the target time;
  /// targets shorter than 1/30 s do not make the picture coarser.
  void fit(const engine::FrameProfile& profile, double target) noexcept;
  /// As fit(), for both halves, which took `work` seconds to simulate.
  void fitHalves(std::size_t triangles, double drawing, double work, double target) noexcept;
  /// Returns true if ships are drawn with reduced detail to save time.
  [[nodiscard]] bool coarsened() const noexcept {
    return quality_.quality().maxTriangles != DrawQuality::unlimited;
  }

 private:
  void show(const Shapes& shapes);
  [[nodiscard]] DrawQuality quality() const noexcept;
  /// Returns the frame without the areas that panels cover.
  [[nodiscard]] DrawFrame uncovered(const DrawFrame& frame) const noexcept;

  Renderer renderer_;
  DrawQualityControl quality_;
  EdgeSmoothing edges_;
  std::span<const PixelRect> covered_;
  Shapes shown_;  ///< the shapes loaded by the renderer
};

}  // namespace nearmiss::app::fly
