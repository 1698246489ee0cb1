// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/plane_pass.h"

#include <array>
#include <cstddef>

namespace nearmiss::app {
namespace {

struct Corner {
  glm::vec3 place;
  glm::vec2 at;
};

}  // namespace

Result<PlanePass> PlanePass::create(const std::filesystem::path& shaders) {
  Result<Program> program = loadProgram(shaders, "plane", "plane");
  if (!program) return program.error();
  PlanePass pass;
  pass.program_ = *std::move(program);
  pass.array_ = makeVertexArray();
  glBindVertexArray(pass.array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.stream_.get());
  setAttributes({{0, 3, offsetof(Corner, place)}, {1, 2, offsetof(Corner, at)}}, sizeof(Corner), 0);
  glBindVertexArray(0);
  pass.texture_ = makeTexture();
  glBindTexture(GL_TEXTURE_2D, pass.texture_.get());
  for (const auto& [name, value] :
       {std::pair(GL_TEXTURE_MIN_FILTER, GL_LINEAR), std::pair(GL_TEXTURE_MAG_FILTER, GL_LINEAR),
        std::pair(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE),
        std::pair(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE)})
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(name), value);
  return pass;
}

void PlanePass::draw(const DrawPlane& plane, const Vec3& eye) {
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  if (plane.revision != revision_) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, plane.pixels, plane.pixels, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, plane.colours.data());
    revision_ = plane.revision;
  }
  std::array<Corner, 4> corners;
  for (std::size_t i = 0; i < 4; ++i)
    corners[i] = {glm::vec3(plane.corners[i] - eye),
                  {static_cast<float>(i % 2), static_cast<float>(i / 2)}};
  stream_.write(GL_ARRAY_BUFFER, std::span<const Corner>(corners));
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program_.get());
  glBindVertexArray(array_.get());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace nearmiss::app
