// SPDX-License-Identifier: MIT
/// A picture off screen that is drawn into instead of the window.
#pragma once

#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class RenderTarget {
 public:
  /// Colour and depth of so many pixels. Errors: Unsupported (more than the driver can).
  static Result<RenderTarget> create(int width, int height);
  /// All that follows is drawn and read here, until unbind().
  void bind() const;
  static void unbind();
  /// Spreads the lower left part of the picture over as much of the window from `x` on, which is
  /// bound afterwards.
  void copyToWindow(int partWidth, int partHeight, int x, int width, int height) const;
  [[nodiscard]] int width() const noexcept { return width_; }
  [[nodiscard]] int height() const noexcept { return height_; }

 private:
  RenderTarget() = default;
  Renderbuffer colour_, depth_;
  Framebuffer framebuffer_;
  int width_ = 0, height_ = 0;
};

}  // namespace nearmiss::app
