// SPDX-License-Identifier: MIT
#include "model/crease_normals.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <tuple>

namespace nearmiss::engine {
namespace {

constexpr Real cosineOfCrease = 0.76604444311897803520;  // of 40 degrees
/// Beyond so many triangles about one position each keeps its own normal: the work is quadratic.
constexpr std::size_t mostAbout = 256;

struct Corner {
  std::uint32_t triangle = 0, corner = 0;
  Real angle = 0.0;
};

Real angleBetween(const Vec3& a, const Vec3& b) {
  const Real lengths = glm::length(a) * glm::length(b);
  return lengths > 0.0 ? std::acos(std::clamp(glm::dot(a, b) / lengths, -1.0, 1.0)) : 0.0;
}

}  // namespace

std::vector<std::uint32_t> distinctPositions(const TriangleMesh& mesh) {
  const auto key = [&](std::uint32_t v) {
    const Vec3& p = mesh.positions[v];
    return std::tuple(p.x, p.y, p.z);
  };
  std::vector<std::uint32_t> order(mesh.positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(key(a), a) < std::pair(key(b), b);
  });
  std::vector<std::uint32_t> positionOf(order.size());
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i > 0 && key(order[i]) != key(order[i - 1])) ++last;
    positionOf[order[i]] = last;
  }
  return positionOf;
}

std::vector<std::array<Vec3, 3>> creaseNormals(const TriangleMesh& mesh,
                                               const std::vector<std::uint32_t>& positionOf) {
  // Find each triangle's own normal
  std::vector<Vec3> faces(mesh.triangles.size(), Vec3(0.0));
  for (std::size_t t = 0; t < faces.size(); ++t) {
    const auto [a, b, c] = mesh.corners(t);
    const Vec3 normal = glm::cross(b - a, c - a);
    const Real length = glm::length(normal);
    if (length > 0.0) faces[t] = normal / length;
  }

  // Gather the corners about each position
  const std::uint32_t count =
      positionOf.empty() ? 0 : *std::max_element(positionOf.begin(), positionOf.end()) + 1;
  std::vector<std::uint32_t> begin(count + 1, 0);
  for (const auto& triangle : mesh.triangles)
    for (const std::uint32_t v : triangle) ++begin[positionOf[v] + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Corner> corners(begin.back());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto p = mesh.corners(t);
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Real angle = angleBetween(p[(k + 1) % 3] - p[k], p[(k + 2) % 3] - p[k]);
      corners[next[positionOf[mesh.triangles[t][k]]]++] = {t, k, angle};
    }
  }

  // Average over the neighbours on the same side of every crease
  std::vector<std::array<Vec3, 3>> normals(mesh.triangles.size());
  for (std::uint32_t v = 0; v < count; ++v) {
    const std::span about(corners.data() + begin[v], begin[v + 1] - begin[v]);
    for (const Corner& corner : about) {
      const Vec3& own = faces[corner.triangle];
      Vec3 sum(0.0);
      if (about.size() <= mostAbout)
        for (const Corner& other : about)
          if (glm::dot(own, faces[other.triangle]) >= cosineOfCrease)
            sum += other.angle * faces[other.triangle];
      const Real length = glm::length(sum);
      const Vec3 fallback = own == Vec3(0.0) ? Vec3(0.0, 0.0, 1.0) : own;
      normals[corner.triangle][corner.corner] = length > 0.0 ? sum / length : fallback;
    }
  }
  return normals;
}

}  // namespace nearmiss::engine
