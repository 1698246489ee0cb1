// SPDX-License-Identifier: MIT
#include "lab/subdivision.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace nearmiss::app {

TriangleMesh subdivided(const TriangleMesh& mesh) {
  TriangleMesh fine;
  fine.positions = mesh.positions;
  fine.triangles.reserve(4 * mesh.triangles.size());
  // Neighbours share the midpoint of their edge, or the surface would come open
  std::unordered_map<std::uint64_t, std::uint32_t> midpoints;
  const auto midpoint = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t edge = (std::uint64_t{std::min(a, b)} << 32) | std::max(a, b);
    const auto [at, isNew] =
        midpoints.try_emplace(edge, static_cast<std::uint32_t>(fine.positions.size()));
    if (isNew) fine.positions.push_back(0.5 * (mesh.positions[a] + mesh.positions[b]));
    return at->second;
  };
  for (const auto& triangle : mesh.triangles) {
    const std::uint32_t a = triangle[0], b = triangle[1], c = triangle[2];
    const std::uint32_t ab = midpoint(a, b), bc = midpoint(b, c), ca = midpoint(c, a);
    fine.triangles.insert(fine.triangles.end(),
                          {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  return fine;
}

}  // namespace nearmiss::app
