// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/ball_pass.h"

#include <array>
#include <cstddef>

namespace nearmiss::app {

Result<BallPass> BallPass::create(const std::filesystem::path& shaders) {
  Result<Program> program = loadProgram(shaders, "ball", "ball");
  if (!program) return program.error();
  BallPass pass;
  pass.program_ = *std::move(program);
  pass.array_ = makeVertexArray();
  glBindVertexArray(pass.array_.get());
  constexpr std::array corners{glm::vec2(-1.0f, -1.0f), glm::vec2(1.0f, -1.0f),
                               glm::vec2(-1.0f, 1.0f), glm::vec2(1.0f, 1.0f)};
  pass.corners_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec2>(corners));
  setAttributes({{0, 2, 0}}, sizeof(glm::vec2), 0);
  glBindBuffer(GL_ARRAY_BUFFER, pass.stream_.get());
  setAttributes({{1, 4, offsetof(Instance, ball)}, {2, 3, offsetof(Instance, colour)}},
                sizeof(Instance), 1);
  glBindVertexArray(0);
  return pass;
}

void BallPass::draw(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view) {
  instances_.clear();
  for (const auto& [sphere, colour] : balls) {
    if (sphere.radius <= 0.0 || !view.mayShow(sphere.centre, sphere.radius)) continue;
    const glm::vec3 centre(sphere.centre - camera.pose.position);
    instances_.push_back({glm::vec4(centre, static_cast<float>(sphere.radius)), colour});
  }
  if (instances_.empty()) return;
  stream_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances_));
  drawPrepared();
}

void BallPass::drawThrough(std::span<const DrawBall> balls, const Camera& camera,
                           const ViewCone& view) {
  constexpr float opaque = 0.45f;
  glDisable(GL_BLEND);
  glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
  draw(balls, camera, view);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  if (instances_.empty()) return;
  glEnable(GL_BLEND);
  glBlendColor(0.0f, 0.0f, 0.0f, opaque);
  glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
  drawPrepared();
  glDisable(GL_BLEND);
}

void BallPass::drawPrepared() const {
  glUseProgram(program_.get());
  glBindVertexArray(array_.get());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(instances_.size()));
}

}  // namespace nearmiss::app
