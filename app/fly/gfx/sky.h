// SPDX-License-Identifier: MIT
/// The backdrop: a band of stars in faint clouds, single stars, the sun, a planet. Made by a seed
/// at start, infinitely far away.
#pragma once

#include <glm/vec3.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "fly/gfx/frame_block.h"
#include "fly/gfx/gl_objects.h"

namespace nearmiss::app {

class Sky {
 public:
  static Result<Sky> create(const std::filesystem::path& shaders);
  /// Fills every pixel that nothing was drawn on. Leaves depth writing off and blending additive.
  void draw(const Camera& camera, double aspect) const;

 private:
  struct Patch {
    glm::vec3 centre;  ///< unit
    float cosine;      ///< of the angle that the patch spans about its centre
    GLint firstIndex, indexCount;
    GLint firstStar, starCount;
  };

  Sky() = default;
  void makeClouds();
  void makeStars();
  void makePlanet();

  Program clouds_, star_, planet_, sun_;
  VertexArray cloudArray_, starArray_, quadArray_;
  Buffer cloudVertices_, cloudIndices_, starVertices_;
  Texture planetPicture_;
  std::vector<Patch> patches_;
  mutable std::vector<GLint> starFirsts_;
  mutable std::vector<GLsizei> starCounts_, indexCounts_;
  mutable std::vector<const void*> indexOffsets_;
};

// Smooth noise in space, the same on every machine: what clouds and continents are made of.

class Noise {
 public:
  explicit Noise(std::uint32_t seed) noexcept : seed_(seed) {}

  /// Value noise of one octave, 0 to 1, features of size 1.
  [[nodiscard]] float at(const glm::vec3& p) const noexcept {
    const glm::vec3 floor(std::floor(p.x), std::floor(p.y), std::floor(p.z));
    const glm::vec3 f = p - floor;
    const glm::vec3 s = f * f * (glm::vec3(3.0f) - 2.0f * f);
    const int x = static_cast<int>(floor.x), y = static_cast<int>(floor.y),
              z = static_cast<int>(floor.z);
    float layers[2];
    for (int k = 0; k < 2; ++k) {
      const float near = mix(lattice(x, y, z + k), lattice(x + 1, y, z + k), s.x);
      const float far = mix(lattice(x, y + 1, z + k), lattice(x + 1, y + 1, z + k), s.x);
      layers[k] = mix(near, far, s.y);
    }
    return mix(layers[0], layers[1], s.z);
  }

  /// Octaves of halving weight and size, 0 to 1.
  [[nodiscard]] float fractal(glm::vec3 p, int octaves) const noexcept {
    float sum = 0.0f, weight = 0.5f, total = 0.0f;
    for (int i = 0; i < octaves; ++i) {
      sum += weight * at(p);
      total += weight;
      weight *= 0.5f;
      p = 2.03f * p + glm::vec3(17.1f, 9.2f, 31.7f);
    }
    return sum / total;
  }

 private:
  static float mix(float a, float b, float t) noexcept { return a + (b - a) * t; }
  [[nodiscard]] float lattice(int x, int y, int z) const noexcept {
    std::uint32_t h = seed_ ^ (static_cast<std::uint32_t>(x) * 0x8da6b343u) ^
                      (static_cast<std::uint32_t>(y) * 0xd8163841u) ^
                      (static_cast<std::uint32_t>(z) * 0xcb1ab31fu);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    h ^= h >> 15;
    return static_cast<float>(h >> 8) * (1.0f / 16777216.0f);
  }

  std::uint32_t seed_;
};

// Paints the planet of the backdrop. It neither turns nor comes nearer, so one picture is enough,
// and a picture costs a slow driver far less than a shader that works out the same.

/// Square picture of `size` pixels a side, RGBA as shown, alpha already multiplied in, bottom row
/// first. `right`, `up` and `towards` are the picture's axes in the world; `sun` the direction of
/// the light.
[[nodiscard]] std::vector<std::uint8_t> paintPlanet(int size, const glm::vec3& right,
                                                    const glm::vec3& up, const glm::vec3& towards,
                                                    const glm::vec3& sun);

}  // namespace nearmiss::app
