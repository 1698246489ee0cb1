// SPDX-License-Identifier: MIT
#include "fly/gfx/model_features.h"

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
#include <numeric>

namespace nearmiss::app::fly {
namespace {

constexpr int directions = 60;
constexpr int depthPixels = 160;  ///< along a side of a depth picture
/// Relative to the model's radius; nearer surfaces in front of a vertex count as its own.
constexpr float bias = 0.03f;
/// Recesses are never black, because their walls reflect light.
constexpr float darkest = 0.2f;

glm::vec3 cornerOf(const engine::DrawVertex& v) {
  return {v.position[0], v.position[1], v.position[2]};
}

/// A depth picture of the model from one side.
class DepthPicture {
 public:
  DepthPicture(const glm::vec3& towards, float radius)
      : towards_(towards), scale_(0.5f * (depthPixels - 2) / radius) {
    const glm::vec3 other = std::abs(towards.y) < 0.9f ? glm::vec3(0, 1, 0) : glm::vec3(1, 0, 0);
    right_ = glm::normalize(glm::cross(other, towards));
    up_ = glm::cross(towards, right_);
    nearest_.fill(-std::numeric_limits<float>::infinity());
  }

  /// Returns the pixel coordinates and the depth.
  [[nodiscard]] glm::vec3 project(const glm::vec3& p) const {
    constexpr float middle = 0.5f * depthPixels;
    return {middle + scale_ * glm::dot(p, right_), middle + scale_ * glm::dot(p, up_),
            glm::dot(p, towards_)};
  }

  /// Corners as returned by project().
  void draw(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c) {
    const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (std::abs(area) < 1e-6f) return;
    const auto first = [](float least) { return std::max(0, static_cast<int>(least)); };
    const auto last = [](float most) { return std::min(depthPixels - 1, static_cast<int>(most)); };
    const int x0 = first(std::min({a.x, b.x, c.x})), x1 = last(std::max({a.x, b.x, c.x}));
    const int y0 = first(std::min({a.y, b.y, c.y})), y1 = last(std::max({a.y, b.y, c.y}));
    for (int y = y0; y <= y1; ++y) {
      for (int x = x0; x <= x1; ++x) {
        const glm::vec2 p(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f);
        const float v = ((p.x - a.x) * (c.y - a.y) - (p.y - a.y) * (c.x - a.x)) / area;
        const float w = ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x)) / area;
        if (v < 0.0f || w < 0.0f || v + w > 1.0f) continue;
        float& nearest = nearest_[static_cast<std::size_t>(y * depthPixels + x)];
        nearest = std::max(nearest, a.z + v * (b.z - a.z) + w * (c.z - a.z));
      }
    }
  }

  [[nodiscard]] float nearestAt(const glm::vec3& place) const {
    const int x = std::clamp(static_cast<int>(place.x), 0, depthPixels - 1);
    const int y = std::clamp(static_cast<int>(place.y), 0, depthPixels - 1);
    return nearest_[static_cast<std::size_t>(y * depthPixels + x)];
  }

 private:
  glm::vec3 towards_, right_{0.0f}, up_{0.0f};
  float scale_;
  std::array<float, static_cast<std::size_t>(depthPixels) * depthPixels> nearest_;
};

/// The `i`th of evenly distributed directions.
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
    radius = std::max(radius, glm::length(cornerOf(v)));
  std::vector<float> open(mesh.vertices.size(), 0.0f), all(open);
  std::vector<glm::vec3> places(mesh.vertices.size());
  for (int i = 0; i < directions && radius > 0.0f; ++i) {
    const glm::vec3 towards = direction(i);
    DepthPicture picture(towards, radius);
    std::ranges::transform(mesh.vertices, places.begin(), [&](const engine::DrawVertex& v) {
      return picture.project(cornerOf(v));
    });
    for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3)
      picture.draw(places[mesh.indices[t]], places[mesh.indices[t + 1]],
                   places[mesh.indices[t + 2]]);
    for (std::size_t k = 0; k < open.size(); ++k) {
      const float* n = mesh.vertices[k].normal;
      const float facing = glm::dot(towards, glm::vec3(n[0], n[1], n[2]));
      if (facing <= 0.0f) continue;
      all[k] += facing;
      // The depth of an oblique surface changes within a pixel
      const float slope = std::sqrt(1.0f - std::min(facing * facing, 1.0f)) / (facing + 0.1f);
      const float slack = radius * (bias + 1.5f / depthPixels * slope);
      if (picture.nearestAt(places[k]) <= places[k].z + slack) open[k] += facing;
    }
  }
  for (std::size_t k = 0; k < open.size(); ++k)
    open[k] = all[k] > 0.0f ? darkest + (1.0f - darkest) * open[k] / all[k] : 1.0f;
  return open;
}

