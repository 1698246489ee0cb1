// SPDX-License-Identifier: MIT
/// RAII wrappers for OpenGL names, and shader loading.
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

/// Owns one GL name; 0 owns nothing. Must be destroyed while its context is current.
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

/// Makes an immutable buffer.
template <class T>
[[nodiscard]] Buffer makeStaticBuffer(GLenum target, std::span<const T> data) {
  Buffer buffer = makeBuffer();
  glBindBuffer(target, buffer.get());
  glBufferData(target, static_cast<GLsizeiptr>(data.size_bytes()), data.data(), GL_STATIC_DRAW);
  return buffer;
}

/// A buffer that is rewritten every frame without waiting for the GPU to finish the previous one.
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

/// One float attribute of an interleaved record; `divisor` is 1 for attributes per instance.
struct FloatAttribute {
  GLuint location;
  GLint components;
  std::size_t offset;  ///< bytes
};

/// Binds the attributes of the bound vertex array to the bound array buffer.
void setAttributes(std::initializer_list<FloatAttribute> attributes, std::size_t stride,
                   GLuint divisor, std::size_t base = 0);

/// Compiles shaders/`vertex`.vert.glsl and shaders/`fragment`.frag.glsl under `folder`; a line
/// `#include "x.glsl"` includes that file. Binds the block `Frame` to 0. Errors: NotFound;
/// Unsupported with the first words of the driver.
Result<ShaderProgram> loadProgram(const std::filesystem::path& folder, const std::string& vertex,
                                  const std::string& fragment);

/// Loads programs from a folder; stops at the first fault.
class ShaderLoader {
 public:
  explicit ShaderLoader(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// By default the fragment shader has the name of the vertex shader.
  ShaderProgram operator()(const std::string& vertex, const std::string& fragment = {});
  [[nodiscard]] const std::optional<Error>& fault() const noexcept { return fault_; }

 private:
  std::filesystem::path folder_;
  std::optional<Error> fault_;
};

/// An off-screen render target.
class RenderTarget {
 public:
  /// Creates colour and depth of that size. Errors: Unsupported (the size exceeds the driver's
  /// limit).
  static Result<RenderTarget> create(int width, int height);
  /// Redirects drawing and reading to this target until unbind().
  void bind() const;
  static void unbind();
  /// Stretches the lower left part of the target over the window from `x` on. The window is bound
  /// afterwards.
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
