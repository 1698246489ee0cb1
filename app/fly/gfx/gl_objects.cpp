// SPDX-License-Identifier: MIT
#include "fly/gfx/gl_objects.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace nearmiss::app::fly {
namespace {

Result<std::string> readText(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    return Error{ErrorCode::NotFound, fmt::format("cannot open shader \"{}\"", file.string())};
  }
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// Reads a file with its includes. Included text has line numbers from 1000, so that the driver's
/// messages show which file is meant.
Result<std::string> readShader(const std::filesystem::path& file) {
  Result<std::string> text = readText(file);
  if (!text) return text;
  std::istringstream lines(*text);
  std::string whole, line;
  const std::string start = "#include \"";
  for (int number = 1; std::getline(lines, line); ++number) {
    if (!line.starts_with(start)) {
      whole += line + "\n";
      continue;
    }
    const std::string name = line.substr(start.size(), line.rfind('"') - start.size());
    const Result<std::string> included = readText(file.parent_path() / name);
    if (!included) return included;
    whole += fmt::format("#line 1000\n{}\n#line {}\n", *included, number + 1);
  }
  return whole;
}

/// The first nonempty line of a log.
std::string firstWords(const std::string& log) {
  const std::size_t begin = log.find_first_not_of(" \n\r\t");
  if (begin == std::string::npos || log[begin] == '\0') return "no details from the driver";
  return log.substr(begin, log.find_first_of("\n\r", begin) - begin);
}

Result<Shader> compile(const std::filesystem::path& file, GLenum kind) {
  const Result<std::string> text = readShader(file);
  if (!text) return text.error();
  Shader shader(glCreateShader(kind));
  const char* source = text->c_str();
  glShaderSource(shader.get(), 1, &source, nullptr);
  glCompileShader(shader.get());
  GLint good = 0, length = 0;
  glGetShaderiv(shader.get(), GL_COMPILE_STATUS, &good);
  if (good) return shader;
  glGetShaderiv(shader.get(), GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
  glGetShaderInfoLog(shader.get(), length, nullptr, log.data());
  return Error{ErrorCode::Unsupported,
               fmt::format("shader \"{}\" does not compile: {}", file.string(), firstWords(log))};
}

}  // namespace

Buffer makeBuffer() {
  GLuint name = 0;
  glGenBuffers(1, &name);
  return Buffer(name);
}

VertexArray makeVertexArray() {
  GLuint name = 0;
  glGenVertexArrays(1, &name);
  return VertexArray(name);
}

Texture makeTexture() {
  GLuint name = 0;
  glGenTextures(1, &name);
  return Texture(name);
}

void StreamBuffer::write(GLenum target, const void* data, std::size_t bytes) {
  glBindBuffer(target, buffer_.get());
  capacity_ = std::max(capacity_, bytes);
  glBufferData(target, static_cast<GLsizeiptr>(capacity_), nullptr, GL_STREAM_DRAW);
  if (bytes > 0) glBufferSubData(target, 0, static_cast<GLsizeiptr>(bytes), data);
}

void setAttributes(std::initializer_list<FloatAttribute> attributes, std::size_t stride,
                   GLuint divisor, std::size_t base) {
  for (const FloatAttribute& a : attributes) {
    glEnableVertexAttribArray(a.location);
    // OpenGL takes the offset as a pointer.
    glVertexAttribPointer(a.location, a.components, GL_FLOAT, GL_FALSE,
                          static_cast<GLsizei>(stride),
                          reinterpret_cast<const void*>(base + a.offset));
    glVertexAttribDivisor(a.location, divisor);
  }
}

Result<ShaderProgram> loadProgram(const std::filesystem::path& folder, const std::string& vertex,
                                  const std::string& fragment) {
  const Result<Shader> vert = compile(folder / (vertex + ".vert.glsl"), GL_VERTEX_SHADER);
  if (!vert) return vert.error();
  const Result<Shader> frag = compile(folder / (fragment + ".frag.glsl"), GL_FRAGMENT_SHADER);
  if (!frag) return frag.error();
  ShaderProgram program(glCreateProgram());
  glAttachShader(program.get(), vert->get());
  glAttachShader(program.get(), frag->get());
  glLinkProgram(program.get());
  GLint good = 0, length = 0;
  glGetProgramiv(program.get(), GL_LINK_STATUS, &good);
  if (!good) {
    glGetProgramiv(program.get(), GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(std::max(length, 1)), '\0');
    glGetProgramInfoLog(program.get(), length, nullptr, log.data());
    return Error{ErrorCode::Unsupported, fmt::format("shaders {} and {} do not link: {}", vertex,
                                                     fragment, firstWords(log))};
  }
  const GLuint block = glGetUniformBlockIndex(program.get(), "Frame");
  if (block != GL_INVALID_INDEX) glUniformBlockBinding(program.get(), block, 0);
  return program;
}

ShaderProgram ShaderLoader::operator()(const std::string& vertex, const std::string& fragment) {
  if (fault_) return {};
  Result<ShaderProgram> loaded = loadProgram(folder_, vertex, fragment.empty() ? vertex : fragment);
  if (loaded) return *std::move(loaded);
  fault_ = loaded.error();
  return {};
}

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

}  // namespace nearmiss::app::fly
