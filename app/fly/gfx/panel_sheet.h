// SPDX-License-Identifier: MIT
/// A picture of all panels with the size of the window, drawn a few times per second and copied to
/// the window in every frame. On software drivers drawing text is far slower than copying.
#pragma once

#include <span>
#include <vector>

#include "fly/gfx/draw_frame.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app::fly {

class PanelSheet {
 public:
  /// Returns true if the sheet was drawn for that window size and those panels.
  [[nodiscard]] bool has(std::span<const PixelRect> parts, int width, int height) const noexcept;
  /// Redirects drawing into the sheet until end(). Returns false if the driver has no memory for
  /// it; the sheet is empty then.
  [[nodiscard]] bool begin(std::span<const PixelRect> parts, int width, int height);
  static void end();
  /// Copies the panels to the window. Disables the scissor test.
  void show() const;

 private:
  [[nodiscard]] bool fit(int width, int height);

  Texture picture_;
  Framebuffer framebuffer_;
  std::vector<PixelRect> parts_;
  int width_ = 0, height_ = 0;
};

}  // namespace nearmiss::app::fly
