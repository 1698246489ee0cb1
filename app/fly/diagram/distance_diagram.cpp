// SPDX-License-Identifier: MIT
#include "fly/diagram/distance_diagram.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace nearmiss::app::fly {
namespace {

/// Relative to the diagonal, so that a fan covers the farthest pixel as well.
constexpr double beyond = 1.02;
/// Error of 24-bit depth and of the driver's arithmetic, relative to the reach.
constexpr double depthError = 1e-5;

double reachOf(double side) noexcept { return beyond * std::sqrt(2.0) * side; }

glm::vec3 siteColour(std::uint32_t site) noexcept {
  return glm::vec3(static_cast<float>(site & 0xff), static_cast<float>(site >> 8 & 0xff),
                   static_cast<float>(site >> 16 & 0xff)) /
         255.0f;
}

}  // namespace

Result<DistanceDiagram> DistanceDiagram::create(const std::filesystem::path& shaders, int pixels) {
  Result<ShaderProgram> program = loadProgram(shaders, "site", "site");
  if (!program) return program.error();
  Result<RenderTarget> target = RenderTarget::create(pixels, pixels);
  if (!target) return target.error();
  DistanceDiagram diagram(*std::move(target));
  diagram.program_ = *std::move(program);
  diagram.picture_.pixels = pixels;
  GLint subpixelBits = 0;
  glGetIntegerv(GL_SUBPIXEL_BITS, &subpixelBits);
  diagram.makeMesh(subpixelBits);
  return diagram;
}

/// The mesh of one site. Depth along a spoke of the fan is the distance; between two spokes the
/// chord is nearer than the circle, so the distance is too large by the difference. The driver
/// moves corners to a subpixel grid, which changes the distance by at most the displacement,
/// because the slope is at most 1.
void DistanceDiagram::makeMesh(int subpixelBits) {
  const double pixel = 1.0 / (picture_.pixels * reachOf(1.0));  // relative to the reach
  const double step = std::sqrt(2.0) * std::ldexp(pixel, -std::max(subpixelBits, 4));
  const double pi = std::acos(-1.0);
  const double widest = 2.0 * std::acos(1.0 / (1.0 + 0.5 * pixel));
  const int slices = static_cast<int>(std::ceil(pi / widest));
  relativeShortfall_ = reachOf(1.0) * (2.0 * step + depthError);
  relativeError_ =
      reachOf(1.0) * (1.0 / std::cos(0.5 * pi / slices) - 1.0) + 2.0 * relativeShortfall_;

  std::vector<Corner> corners;
  const auto add = [&](float end, double angle, float depth) {
    const glm::vec2 spoke(static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
    corners.push_back({depth * spoke, {end, depth}});
  };
  for (const double side : {0.5 * pi, 1.5 * pi}) {
    add(0.0f, side, 0.0f);
    add(1.0f, side, 0.0f);
    add(1.0f, side, 1.0f);
    add(0.0f, side, 0.0f);
    add(1.0f, side, 1.0f);
    add(0.0f, side, 1.0f);
  }
  for (const float end : {0.0f, 1.0f})
    for (int i = 0; i < slices; ++i) {
      // Away from the other end point
      const double from = (end == 0.0f ? 0.5 : -0.5) * pi;
      add(end, 0.0, 0.0f);
      add(end, from + pi * i / slices, 1.0f);
      add(end, from + pi * (i + 1) / slices, 1.0f);
    }
  cornerCount_ = static_cast<GLsizei>(corners.size());
  array_ = makeVertexArray();
  glBindVertexArray(array_.get());
  corners_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const Corner>(corners));
  setAttributes({{0, 2, offsetof(Corner, offset)}, {1, 2, offsetof(Corner, end)}}, sizeof(Corner),
                0);
  glBindBuffer(GL_ARRAY_BUFFER, stream_.get());
  setAttributes({{2, 4, offsetof(Instance, segment)}, {3, 3, offsetof(Instance, name)}},
                sizeof(Instance), 1);
  glBindVertexArray(0);
}

const DiagramPicture& DistanceDiagram::draw(std::span<const PlaneSite> sites, const glm::dvec2& low,
                                            double side) {
  begin(low, side);
  add(sites, 0);
  return finish();
}

void DistanceDiagram::bind() {
  target_.bind();
  glViewport(0, 0, picture_.pixels, picture_.pixels);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisable(GL_SCISSOR_TEST);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(GL_TRUE);
}

void DistanceDiagram::begin(const glm::dvec2& low, double side) {
  picture_.low = low;
  picture_.error = relativeError_ * side;
  picture_.shortfall = relativeShortfall_ * side;
  picture_.side = side;
  bind();
  glClearColor(1.0f, 1.0f, 1.0f, 1.0f);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  RenderTarget::unbind();
}

void DistanceDiagram::add(std::span<const PlaneSite> sites, std::uint32_t first) {
  if (sites.empty()) return;
  instances_.clear();
  const double side = picture_.side;
  const glm::dvec2 middle = picture_.low + 0.5 * side;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const glm::vec2 a((sites[i].a - middle) * (2.0 / side)),
        b((sites[i].b - middle) * (2.0 / side));
    instances_.push_back({{a, b}, siteColour(first + static_cast<std::uint32_t>(i))});
  }
  bind();
  stream_.write(GL_ARRAY_BUFFER, std::span<const Instance>(instances_));
  glUseProgram(program_.get());
  // Clip space is two units wide
  glUniform1f(glGetUniformLocation(program_.get(), "reach"),
              static_cast<float>(2.0 * reachOf(1.0)));
  glBindVertexArray(array_.get());
  glDrawArraysInstanced(GL_TRIANGLES, 0, cornerCount_, static_cast<GLsizei>(instances_.size()));
  glBindVertexArray(0);
  RenderTarget::unbind();
}

const DiagramPicture& DistanceDiagram::finish() {
  target_.bind();
  readBack(reachOf(picture_.side));
  RenderTarget::unbind();
  return picture_;
}

void DistanceDiagram::readBack(double reach) {
  const auto count =
      static_cast<std::size_t>(picture_.pixels) * static_cast<std::size_t>(picture_.pixels);
  names_.resize(4 * count);
  picture_.distances.resize(count);
  picture_.sites.resize(count);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, picture_.pixels, picture_.pixels, GL_RGBA, GL_UNSIGNED_BYTE, names_.data());
  glReadPixels(0, 0, picture_.pixels, picture_.pixels, GL_DEPTH_COMPONENT, GL_FLOAT,
               picture_.distances.data());
  for (std::size_t i = 0; i < count; ++i) {
    picture_.sites[i] = names_[4 * i] | static_cast<std::uint32_t>(names_[4 * i + 1]) << 8 |
                        static_cast<std::uint32_t>(names_[4 * i + 2]) << 16;
    picture_.distances[i] *= static_cast<float>(reach);
  }
}

}  // namespace nearmiss::app::fly
