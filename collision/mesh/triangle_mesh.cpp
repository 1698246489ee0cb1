// SPDX-License-Identifier: MIT
#include <nearmiss/assertion.h>
#include <nearmiss/mesh_input.h>
#include <nearmiss/triangle_mesh.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <numeric>

#include "exact/orientation.h"
#include "mesh/hash_mixing.h"
#include "mesh/welding.h"

namespace nearmiss {
namespace {

using Corners = std::array<std::uint32_t, 3>;

/// The same winding begun at the smallest corner: two triangles are duplicates iff these are equal.
Corners fromSmallest(const Corners& t) noexcept {
  if (t[0] <= t[1] && t[0] <= t[2]) return t;
  if (t[1] <= t[2]) return {t[1], t[2], t[0]};
  return {t[2], t[0], t[1]};
}

/// Marks all but the first of equal triangles.
std::vector<char> duplicatesAmong(const std::vector<Corners>& triangles) {
  std::vector<std::uint32_t> order(triangles.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t p, std::uint32_t q) {
    const Corners a = fromSmallest(triangles[p]), b = fromSmallest(triangles[q]);
    return a != b ? a < b : p < q;
  });
  std::vector<char> duplicate(triangles.size(), 0);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (fromSmallest(triangles[order[i]]) == fromSmallest(triangles[order[i - 1]]))
      duplicate[order[i]] = 1;
  return duplicate;
}

/// Removes vertices that no triangle uses; returns how many.
std::size_t dropUnusedVertices(TriangleMesh& mesh) {
  std::vector<std::uint32_t> newIndex(mesh.positions.size(), 0);
  for (const Corners& t : mesh.triangles)
    for (const std::uint32_t v : t) newIndex[v] = 1;
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < newIndex.size(); ++v) {
    if (newIndex[v] == 0) continue;
    mesh.positions[kept] = mesh.positions[v];
    newIndex[v] = kept++;
  }
  for (Corners& t : mesh.triangles)
    for (std::uint32_t& v : t) v = newIndex[v];
  const std::size_t dropped = mesh.positions.size() - kept;
  mesh.positions.resize(kept);
  return dropped;
}

}  // namespace

MeshCleaning cleanMesh(TriangleMesh& mesh, Real weldDistance) {
  NEARMISS_ASSERT(mesh.triangles.empty() || checkTriangles(mesh));
  MeshCleaning cleaning;

  // Weld every vertex to the earliest kept one in reach
  const Welding welding = weld(mesh, weldDistance);
  cleaning.keptApart = welding.keptApart;
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    const std::uint32_t kept = welding.keptFor[v];
    cleaning.weldedVertices += kept != v;
    cleaning.weldedDistance =
        std::max(cleaning.weldedDistance, glm::distance(mesh.positions[kept], mesh.positions[v]));
  }
  for (Corners& t : mesh.triangles)
    for (std::uint32_t& v : t) v = welding.keptFor[v];

  // Drop triangles without area
  cleaning.degenerateTriangles = std::erase_if(mesh.triangles, [&](const Corners& t) {
    const Vec3 &a = mesh.positions[t[0]], &b = mesh.positions[t[1]], &c = mesh.positions[t[2]];
    if (!collinear(a, b, c)) return false;
    cleaning.longestDegenerate = std::max({cleaning.longestDegenerate, glm::distance(a, b),
                                           glm::distance(b, c), glm::distance(c, a)});
    return true;
  });

  // Drop repeated triangles
  const std::vector<char> duplicate = duplicatesAmong(mesh.triangles);
  std::size_t i = 0;
  cleaning.duplicateTriangles =
      std::erase_if(mesh.triangles, [&](const Corners&) { return duplicate[i++] != 0; });

  // Welded vertices are unused now too, but were counted above
  cleaning.unusedVertices = dropUnusedVertices(mesh) - cleaning.weldedVertices;
  return cleaning;
}

Box boundingBox(const TriangleMesh& mesh) noexcept {
  Box box;
  for (const Vec3& p : mesh.positions) box.include(p);
  return box;
}

Real radiusAboutOrigin(const TriangleMesh& mesh) noexcept {
  Real square = 0.0;
  for (const Vec3& p : mesh.positions) square = std::max(square, glm::dot(p, p));
  // Three products, two sums and a root are off by less than four units in the last place
  return std::sqrt(square) * (1.0 + 0x1p-50);
}

std::uint64_t hashOf(const TriangleMesh& mesh) noexcept {
  std::uint64_t hash = mixed(0x6e6561726d697373u, mesh.positions.size());
  for (const Vec3& p : mesh.positions)
    for (int axis = 0; axis < 3; ++axis) hash = mixed(hash, std::bit_cast<std::uint64_t>(p[axis]));
  hash = mixed(hash, mesh.triangles.size());
  for (const Corners& t : mesh.triangles)
    hash = mixed(mixed(hash, std::uint64_t{t[0]} << 32 | t[1]), t[2]);
  hash ^= hash >> 28;
  hash *= 0x9fb21c651e98df25u;
  return hash ^ (hash >> 28);
}

}  // namespace nearmiss
