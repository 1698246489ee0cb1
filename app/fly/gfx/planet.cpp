// SPDX-License-Identifier: MIT
#include "fly/gfx/planet.h"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "fly/gfx/noise.h"

namespace nearmiss::app {
namespace {

constexpr float ball = 0.90f;  ///< radius of the ball in the picture; the rest is air
const glm::vec3 air(0.16f, 0.42f, 0.72f);
const glm::vec3 night(0.0015f, 0.002f, 0.0035f);

/// Colour of the ground, linear: bands of cloud, bent by large eddies.
glm::vec3 ground(const glm::vec3& d, const Noise& noise) {
  const float eddy = noise.fractal(2.5f * d, 4) - 0.5f;
  const glm::vec3 drawn = glm::vec3(5.0f, 16.0f, 5.0f) * d + glm::vec3(4.0f * eddy);
  const float fine = noise.fractal(drawn, 4);
  const float bands = 0.5f + 0.5f * std::sin(11.0f * (d.y + 0.35f * eddy) + 5.0f * (fine - 0.5f));
  const float cloud =
      glm::smoothstep(0.45f, 0.75f, noise.fractal(3.5f * d + glm::vec3(9.0f + eddy), 5));
  const glm::vec3 sea = glm::mix(glm::vec3(0.020f, 0.065f, 0.125f), glm::vec3(0.09f, 0.23f, 0.28f),
                                 0.65f * bands + 0.35f * fine);
  return glm::mix(sea, glm::vec3(0.42f, 0.50f, 0.54f), 0.55f * cloud);
}

/// The same curve as shaders/display.glsl.
glm::vec3 display(const glm::vec3& light) { return 1.019f * light / (light + 0.155f); }

}  // namespace

std::vector<std::uint8_t> paintPlanet(int size, const glm::vec3& right, const glm::vec3& up,
                                      const glm::vec3& towards, const glm::vec3& sun) {
  const Noise noise(0x9b1a2u);
  std::vector<std::uint8_t> picture;
  picture.reserve(static_cast<std::size_t>(size) * static_cast<std::size_t>(size) * 4);
  const float pixel = 2.0f / static_cast<float>(size);
  for (int y = 0; y < size; ++y) {
    for (int x = 0; x < size; ++x) {
      const float u = pixel * (static_cast<float>(x) + 0.5f) - 1.0f;
      const float v = pixel * (static_cast<float>(y) + 0.5f) - 1.0f;
      const float r = std::sqrt(u * u + v * v);
      glm::vec3 shown(0.0f);
      float solid = 0.0f;
      if (r < 1.0f) {
        // The point of the ball under this pixel, or the nearest on its limb
        const float inside = std::min(r / ball, 1.0f);
        const float facing = std::sqrt(1.0f - inside * inside);
        const float scale = r > 0.0f ? inside / r : 0.0f;
        const glm::vec3 n = scale * (u * right + v * up) - facing * towards;
        const float day = glm::dot(n, sun);
        const float lit = glm::smoothstep(-0.12f, 0.95f, day);
        const float dusk = glm::smoothstep(-0.35f, 0.6f, day);
        // Beyond the limb the air thins out; before the ball it thickens towards the limb.
        const float thin = 1.0f - glm::clamp((r - ball) / (1.0f - ball), 0.0f, 1.0f);
        const float haze = 1.0f - facing;
        solid = 1.0f - glm::smoothstep(ball - pixel, ball + pixel, r);
        const glm::vec3 glow = air * (0.26f * thin * thin * thin * dusk);
        const glm::vec3 body = solid > 0.0f ? (0.46f * lit + 0.012f) * ground(n, noise) + night +
                                                  air * (0.34f * haze * haze * dusk)
                                            : glm::vec3(0.0f);
        shown = display(glm::mix(glow, body, solid));
      }
      for (int k = 0; k < 3; ++k) {
        picture.push_back(static_cast<std::uint8_t>(255.0f * glm::clamp(shown[k], 0.0f, 1.0f)));
      }
      picture.push_back(static_cast<std::uint8_t>(255.0f * solid));
    }
  }
  return picture;
}

}  // namespace nearmiss::app