namespace {

constexpr std::size_t maxNozzles = 4;

glm::vec3 cornerOf(const engine::DrawMesh& mesh, std::uint32_t i) {
  const float* p = mesh.vertices[i].position;
  return {p[0], p[1], p[2]};
}

/// Connected components by shared corners.
class Pieces {
 public:
  explicit Pieces(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t of(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = of(a);
    b = of(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

struct Extent {
  glm::vec3 low{std::numeric_limits<float>::max()};
  glm::vec3 high{-std::numeric_limits<float>::max()};
  [[nodiscard]] bool empty() const { return low.x > high.x; }
  [[nodiscard]] float area() const { return (high.x - low.x) * (high.y - low.y); }
};

/// Extents of the connected components of the chosen triangles, the largest as seen from behind
/// first.
std::vector<Extent> extentsOf(const engine::DrawMesh& mesh, std::span<const std::uint32_t> first,
                              const std::vector<std::size_t>& triangles) {
  Pieces pieces(mesh.vertices.size());
  for (const std::size_t t : triangles) {
    for (std::size_t k = 1; k < 3; ++k) {
      pieces.join(first[mesh.indices[t]], first[mesh.indices[t + k]]);
    }
  }
  std::vector<Extent> all(mesh.vertices.size());
  for (const std::size_t t : triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      Extent& e = all[pieces.of(first[mesh.indices[t + k]])];
      e.low = glm::min(e.low, cornerOf(mesh, mesh.indices[t + k]));
      e.high = glm::max(e.high, cornerOf(mesh, mesh.indices[t + k]));
    }
  }
  std::erase_if(all, [](const Extent& e) { return e.empty(); });
  std::stable_sort(all.begin(), all.end(),
                   [](const Extent& a, const Extent& b) { return a.area() > b.area(); });
  return all;
}

bool isEmissive(const engine::DrawMesh& mesh, std::size_t t) {
  const std::uint32_t m = mesh.vertices[mesh.indices[t]].material;
  if (m >= mesh.materials.size()) return false;
  const auto& e = mesh.materials[m].emission;
  return *std::max_element(e.begin(), e.end()) > 0.0f;
}

}  // namespace

std::vector<Nozzle> findNozzles(const engine::DrawMesh& mesh,
                                std::span<const std::uint32_t> first) {
  float low = std::numeric_limits<float>::max(), high = -low, radius = 0.0f;
  for (std::uint32_t i = 0; i < mesh.vertices.size(); ++i) {
    const glm::vec3 p = cornerOf(mesh, i);
    low = std::min(low, p.z);
    high = std::max(high, p.z);
    radius = std::max(radius, glm::length(p));
  }
  // Emissive faces in the rear third that face backwards; otherwise all faces at the rear end
  std::vector<std::size_t> shining, last;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    const glm::vec3 a = cornerOf(mesh, mesh.indices[t]);
    const glm::vec3 b = cornerOf(mesh, mesh.indices[t + 1]);
    const glm::vec3 c = cornerOf(mesh, mesh.indices[t + 2]);
    const float rearmost = std::min({a.z, b.z, c.z});
    const glm::vec3 n = glm::cross(b - a, c - a);
    if (isEmissive(mesh, t) && rearmost > high - 0.33f * (high - low) &&
        n.z > 0.3f * glm::length(n)) {
      shining.push_back(t);
    }
    if (std::max({a.z, b.z, c.z}) > high - 0.04f * (high - low) && n.z > 0.0f) last.push_back(t);
  }
  std::vector<Extent> found = extentsOf(mesh, first, shining);
  // Small emissive parts are lamps, not engines.
  std::erase_if(found, [&](const Extent& e) { return e.area() < 0.008f * radius * radius; });
  if (found.empty()) found = extentsOf(mesh, first, last);

  std::vector<Nozzle> nozzles;
  for (const Extent& e : found) {
    if (nozzles.size() == maxNozzles || e.area() < 0.2f * found.front().area()) break;
    Nozzle nozzle;
    nozzle.place = 0.5f * (e.low + e.high);
    nozzle.place.z = e.high.z;
    const float width = 0.5f * std::min(e.high.x - e.low.x, e.high.y - e.low.y);
    nozzle.radius = std::clamp(width, 0.045f * radius, 0.16f * radius);
    nozzles.push_back(nozzle);
  }
  return nozzles;
}

}  // namespace nearmiss::app::fly
