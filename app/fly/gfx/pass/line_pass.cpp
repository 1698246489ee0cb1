// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/line_pass.h"

#include <cmath>
#include <cstddef>
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

void LinePass::makeCage() {
  constexpr int steps = 96, meridians = 6;
  constexpr double pi = 3.14159265358979;
  std::vector<glm::vec3> ends;
  const auto circle = [&](const auto& at) {
    for (int i = 0; i < steps; ++i) {
      for (const int end : {i, i + 1}) ends.push_back(glm::vec3(at(2.0 * pi * end / steps)));
    }
  };
  // A globe: meridians about y, and parallels at the equator and 36 degrees off it and twice that.
  for (int m = 0; m < meridians; ++m) {
    const double turn = pi * m / meridians;
    circle([&](double a) {
      return Vec3(std::cos(a) * std::cos(turn), std::sin(a), std::cos(a) * std::sin(turn));
    });
  }
  for (int p = -2; p <= 2; ++p) {
    const double latitude = 0.2 * pi * p;
    circle([&](double a) {
      return Vec3(std::cos(a) * std::cos(latitude), std::sin(latitude),
                  std::sin(a) * std::cos(latitude));
    });
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
