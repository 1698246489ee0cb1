// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/line_pass.h"

#include <cmath>
#include <cstddef>
#include <glm/gtc/constants.hpp>
#include <utility>

namespace nearmiss::app {

Result<LinePass> LinePass::create(const std::filesystem::path& shaders) {
  LinePass pass;
  const std::pair<Program*, const char*> programs[] = {
      {&pass.line_, "line"}, {&pass.flat_, "flat"}, {&pass.cage_, "cage"}};
  for (const auto& [program, name] : programs) {
    Result<Program> loaded = loadProgram(shaders, name, name);
    if (!loaded) return loaded.error();
    *program = *std::move(loaded);
  }
  pass.lineArray_ = makeVertexArray();
  glBindVertexArray(pass.lineArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.lineStream_.get());
  setAttributes({{0, 3, offsetof(Segment, from)},
                 {1, 3, offsetof(Segment, to)},
                 {2, 3, offsetof(Segment, colour)}},
                sizeof(Segment), 1);
  pass.triangleArray_ = makeVertexArray();
  glBindVertexArray(pass.triangleArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, pass.triangleStream_.get());
  setAttributes({{0, 3, offsetof(Corner, place)}, {1, 3, offsetof(Corner, colour)}}, sizeof(Corner),
                0);
  pass.makeCage();
  return pass;
}

/// Small crosses, evenly spread: lines from pole to pole would cut the picture, and the ship in it.
void LinePass::makeCage() {
  constexpr int crosses = 300;
  constexpr double half = 0.012;  // of the radius
  const double goldenAngle = glm::pi<double>() * (3.0 - std::sqrt(5.0));
  std::vector<glm::vec3> ends;
  for (int i = 0; i < crosses; ++i) {
    const double y = 1.0 - (2.0 * i + 1.0) / crosses, level = std::sqrt(1.0 - y * y);
    const Vec3 place(level * std::cos(goldenAngle * i), y, level * std::sin(goldenAngle * i));
    const Vec3 along = glm::normalize(glm::cross(Vec3(0.0, 1.0, 0.0), place));
    for (const Vec3& arm : {along, glm::cross(place, along)})
      for (const double side : {-half, half}) ends.emplace_back(place + side * arm);
  }
  cageCount_ = static_cast<GLsizei>(ends.size());
  cageArray_ = makeVertexArray();
  glBindVertexArray(cageArray_.get());
  cageVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec3>(ends));
  setAttributes({{0, 3, 0}}, sizeof(glm::vec3), 0);
  glBindVertexArray(0);
}

void LinePass::drawLines(std::span<const DrawLine> lines, const Vec3& eye) {
  if (lines.empty()) return;
  segments_.clear();
  for (const DrawLine& line : lines) {
    segments_.push_back({glm::vec3(line.from - eye), glm::vec3(line.to - eye), line.colour});
  }
  lineStream_.write(GL_ARRAY_BUFFER, std::span<const Segment>(segments_));
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(line_.get());
  glBindVertexArray(lineArray_.get());
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(segments_.size()));
}

void LinePass::drawTriangles(std::span<const DrawTriangle> triangles, const Vec3& eye) {
  if (triangles.empty()) return;
  corners_.clear();
  for (const DrawTriangle& t : triangles) {
    for (const Vec3* corner : {&t.a, &t.b, &t.c}) {
      corners_.push_back({glm::vec3(*corner - eye), t.colour});
    }
  }
  triangleStream_.write(GL_ARRAY_BUFFER, std::span<const Corner>(corners_));
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  // They lie in the very surfaces they mark: draw them a little nearer.
  glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(-2.0f, -8.0f);
  glUseProgram(flat_.get());
  glBindVertexArray(triangleArray_.get());
  glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(corners_.size()));
  glDisable(GL_POLYGON_OFFSET_FILL);
}

void LinePass::drawCage(double radius, const Vec3& eye) const {
  if (radius <= 0.0) return;
  glBlendFunc(GL_SRC_ALPHA, GL_ONE);
  glUseProgram(cage_.get());
  glBindVertexArray(cageArray_.get());
  const glm::vec3 centre(-eye);
  glUniform4f(glGetUniformLocation(cage_.get(), "place"), centre.x, centre.y, centre.z,
              static_cast<float>(radius));
  glDrawArrays(GL_LINES, 0, cageCount_);
}

}  // namespace nearmiss::app
