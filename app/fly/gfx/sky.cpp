// SPDX-License-Identifier: MIT
#include "fly/gfx/sky.h"

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/detail/split_mix.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

namespace nearmiss::app::fly {
namespace {

constexpr int subdivisions = 4;  ///< of each of the 20 faces of the background
constexpr int starsInAll = 5200;
constexpr int planetPixels = 512;
constexpr float planetTangent = 0.26f, sunTangent = 0.30f;  ///< tangents of half their angular
                                                            ///< sizes

/// Smooth noise, the same on every machine, for clouds and continents.
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

  /// Sum of octaves of halving weight and size, 0 to 1.
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

struct CloudVertex {
  float direction[3];
  std::uint8_t colour[4];
};

struct Star {
  float direction[3];
  float colour[3];
  float size;
};

const glm::vec3 bandNormal = glm::normalize(glm::vec3(0.35f, 0.86f, -0.38f));
const glm::vec3 bandCore = glm::normalize(glm::cross(bandNormal, glm::vec3(0.9f, 0.1f, 0.55f)));

/// Displayed background colour in a direction: almost black, with a band of clouds.
glm::vec3 cloudColour(const glm::vec3& d, const Noise& noise) {
  const float height = glm::dot(d, bandNormal);
  const float warp = noise.fractal(2.2f * d, 3) - 0.5f;
  const float across = (height + 0.22f * warp) / 0.26f;
  const float band = 1.0f / (1.0f + across * across * across * across);
  const float core = 0.5f + 0.5f * glm::dot(d, bandCore);
  const float cloud = noise.fractal(4.0f * d + glm::vec3(3.0f), 5);
  const float dust = glm::smoothstep(0.42f, 0.68f, noise.fractal(5.5f * d + glm::vec3(11.0f), 5));
  const float lane = 1.0f - 0.75f * dust / (1.0f + 12.0f * height * height);
  const float light = band * (0.35f + 0.9f * core * core) * (0.25f + 1.2f * cloud * cloud) * lane;

  const float veil = glm::smoothstep(0.5f, 0.85f, noise.fractal(1.6f * d + glm::vec3(7.0f), 4));
  const glm::vec3 night(0.020f, 0.026f, 0.047f);
  const glm::vec3 tint = glm::mix(glm::vec3(0.16f, 0.21f, 0.36f), glm::vec3(0.36f, 0.30f, 0.27f),
                                  core * core * glm::clamp(2.0f * cloud - 0.5f, 0.0f, 1.0f));
  return night + light * tint + veil * glm::vec3(0.045f, 0.012f, 0.060f) * (0.3f + band);
}

glm::vec3 randomDirection(SplitMix& random) {
  for (;;) {
    const glm::vec3 p(random.between(-1, 1), random.between(-1, 1), random.between(-1, 1));
    const float square = glm::dot(p, p);
    if (square > 0.01f && square < 1.0f) return p / std::sqrt(square);
  }
}

/// A few bright and many faint stars, denser along the band.
Star randomStar(SplitMix& random) {
  glm::vec3 d = randomDirection(random);
  if (random.unit() < 0.45) {
    const float squeeze = static_cast<float>(random.between(0.72, 0.97));
    d = glm::normalize(d - squeeze * glm::dot(d, bandNormal) * bandNormal);
  }
  const double u = random.unit();
  const float light = static_cast<float>(0.16 + 0.30 * u * u + 1.3 * u * u * u * u * u * u * u * u);
  const float warmth = static_cast<float>(random.unit());
  const glm::vec3 colour =
      warmth < 0.5f
          ? glm::mix(glm::vec3(0.65f, 0.76f, 1.0f), glm::vec3(1.0f), 2.0f * warmth)
          : glm::mix(glm::vec3(1.0f), glm::vec3(1.0f, 0.76f, 0.52f), 2.0f * warmth - 1.0f);
  const glm::vec3 shown = colour * std::min(light, 1.0f);
  // Antialiasing takes most of a point's light: compensate with three or more pixels
  const float size = light > 1.1f ? 5.0f : light > 0.55f ? 3.6f : 2.6f;
  return {{d.x, d.y, d.z}, {shown.x, shown.y, shown.z}, size};
}

std::uint8_t skyByte(float v) {
  return static_cast<std::uint8_t>(std::lround(255.0f * glm::clamp(v, 0.0f, 1.0f)));
}

constexpr float planetRim = 0.90f;  ///< radius of the planet in the picture; the rest is atmosphere
const glm::vec3 air(0.16f, 0.42f, 0.72f);
const glm::vec3 planetNight(0.0015f, 0.002f, 0.0035f);

/// Linear colour of the ground: bands of cloud distorted by large eddies.
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

/// Paints a square RGBA picture of `size` pixels per side with premultiplied alpha, bottom row
/// first. The planet neither rotates nor approaches, so a picture suffices and is much cheaper than
/// a shader on a slow driver. The axes are those of the picture in the world.
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
        // The point of the sphere at this pixel, or the nearest point on its limb
        const float inside = std::min(r / planetRim, 1.0f);
        const float facing = std::sqrt(1.0f - inside * inside);
        const float scale = r > 0.0f ? inside / r : 0.0f;
        const glm::vec3 n = scale * (u * right + v * up) - facing * towards;
        const float day = glm::dot(n, sun);
        const float lit = glm::smoothstep(-0.12f, 0.95f, day);
        const float dusk = glm::smoothstep(-0.35f, 0.6f, day);
        // Outside the limb the atmosphere becomes thinner; inside, thicker towards the limb.
        const float thin = 1.0f - glm::clamp((r - planetRim) / (1.0f - planetRim), 0.0f, 1.0f);
        const float haze = 1.0f - facing;
        solid = 1.0f - glm::smoothstep(planetRim - pixel, planetRim + pixel, r);
        const glm::vec3 glow = air * (0.26f * thin * thin * thin * dusk);
        const glm::vec3 body = solid > 0.0f ? (0.46f * lit + 0.012f) * ground(n, noise) +
                                                  planetNight + air * (0.34f * haze * haze * dusk)
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

}  // namespace

Sky::Sky(ShaderLoader& load)
    : clouds_(load("clouds")),
      star_(load("star")),
      planet_(load("disc", "planet")),
      sun_(load("disc", "sun")) {
  makeClouds();
  makeStars();
  makePlanet();
}

void Sky::makeClouds() {
  const Noise noise(0x5eed1u);
  std::vector<CloudVertex> vertices;
  std::vector<std::uint32_t> indices;
  const int n = 1 << subdivisions;
  const TriangleMesh icosahedron = *sphereMesh(1.0, 0);
  for (std::size_t face = 0; face < icosahedron.triangles.size(); ++face) {
    const Triangle corners = icosahedron.corners(face);
    const glm::vec3 a(corners[0]), b(corners[1]), c(corners[2]);
    Patch patch{};
    patch.centre = glm::normalize(a + b + c);
    patch.cosine = glm::dot(patch.centre, a);
    patch.firstIndex = static_cast<GLint>(indices.size());
    const auto base = static_cast<std::uint32_t>(vertices.size());
    // Row i has i + 1 vertices.
    const auto at = [&](int i, int j) {
      return base + static_cast<std::uint32_t>(i * (i + 1) / 2 + j);
    };
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; j <= i; ++j) {
        const glm::vec3 d =
            glm::normalize(a * static_cast<float>(n - i) + b * static_cast<float>(i - j) +
                           c * static_cast<float>(j));
        const glm::vec3 colour = cloudColour(d, noise);
        vertices.push_back(
            {{d.x, d.y, d.z}, {skyByte(colour.x), skyByte(colour.y), skyByte(colour.z), 255}});
        if (i == n) continue;
        indices.insert(indices.end(), {at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        if (j < i) indices.insert(indices.end(), {at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
    patch.indexCount = static_cast<GLint>(indices.size()) - patch.firstIndex;
    patches_.push_back(patch);
  }
  cloudArray_ = makeVertexArray();
  glBindVertexArray(cloudArray_.get());
  cloudVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const CloudVertex>(vertices));
  setAttributes({{0, 3, offsetof(CloudVertex, direction)}}, sizeof(CloudVertex), 0);
  glEnableVertexAttribArray(1);
  glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(CloudVertex),
                        reinterpret_cast<const void*>(offsetof(CloudVertex, colour)));
  cloudIndices_ =
      makeStaticBuffer(GL_ELEMENT_ARRAY_BUFFER, std::span<const std::uint32_t>(indices));
  glBindVertexArray(0);
}

void Sky::makeStars() {
  SplitMix random(0x57a25u);
  // Stars are grouped by patch, so that those outside the view are skipped.
  std::vector<std::vector<Star>> byPatch(patches_.size());
  for (int i = 0; i < starsInAll; ++i) {
    const Star star = randomStar(random);
    const glm::vec3 d(star.direction[0], star.direction[1], star.direction[2]);
    std::size_t best = 0;
    for (std::size_t p = 1; p < patches_.size(); ++p) {
      if (glm::dot(d, patches_[p].centre) > glm::dot(d, patches_[best].centre)) best = p;
    }
    byPatch[best].push_back(star);
  }
  std::vector<Star> stars;
  for (std::size_t p = 0; p < patches_.size(); ++p) {
    patches_[p].firstStar = static_cast<GLint>(stars.size());
    patches_[p].starCount = static_cast<GLint>(byPatch[p].size());
    stars.insert(stars.end(), byPatch[p].begin(), byPatch[p].end());
  }
  starArray_ = makeVertexArray();
  glBindVertexArray(starArray_.get());
  starVertices_ = makeStaticBuffer(GL_ARRAY_BUFFER, std::span<const Star>(stars));
  setAttributes({{0, 3, offsetof(Star, direction)},
                 {1, 3, offsetof(Star, colour)},
                 {2, 1, offsetof(Star, size)}},
                sizeof(Star), 0);
  glBindVertexArray(0);
}

void Sky::makePlanet() {
  // The axes of the square in shaders/disc.vert.glsl
  const glm::vec3 right = glm::normalize(glm::cross(glm::vec3(0, 1, 0), planetDirection));
  const glm::vec3 up = glm::cross(planetDirection, right);
  const std::vector<std::uint8_t> picture =
      paintPlanet(planetPixels, right, up, planetDirection, sunDirection);
  planetPicture_ = makeTexture();
  glBindTexture(GL_TEXTURE_2D, planetPicture_.get());
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, planetPixels, planetPixels, 0, GL_RGBA, GL_UNSIGNED_BYTE,
               picture.data());
  for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
    glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
  }
  for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
    glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
  }
  glBindTexture(GL_TEXTURE_2D, 0);
  quadArray_ = makeVertexArray();
}

