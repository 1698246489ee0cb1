// SPDX-License-Identifier: MIT
#include "fly/gfx/pass/mark_passes.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <glm/gtc/constants.hpp>
#include <utility>

namespace nearmiss::app::fly {
namespace {

constexpr int ringSides = 8;  ///< of the band that contains the circle
constexpr int circleSteps = 28;
constexpr float fullTurn = 6.28318531f;

}  // namespace

SpherePass::SpherePass(ShaderLoader& load) : ring_(load("ring")), circles_(load("circles")) {
  makeShapes();
}

void SpherePass::makeShapes() {
  // A closed band of alternating inner and outer corners. The shader makes it just as wide as the
  // line, because every pixel costs time.
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
  // Spheres with three circles first; they have a ring as well.
  for (const bool three : {true, false}) {
    for (const DrawSphere& s : spheres) {
      if (s.threeCircles != three || s.sphere.radius <= 0.0 ||
          !view.mayBeVisible(s.sphere.centre, s.sphere.radius)) {
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
  // Hidden parts of these few spheres stay faintly visible.
  glDepthFunc(GL_GREATER);
  glUniform1f(strength, 0.3f);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, ringCount_, static_cast<GLsizei>(circles));
  glDepthFunc(GL_LEQUAL);
  glUseProgram(circles_.get());
  bind(circlesArray_, 0);
  glDrawArraysInstanced(GL_LINES, 0, circlesCount_, static_cast<GLsizei>(circles));
}

BallPass::BallPass(ShaderLoader& load) : program_(load("ball")) {
  array_ = makeVertexArray();
  glBindVertexArray(array_.get());
  constexpr std::array corners{glm::vec2(-1.0f, -1.0f), glm::vec2(1.0f, -1.0f),
                               glm::vec2(-1.0f, 1.0f), glm::vec2(1.0f, 1.0f)};
  corners_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const glm::vec2>(corners));
  setAttributes({{0, 2, 0}}, sizeof(glm::vec2), 0);
  glBindBuffer(GL_ARRAY_BUFFER, stream_.get());
  setAttributes({{1, 4, offsetof(Instance, ball)}, {2, 3, offsetof(Instance, colour)}},
                sizeof(Instance), 1);
  glBindVertexArray(0);
}

void BallPass::draw(std::span<const DrawBall> balls, const Camera& camera, const ViewCone& view) {
  instances_.clear();
  for (const auto& [sphere, colour] : balls) {
    if (sphere.radius <= 0.0 || !view.mayBeVisible(sphere.centre, sphere.radius)) continue;
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

LinePass::LinePass(ShaderLoader& load)
    : line_(load("line")), flat_(load("flat")), cage_(load("cage")) {
  lineArray_ = makeVertexArray();
  glBindVertexArray(lineArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, lineStream_.get());
  setAttributes({{0, 3, offsetof(Segment, from)},
                 {1, 3, offsetof(Segment, to)},
                 {2, 4, offsetof(Segment, colour)}},
                sizeof(Segment), 1);
  triangleArray_ = makeVertexArray();
  glBindVertexArray(triangleArray_.get());
  glBindBuffer(GL_ARRAY_BUFFER, triangleStream_.get());
  setAttributes({{0, 3, offsetof(Corner, place)}, {1, 3, offsetof(Corner, colour)}}, sizeof(Corner),
                0);
  makeCage();
}

/// Small, evenly distributed crosses: longer lines would cross the ship in the picture.
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
    segments_.push_back(
        {glm::vec3(line.from - eye), glm::vec3(line.to - eye), glm::vec4(line.colour, line.alpha)});
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
  // They lie exactly on the surfaces that they mark: draw them slightly nearer.
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

namespace {

struct PlaneCorner {
  glm::vec3 place;
  glm::vec2 at;
};

}  // namespace

PlanePass::PlanePass(ShaderLoader& load) : program_(load("plane")) {
  array_ = makeVertexArray();
  glBindVertexArray(array_.get());
  glBindBuffer(GL_ARRAY_BUFFER, stream_.get());
  setAttributes({{0, 3, offsetof(PlaneCorner, place)}, {1, 2, offsetof(PlaneCorner, at)}},
                sizeof(PlaneCorner), 0);
  glBindVertexArray(0);
  texture_ = makeTexture();
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  for (const auto& [name, value] :
       {std::pair(GL_TEXTURE_MIN_FILTER, GL_LINEAR), std::pair(GL_TEXTURE_MAG_FILTER, GL_LINEAR),
        std::pair(GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE),
        std::pair(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE)})
    glTexParameteri(GL_TEXTURE_2D, static_cast<GLenum>(name), value);
}

void PlanePass::draw(const DrawPlane& plane, const Vec3& eye) {
  glBindTexture(GL_TEXTURE_2D, texture_.get());
  if (plane.revision != revision_) {
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, plane.pixels, plane.pixels, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, plane.colours.data());
    revision_ = plane.revision;
  }
  std::array<PlaneCorner, 4> corners;
  for (std::size_t i = 0; i < 4; ++i)
    corners[i] = {glm::vec3(plane.corners[i] - eye),
                  {static_cast<float>(i % 2), static_cast<float>(i / 2)}};
  stream_.write(GL_ARRAY_BUFFER, std::span<const PlaneCorner>(corners));
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program_.get());
  glBindVertexArray(array_.get());
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace nearmiss::app::fly
