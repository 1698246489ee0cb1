// SPDX-License-Identifier: MIT
#include "fly/gfx/nozzles.h"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>

namespace nearmiss::app {
namespace {

constexpr std::size_t mostNozzles = 4;

glm::vec3 positionOf(const engine::DrawMesh& mesh, std::uint32_t i) {
  const float* p = mesh.vertices[i].position;
  return {p[0], p[1], p[2]};
}

/// Connected pieces over shared corners.
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

/// The extents of the connected pieces that the chosen triangles form, the largest as seen from
/// behind first.
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
      e.low = glm::min(e.low, positionOf(mesh, mesh.indices[t + k]));
      e.high = glm::max(e.high, positionOf(mesh, mesh.indices[t + k]));
    }
  }
  std::erase_if(all, [](const Extent& e) { return e.empty(); });
  std::stable_sort(all.begin(), all.end(),
                   [](const Extent& a, const Extent& b) { return a.area() > b.area(); });
  return all;
}

bool shines(const engine::DrawMesh& mesh, std::size_t t) {
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
    const glm::vec3 p = positionOf(mesh, i);
    low = std::min(low, p.z);
    high = std::max(high, p.z);
    radius = std::max(radius, glm::length(p));
  }
  // Shining faces in the rear third that look backwards; else all faces at the very end
  std::vector<std::size_t> shining, last;
  for (std::size_t t = 0; t + 2 < mesh.indices.size(); t += 3) {
    const glm::vec3 a = positionOf(mesh, mesh.indices[t]);
    const glm::vec3 b = positionOf(mesh, mesh.indices[t + 1]);
    const glm::vec3 c = positionOf(mesh, mesh.indices[t + 2]);
    const float rearmost = std::min({a.z, b.z, c.z});
    const glm::vec3 n = glm::cross(b - a, c - a);
    if (shines(mesh, t) && rearmost > high - 0.33f * (high - low) && n.z > 0.3f * glm::length(n)) {
      shining.push_back(t);
    }
    if (std::max({a.z, b.z, c.z}) > high - 0.04f * (high - low) && n.z > 0.0f) last.push_back(t);
  }
  std::vector<Extent> found = extentsOf(mesh, first, shining);
  // Lamps at the tail are no engines.
  std::erase_if(found, [&](const Extent& e) { return e.area() < 0.008f * radius * radius; });
  if (found.empty()) found = extentsOf(mesh, first, last);

  std::vector<Nozzle> nozzles;
  for (const Extent& e : found) {
    if (nozzles.size() == mostNozzles || e.area() < 0.2f * found.front().area()) break;
    Nozzle nozzle;
    nozzle.place = 0.5f * (e.low + e.high);
    nozzle.place.z = e.high.z;
    const float width = 0.5f * std::min(e.high.x - e.low.x, e.high.y - e.low.y);
    nozzle.radius = std::clamp(width, 0.045f * radius, 0.16f * radius);
    nozzles.push_back(nozzle);
  }
  return nozzles;
}

}  // namespace nearmiss::app
