// SPDX-License-Identifier: MIT
/// Pictures that the renderer draws off screen, and what differs between two.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <glad/gl.h>

#include "app/fly/offscreen_window.h"
#include "fly/gfx/renderer.h"

namespace nearmiss::app::fly {

inline constexpr int width = 320, height = 200;

/// A box of six faces with normals of their own, half-sizes given, one material.
inline engine::DrawMesh box(float x, float y, float z) {
  engine::DrawMesh mesh;
  mesh.materials.push_back({});
  for (int axis = 0; axis < 3; ++axis) {
    for (const float side : {-1.0f, 1.0f}) {
      const auto base = static_cast<std::uint32_t>(mesh.vertices.size());
      for (int corner = 0; corner < 4; ++corner) {
        float p[3];
        p[axis] = side;
        p[(axis + 1) % 3] = corner == 1 || corner == 2 ? side : -side;
        p[(axis + 2) % 3] = corner >= 2 ? 1.0f : -1.0f;
        engine::DrawVertex v{{x * p[0], y * p[1], z * p[2]}, {0, 0, 0}, 0};
        v.normal[axis] = side;
        mesh.vertices.push_back(v);
      }
      for (const std::uint32_t k : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(base + k);
    }
  }
  return mesh;
}

/// The same box without the face that looks to +z.
inline engine::DrawMesh openBox(float size) {
  engine::DrawMesh mesh = box(size, size, size);
  mesh.indices.resize(mesh.indices.size() - 6);
  return mesh;
}

struct Pixel {
  int r = 0, g = 0, b = 0;
  [[nodiscard]] int light() const { return r + g + b; }
};

/// A picture as the window shows it.
struct Picture {
  std::vector<std::uint8_t> rgb;
  [[nodiscard]] Pixel at(int x, int y) const {
    const std::size_t i = static_cast<std::size_t>(y * width + x) * 3;
    return {rgb[i], rgb[i + 1], rgb[i + 2]};
  }
  [[nodiscard]] Pixel at(const glm::vec2& p) const {
    return at(std::clamp(static_cast<int>(p.x), 0, width - 1),
              std::clamp(static_cast<int>(p.y), 0, height - 1));
  }
};

inline bool differ(const Pixel& a, const Pixel& b) {
  return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b) > 24;
}

struct Difference {
  int count = 0;
  glm::vec2 centre{0.0f}, low{1e9f}, high{-1e9f};
};

inline Difference between(const Picture& a, const Picture& b) {
  Difference d;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (!differ(a.at(x, y), b.at(x, y))) continue;
      const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
      ++d.count;
      d.centre += p;
      d.low = glm::min(d.low, p);
      d.high = glm::max(d.high, p);
    }
  }
  if (d.count > 0) d.centre /= static_cast<float>(d.count);
  return d;
}

class FlyRender : public testing::Test {
 protected:
  void SetUp() override {
    setenv("NEARMISS_ROOT", NEARMISS_SOURCE_DIR, 1);
    ASSERT_EQ(window_.failure(), "") << "tests draw with OpenGL 3.3 off screen";
    Result<Renderer> made = Renderer::create();
    ASSERT_TRUE(made) << made.error().message;
    renderer_.emplace(*std::move(made));
    const std::array<engine::DrawMesh, 2> models{box(0.6f, 0.5f, 0.4f), openBox(0.5f)};
    renderer_->setShapes(models);
  }

  void TearDown() override {
    for (const std::string& words : window_.complaints()) ADD_FAILURE() << words;
    if (renderer_) {
      EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
    }
    renderer_.reset();
  }

  Picture draw(const DrawFrame& frame) {
    renderer_->draw(frame, width, height);
    return {renderer_->readPixels(width, height)};
  }

  glm::vec2 pixelOf(const Vec3& world) {
    glm::vec2 pixel(-1.0f);
    EXPECT_TRUE(project(frame_.camera, width, height, world, pixel));
    return pixel;
  }

  /// Pixels that a length at this point covers.
  float pixels(const Vec3& world, double length) {
    const double depth =
        glm::dot(world - frame_.camera.pose.position, frame_.camera.pose.rotation * Vec3(0, 0, -1));
    return static_cast<float>(0.5 * height * length /
                              (std::tan(0.5 * frame_.camera.fieldOfView) * depth));
  }

  test::OffscreenWindow window_{width, height};
  std::optional<Renderer> renderer_;
  DrawFrame frame_;
};

}  // namespace nearmiss::app::fly
