// SPDX-License-Identifier: MIT
#include "fly/gfx/ambient_occlusion.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>
#include <limits>

namespace nearmiss::app {
namespace {

constexpr int directions = 60;
constexpr int pixels = 160;  ///< along a side of a depth picture
/// Of the model's radius: what is nearer in front of a vertex is its own surface.
constexpr float bias = 0.03f;
/// No recess is black: light comes back from its walls.
constexpr float darkest = 0.2f;

glm::vec3 positionOf(const engine::DrawVertex& v) {
  return {v.position[0], v.position[1], v.position[2]};
}

/// A picture of the model from one side: how near the nearest surface is in each pixel.
class DepthPicture {
 public:
  DepthPicture(const glm::vec3& towards, float radius)
      : towards_(towards), scale_(0.5f * (pixels - 2) / radius) {
    const glm::vec3 other = std::abs(towards.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    right_ = glm::normalize(glm::cross(other, towards));
    up_ = glm::cross(towards, right_);
    nearest_.fill(-std::numeric_limits<float>::infinity());
  }

  /// Place in the picture, and how far towards its eye.
  [[nodiscard]] glm::vec3 project(const glm::vec3& p) const {
    constexpr float middle = 0.5f * pixels;
    return {middle + scale_ * glm::dot(p, right_), middle + scale_ * glm::dot(p, up_),
            glm::dot(p, towards_)};
  }

  /// Corners as project() gives them.
  void draw(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (std::abs(area) < 1e-6f) return;
    const auto first = [](float least) { return std::max(0, static_cast<int>(least)); };
    const auto last = [](float most) { return std::min(pixels - 1, static_cast<int>(most)); };
    const int x0 = first(std::min({a.x, b.x, c.x})), x1 = last(std::max({a.x, b.x, c.x}));
    const int y0 = first(std::min({a.y, b.y, c.y})), y1 = last(std::max({a.y, b.y, c.y}));
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) {
        const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        const float v = ((p.x - a.x) * (c.y - a.y) - (p.y - a.y) * (c.x - a.x)) / area;
        const float w = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / area;
        if (v < 0.0f || w < 0.0f || v + w > 1.0f) continue;
        float& nearest = nearest_[static_cast<std::size_t>(y * pixels + x)];
        nearest = std::max(nearest, a.z + v * (b.z - a.z) + w * (c.z - a.z));
      }
    }
  }

  [[nodiscard]] float nearestAt(const glm::vec3& place) const {
    const int x = std::clamp(static_cast<int>(place.x), 0, pixels - 1);
    const int y = std::clamp(static_cast<int>(place.y), 0, pixels - 1);
    return nearest_[static_cast<std::size_t>(y * pixels + x)];
  }

 private:
  glm::vec3 towards_, right_{0.0f}, up_{0.0f};
  float scale_;
  std::array<float, static_cast<std::size_t>(pixels) * pixels> nearest_;
};

/// Evenly about, the `i`th of all.
glm::vec3 direction(int i) {
  const float goldenAngle = glm::pi<float>() * (3.0f - std::sqrt(5.0f));
  const float y = 1.0f - (2.0f * static_cast<float>(i) + 1.0f) / directions;
  const float level = std::sqrt(1.0f - y * y), turn = goldenAngle * static_cast<float>(i);
  return {level * std::cos(turn), y, level * std::sin(turn)};
}

}  // namespace

std::vector<float> openness(const engine::DrawMesh& mesh) {
  float radius = 0.0f;
  for (const engine::DrawVertex& v : mesh.vertices)
    radius = std::max(radius, glm::length(positionOf(v)));
  std::vector<float> open(mesh.vertices.size(), 0.0f), all(open);
  std::vector<glm::vec3> places(mesh.vertices.size());
  for (int i = 0; i < directions && radius > 0.0f; ++i) {
    const glm::vec3 towards = direction(i);
    DepthPicture picture(towards, radius);
    std::ranges::transform(mesh.vertices, places.begin(), [&](const engine::DrawVertex& v) {
      return picture.project(positionOf(v));
    });
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3)
      picture.draw(places[mesh.indices[t]], places[mesh.indices[t + 1]],
                   places[mesh.indices[t + 2]]);
    for (std::size_t k = 0; k < open.size(); ++k) {
      const float* n = mesh.vertices[k].normal;
      const float facing = glm::dot(towards, glm::vec3(n[0], n[1], n[2]));
      if (facing <= 0.0f) continue;
      all[k] += facing;
      // A surface that is seen aslant rises within a pixel
      const float slope = std::sqrt(1.0f - std::min(facing * facing, 1.0f)) / (facing + 0.1f);
      const float slack = radius * (bias + 1.5f / pixels * slope);
      if (picture.nearestAt(places[k]) <= places[k].z + slack) open[k] += facing;
    }
  }
  for (std::size_t k = 0; k < open.size(); ++k)
    open[k] = all[k] > 0.0f ? darkest + (1.0f - darkest) * open[k] / all[k] : 1.0f;
  return open;
}

}  // namespace nearmiss::app