void Sky::draw(const Camera& camera, double aspect) const {
  // Draw the patches that intersect the cone around the view.
  const glm::vec3 forward(camera.pose.rotation * Vec3(0, 0, -1));
  const double tangent = std::tan(0.5 * camera.fieldOfView) * std::sqrt(1.0 + aspect * aspect);
  const auto halfView = static_cast<float>(std::atan(tangent));
  const auto inView = [&](const glm::vec3& direction, float halfAngle) {
    return glm::dot(direction, forward) > std::cos(std::min(halfView + halfAngle, 3.1415f));
  };
  starFirsts_.clear();
  starCounts_.clear();
  indexCounts_.clear();
  indexOffsets_.clear();
  for (const Patch& patch : patches_) {
    // A star may lie in a corner of a patch.
    if (!inView(patch.centre, std::acos(patch.cosine))) continue;
    starFirsts_.push_back(patch.firstStar);
    starCounts_.push_back(patch.starCount);
    indexCounts_.push_back(patch.indexCount);
    indexOffsets_.push_back(reinterpret_cast<const void*>(
        static_cast<std::size_t>(patch.firstIndex) * sizeof(std::uint32_t)));
  }
  const auto count = static_cast<GLsizei>(starFirsts_.size());

  glDepthMask(GL_FALSE);
  glDisable(GL_BLEND);
  glUseProgram(clouds_.get());
  glBindVertexArray(cloudArray_.get());
  glMultiDrawElements(GL_TRIANGLES, indexCounts_.data(), GL_UNSIGNED_INT, indexOffsets_.data(),
                      count);

  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  glEnable(GL_PROGRAM_POINT_SIZE);
  glUseProgram(star_.get());
  glBindVertexArray(starArray_.get());
  glMultiDrawArrays(GL_POINTS, starFirsts_.data(), starCounts_.data(), count);

  const auto disc = [&](const ShaderProgram& program, const glm::vec3& direction,
                        float halfTangent) {
    if (!inView(direction, std::atan(halfTangent))) return;
    glUseProgram(program.get());
    glBindVertexArray(quadArray_.get());
    glUniform4f(glGetUniformLocation(program.get(), "place"), direction.x, direction.y, direction.z,
                halfTangent);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  };
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, planetPicture_.get());
  disc(planet_, planetDirection, planetTangent);
  glBlendFunc(GL_ONE, GL_ONE);
  disc(sun_, sunDirection, sunTangent);
}

}  // namespace nearmiss::app::fly
