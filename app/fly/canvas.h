// SPDX-License-Identifier: MIT
/// Where flights are drawn, as finely as the rest of their frames leaves time for.
#pragma once

#include <engine/flight/frame_profile.h>

#include <memory>
#include <span>
#include <utility>

#include "fly/gfx/draw_quality.h"
#include "fly/gfx/renderer.h"

namespace nearmiss::app::fly {

/// The cost of drawing a half of a split view.
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

  /// Panels will stand there in the next pictures, which leave those places out. Valid until they
  /// are drawn.
  void cover(std::span<const PixelRect> parts) noexcept { covered_ = parts; }
  /// Draws a flight of those models over the window, and smooths its edges where there is time.
  void draw(const Shapes& shapes, const DrawFrame& frame, int width, int height);
  /// Draws it into a part of the window, and waits until that is done.
  HalfDrawn drawHalf(const Shapes& shapes, const DrawFrame& frame, const Viewport& part);
  /// An empty window.
  static void clear();

  /// A frame ended in which draw() drew: gives drawing what the rest of it leaves of its target, or
  /// of 30 frames per second where more are wanted: the picture is not made coarser for more.
  void fit(const engine::FrameProfile& profile, double target) noexcept;
  /// The same of both halves, which took `work` seconds to simulate.
  void fitHalves(std::size_t triangles, double drawing, double work, double target) noexcept;
  /// True if ships are drawn coarser than they are, for the frame's time.
  [[nodiscard]] bool coarsened() const noexcept {
    return quality_.quality().maxTriangles != DrawQuality::unlimited;
  }

 private:
  void show(const Shapes& shapes);
  [[nodiscard]] DrawQuality quality() const noexcept;
  /// The same, but for what panels will cover.
  [[nodiscard]] DrawFrame uncovered(const DrawFrame& frame) const noexcept;

  Renderer renderer_;
  DrawQualityControl quality_;
  EdgeSmoothing edges_;
  std::span<const PixelRect> covered_;
  Shapes shown_;  ///< whose models the renderer has
};

}  // namespace nearmiss::app::fly
