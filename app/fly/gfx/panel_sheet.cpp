// SPDX-License-Identifier: MIT
#include "fly/gfx/panel_sheet.h"

#include <algorithm>

namespace nearmiss::app::fly {

bool PanelSheet::has(std::span<const PixelRect> parts, int width, int height) const noexcept {
  return width == width_ && height == height_ && std::ranges::equal(parts, parts_);
}

bool PanelSheet::fit(int width, int height) {
  if (width == width_ && height == height_) return true;
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width <= 0 || height <= 0 || width > most || height > most) return false;

  picture_ = makeTexture();
  glBindTexture(GL_TEXTURE_2D, picture_.get());
  // The byte order of windows, so that a copy needs no conversion
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
               nullptr);
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
    glTexParameteri(GL_TEXTURE_2D, filter, GL_NEAREST);
  glBindTexture(GL_TEXTURE_2D, 0);

  GLuint name = 0;
  glGenFramebuffers(1, &name);
  framebuffer_ = Framebuffer(name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture_.get(), 0);
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  end();
  width_ = complete ? width : 0;
  height_ = complete ? height : 0;
  return complete;
}

bool PanelSheet::begin(std::span<const PixelRect> parts, int width, int height) {
  parts_.clear();
  if (!fit(width, height)) return false;
  parts_.assign(parts.begin(), parts.end());
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get());
  return true;
}

void PanelSheet::end() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

void PanelSheet::show() const {
  if (parts_.empty()) return;
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  for (const PixelRect& p : parts_) {
    const int right = p.x + p.width, high = p.y + p.height;
    glBlitFramebuffer(p.x, p.y, right, high, p.x, p.y, right, high, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
  }
  end();
}

}  // namespace nearmiss::app::fly
