// SPDX-License-Identifier: MIT
/// A picture of all panels, as large as the window: drawn a few times a second and copied to the
/// window in every frame, because a driver without a GPU spends far more on letters than on copies.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

class PanelSheet {
 public:
  /// True if it was drawn for a window of that size, with panels at those places.
  [[nodiscard]] bool has(std::span<const PixelRect> parts, int width, int height) const noexcept;
  /// What follows is drawn into it, until end(). False, and then it has no panels, where the driver
  /// has no room for it.
  [[nodiscard]] bool begin(std::span<const PixelRect> parts, int width, int height);
  static void end();
  /// Copies its panels to the window. Leaves scissors off.
  void show() const;

 private:
  [[nodiscard]] bool fit(int width, int height);

  Texture picture_;
  Framebuffer framebuffer_;
  std::vector<PixelRect> parts_;
  int width_ = 0, height_ = 0;
};

}  // namespace nearmiss::app::fly
