// SPDX-License-Identifier: MIT
#include "fly/gfx/render_target.h"

#include <fmt/format.h>

#include <tuple>

namespace nearmiss::app {

Result<RenderTarget> RenderTarget::create(int width, int height) {
  const Error tooLarge{
      ErrorCode::Unsupported,
      fmt::format("this driver cannot draw a picture of {} x {} pixels", width, height)};
  GLint most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  if (width <= 0 || height <= 0 || width > most || height > most) return tooLarge;

  RenderTarget target;
  target.width_ = width;
  target.height_ = height;
  GLuint names[2] = {};
  glGenRenderbuffers(2, names);
  target.colour_ = Renderbuffer(names[0]);
  target.depth_ = Renderbuffer(names[1]);
  GLuint name = 0;
  glGenFramebuffers(1, &name);
  target.framebuffer_ = Framebuffer(name);
  glBindFramebuffer(GL_FRAMEBUFFER, name);
  for (const auto& [buffer, format, place] :
       {std::tuple(names[0], GL_RGBA8, GL_COLOR_ATTACHMENT0),
        std::tuple(names[1], GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT)}) {
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorage(GL_RENDERBUFFER, static_cast<GLenum>(format), width, height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, static_cast<GLenum>(place), GL_RENDERBUFFER, buffer);
  }
  const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  unbind();
  if (!complete) return tooLarge;
  return target;
}

void RenderTarget::bind() const { glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.get()); }

void RenderTarget::unbind() { glBindFramebuffer(GL_FRAMEBUFFER, 0); }

void RenderTarget::copyToWindow(int partWidth, int partHeight, int x, int width, int height) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer_.get());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, partWidth, partHeight, x, 0, x + width, height, GL_COLOR_BUFFER_BIT,
                    GL_LINEAR);
  unbind();
  glViewport(x, 0, width, height);
}

}  // namespace nearmiss::app
