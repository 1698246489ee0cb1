// SPDX-License-Identifier: MIT
/// Meshes with every defect that models have: whatever is built for meshes must bear them.
#pragma once

#include <nearmiss/triangle_mesh.h>

#include <cstdint>
#include <vector>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::test {

inline TriangleMesh soup(std::uint64_t seed, int count, Real size) {
  Random random(seed);
  TriangleMesh mesh;
  for (int t = 0; t < count; ++t) {
    const Vec3 at = random.inCube(1.0);
    for (int corner = 0; corner < 3; ++corner) mesh.positions.push_back(at + random.inCube(size));
    const auto first = static_cast<std::uint32_t>(3 * t);
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

inline TriangleMesh moved(TriangleMesh mesh, const Vec3& by) {
  for (Vec3& p : mesh.positions) p += by;
  return mesh;
}

inline TriangleMesh open(TriangleMesh mesh) {
  mesh.triangles.resize(mesh.triangles.size() / 2);
  return mesh;
}

inline TriangleMesh doubled(TriangleMesh mesh) {
  const auto triangles = mesh.triangles;
  mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  return mesh;
}

inline TriangleMesh insideOut(TriangleMesh mesh) {
  flip(mesh);
  return mesh;
}

inline TriangleMesh twoOf(TriangleMesh mesh, const Vec3& apart) {
  const TriangleMesh one = mesh;
  append(mesh, one, apart);
  return mesh;
}

/// Solids, and every defect that models have.
inline std::vector<TriangleMesh> allMeshes() {
  std::vector<TriangleMesh> meshes = variousMeshes();
  meshes.push_back(soup(1, 60, 0.3));
  meshes.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  meshes.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}}, {{0, 1, 2}}});
  meshes.push_back(box({-1, -1, 0}, {1, 1, 1e-6}));
  meshes.push_back(box({-1, -1e-6, -1e-6}, {1, 1e-6, 1e-6}));
  meshes.push_back(open(sphere()));
  meshes.push_back(insideOut(torus()));
  meshes.push_back(doubled(cube()));
  meshes.push_back(twoOf(tetrahedron(), {0.5, 0.1, 0.0}));
  meshes.push_back(twoOf(tetrahedron(), {100.0, 0.1, 0.0}));
  meshes.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}},
                                {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}});
  meshes.push_back(moved(torus(10, 6), {1e6, -1e6, 5e5}));
  return meshes;
}

}  // namespace nearmiss::test
