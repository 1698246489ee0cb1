// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/sphere_pass.h"

#include <cmath>
#include <cstddef>

namespace nearmiss::app {
namespace {

constexpr int ringSides = 8;  ///< of the band that holds the drawn circle
constexpr int circleSteps = 28;
constexpr float fullTurn = 6.28318531f;

}  // namespace

Result<SpherePass> SpherePass::create(const std::filesystem::path& shaders) {
  SpherePass pass;
  Result<Program> ring = loadProgram(shaders, "ring", "ring");
  if (!ring) return ring.error();
  Result<Program> circles = loadProgram(shaders, "circles", "circles");
  if (!circles) return circles.error();
  pass.ring_ = *std::move(ring);
  pass.circles_ = *std::move(circles);
  pass.makeShapes();
  return pass;
}

void SpherePass::makeShapes() {
  // A closed band of corners, inner and outer in turn; the shader makes it as wide as the line
  // needs and no wider, because every pixel of it costs.
  std::vector<glm::vec3> band;
  for (int i = 0; i <= ringSides; ++i) {
    const float a = fullTurn * static_cast<float>(i) / ringSides;
    for (const float outer : {0.0f, 1.0f}) band.emplace_back(std::cos(a), std::sin(a), outer);
  }
  ringCount_ = static_cast<GLsizei>(band.size());
  ringArray_ = makeVertexArray();
  glBindVertexArray(ringArray_.get());
  ringVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec3>(band));
  setAttributes({{0, 3, 0}}, sizeof(glm::vec3), 0);

  std::vector<glm::vec3> ends;
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < circleSteps; ++i) {
      for (const int end : {i, i + 1}) {
        const float a = fullTurn * static_cast<float>(end) / circleSteps;
        glm::vec3 p(0.0f);
        p[(axis + 1) % 3] = std::cos(a);
        p[(axis + 2) % 3] = std::sin(a);
        ends.push_back(p);
      }
    }
  }
  circlesCount_ = static_cast<GLsizei>(ends.size());
  circlesArray_ = makeVertexArray();
  glBindVertexArray(circlesArray_.get());
  circlesVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec3>(ends));
  setAttributes({{0, 3, 0}}, sizeof(glm::vec3), 0);
  glBindVertexArray(0);
}

void SpherePass::bind(const VertexArray& array, std::size_t first) const {
  glBindVertexArray(array.get());
  glBindBuffer(GL_ARRAY_BUFFER, stream_.get());
  setAttributes({{1, 4, offsetof(Instance, ball)}, {2, 4, offsetof(Instance, colour)}},
                sizeof(Instance), 1, first * sizeof(Instance));
}

void SpherePass::draw(std::span<const DrawSphere> spheres, const Camera& camera,
                      const ViewCone& view) {
  instances_.clear();
  std::size_t circles = 0;
  // Those with three circles come first; they have a ring as well.
  for (const bool three : {true, false}) {
    for (const DrawSphere& s : spheres) {
      if (s.threeCircles != three || s.sphere.radius <= 0.0 ||
          !view.mayShow(s.sphere.centre, s.sphere.radius)) {
        continue;
      }
      const glm::vec3 centre(s.sphere.centre - camera.pose.position);
      instances_.push_back(
          {glm::vec4(centre, static_cast<float>(s.sphere.radius)), glm::vec4(s.colour, s.alpha)});
    }
    if (three) circles = instances_.size();
  }
  if (instances_.empty()) return;
  stream_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances_));
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);

  glUseProgram(ring_.get());
  bind(ringArray_, 0);
  const GLint strength = glGetUniformLocation(ring_.get(), "strength");
  glUniform1f(strength, 1.0f);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, ringCount_, static_cast<GLsizei>(instances_.size()));
  if (circles == 0) return;
  // What ships hide of the chosen few shines through them.
  glDepthFunc(GL_GREATER);
  glUniform1f(strength, 0.3f);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, ringCount_, static_cast<GLsizei>(circles));
  glDepthFunc(GL_LEQUAL);
  glUseProgram(circles_.get());
  bind(circlesArray_, 0);
  glDrawArraysInstanced(GL_LINES, 0, circlesCount_, static_cast<GLsizei>(circles));
}

}  // namespace nearmiss::app
