// SPDX-License-Identifier: MIT
/// OpenGL's names as objects that own what they name, and the loading of shaders.
#pragma once

#include <glad/gl.h>
#include <nearmiss/result.h>

#include <cstddef>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace nearmiss::app::fly {

/// Owns one GL name; 0 owns nothing. Must end while its context is current.
template <void (*destroy)(GLuint)>
class GlName {
 public:
  GlName() = default;
  explicit GlName(GLuint name) noexcept : name_(name) {}
  GlName(GlName&& other) noexcept : name_(std::exchange(other.name_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~GlName() {
    if (name_ != 0) destroy(name_);
  }
  [[nodiscard]] GLuint get() const noexcept { return name_; }

 private:
  GLuint name_ = 0;
};

inline void destroyBuffer(GLuint name) { glDeleteBuffers(1, &name); }
inline void destroyVertexArray(GLuint name) { glDeleteVertexArrays(1, &name); }
inline void destroyTexture(GLuint name) { glDeleteTextures(1, &name); }
inline void destroyShader(GLuint name) { glDeleteShader(name); }
inline void destroyProgram(GLuint name) { glDeleteProgram(name); }
inline void destroyRenderbuffer(GLuint name) { glDeleteRenderbuffers(1, &name); }
inline void destroyFramebuffer(GLuint name) { glDeleteFramebuffers(1, &name); }

using Buffer = GlName<destroyBuffer>;
using VertexArray = GlName<destroyVertexArray>;
using Texture = GlName<destroyTexture>;
using Shader = GlName<destroyShader>;
using ShaderProgram = GlName<destroyProgram>;
using Renderbuffer = GlName<destroyRenderbuffer>;
using Framebuffer = GlName<destroyFramebuffer>;

[[nodiscard]] Buffer makeBuffer();
[[nodiscard]] VertexArray makeVertexArray();
[[nodiscard]] Texture makeTexture();

/// A buffer that never changes.
template <class T>
[[nodiscard]] Buffer makeStaticBuffer(GLenum target, std::span<const T> data) {
  Buffer buffer = makeBuffer();
  glBindBuffer(target, buffer.get());
  glBufferData(target, static_cast<GLsizeiptr>(data.size_bytes()), data.data(), GL_STATIC_DRAW);
  return buffer;
}

/// A buffer that is rewritten every frame, so that the driver never has to wait for the last.
class StreamBuffer {
 public:
  StreamBuffer() : buffer_(makeBuffer()) {}
  /// Leaves the buffer bound to `target`.
  void write(GLenum target, const void* data, std::size_t bytes);
  template <class T>
  void write(GLenum target, std::span<const T> data) {
    write(target, data.data(), data.size_bytes());
  }
  [[nodiscard]] GLuint get() const noexcept { return buffer_.get(); }

 private:
  Buffer buffer_;
  std::size_t capacity_ = 0;
};

/// One float attribute of an interleaved record; `divisor` 1 for what changes with the instance.
struct FloatAttribute {
  GLuint location;
  GLint components;
  std::size_t offset;  ///< bytes
};

/// Points the attributes of the bound vertex array into the bound array buffer.
void setAttributes(std::initializer_list<FloatAttribute> attributes, std::size_t stride,
                   GLuint divisor, std::size_t base = 0);

/// Compiles shaders/`vertex`.vert.glsl and shaders/`fragment`.frag.glsl under `folder`; a line
/// `#include "x.glsl"` takes in that file. The block `Frame` is bound to 0.
/// Errors: NotFound, Unsupported with the first words of the driver.
Result<ShaderProgram> loadProgram(const std::filesystem::path& folder, const std::string& vertex,
                                  const std::string& fragment);

/// Loads programs from a folder; after the first fault it loads nothing more.
class ShaderLoader {
 public:
  explicit ShaderLoader(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Without a name of its own the fragment shader has the vertex shader's.
  ShaderProgram operator()(const std::string& vertex, const std::string& fragment = {});
  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

 private:
  std::filesystem::path folder_;
  std::optional<Error> fault_;
};

/// A picture off screen that is drawn into instead of the window.
class RenderTarget {
 public:
  /// Colour and depth of that many pixels. Errors: Unsupported (more than the driver can).
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

}  // namespace nearmiss::app::fly
