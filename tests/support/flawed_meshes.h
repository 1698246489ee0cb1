// SPDX-License-Identifier: MIT
/// Meshes with every defect that models have: whatever is built for meshes must bear them.
#pragma once

#include <nearmiss/mesh.h>

#include <array>
#include <cstdint>
#include <utility>
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

/// Loose ends of `mesh`: triangles without area, the same one twice, the same one turned round.
inline TriangleMesh withDegenerates(TriangleMesh mesh) {
  const auto t = mesh.triangles.front();
  const auto middle = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.push_back(0.5 * (mesh.positions[t[0]] + mesh.positions[t[1]]));
  for (const auto& more : {t, std::array{t[0], t[2], t[1]}, std::array{t[0], t[0], t[1]},
                           std::array{t[0], middle, t[1]}, std::array{t[2], t[2], t[2]}})
    mesh.triangles.push_back(more);
  static_cast<void>(*cleanMesh(mesh, 0.0));
  return mesh;
}

/// A fan of triangles a million times as long as they are wide.
inline TriangleMesh needles(int count) {
  TriangleMesh mesh;
  mesh.positions.push_back(Vec3(0.0));
  for (int i = 0; i < count; ++i) {
    const Vec3 tip = glm::normalize(Vec3(1.0, 0.3 * i, -0.2 * i * i));
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    mesh.positions.push_back(tip);
    mesh.positions.push_back(tip + Vec3(0.0, 1e-6, 0.0));
    mesh.triangles.push_back({0, first, first + 1});
  }
  return mesh;
}

struct NamedMesh {
  const char* name;
  TriangleMesh mesh;
};

/// One of its triangles is a needle whose area is rounded away, as a T-junction of a drawing
/// leaves it.
inline TriangleMesh needleAmongOthers() {
  constexpr Real e = 0x1p-52;
  return {{{0, 0, 0}, {1 + e, 1 + 2 * e, 0}, {2, 2 + 2 * e, 0}, {2, 0, 0}, {1, 0.5, 1}},
          {{0, 2, 3}, {0, 1, 2}, {0, 3, 4}, {3, 2, 4}, {2, 1, 4}, {1, 0, 4}}};
}

/// Four triangles of 1 mm, 1 km from each other.
inline TriangleMesh tinyTrianglesFarApart() {
  TriangleMesh mesh;
  for (const Vec3& at : {Vec3(0.0), Vec3(1e3, 0, 0), Vec3(0, 1e3, 0), Vec3(0, 0, 1e3)})
    append(mesh, {{{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 3e-4}}, {{0, 1, 2}}}, at);
  return mesh;
}

/// One vertex is `times` as far from the origin as it was.
inline TriangleMesh withFarVertex(TriangleMesh mesh, Real times) {
  mesh.positions[7] *= times;
  return mesh;
}

/// Every defect that models have.
inline std::vector<NamedMesh> flawedMeshes() {
  const TriangleMesh triangle{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const TriangleMesh plate{{{-1, -1, 0.1}, {1, -1, 0.1}, {1, 1, 0.1}, {-1, 1, 0.1}},
                           {{0, 1, 2}, {0, 2, 3}}};
  TriangleMesh crossed = plate;
  for (const Vec3& p : plate.positions) crossed.positions.emplace_back(p.z, p.x, p.y);
  crossed.triangles.insert(crossed.triangles.end(), {{4, 5, 6}, {4, 6, 7}});
  return {
      {"soup", soup(1, 60, 0.3)},
      {"coarse_soup", soup(2, 5, 2.0)},
      {"one_triangle", triangle},
      {"one_sliver", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-6, 0}}, {{0, 1, 2}}}},
      {"flat_plate", plate},
      {"thin_plate", box({-1, -1, 0}, {1, 1, 1e-6})},
      {"needle", box({-1, -1e-6, -1e-6}, {1, 1e-6, 1e-6})},
      {"needles", needles(7)},
      {"open", open(sphere())},
      {"inside_out", insideOut(torus())},
      {"doubled", doubled(cube())},
      {"degenerate", withDegenerates(comb())},
      {"self_intersecting", twoOf(tetrahedron(), {0.5, 0.1, 0.0})},
      {"crossed_plates", crossed},
      {"two_far_apart", twoOf(tetrahedron(), {100.0, 0.1, 0.0})},
      {"edge_of_three", TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, -1, 0}},
                                     {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}}},
      {"beside_the_origin", moved(cube(0.25), {0.25, 0.25, 0.25})},
      {"far_from_the_origin", moved(torus(10, 6), {1e6, -1e6, 5e5})},
      {"tiny_and_far", moved(cube(0.01), {1e6, 0, 0})},
  };
}

/// Solids, and every defect that models have.
inline std::vector<TriangleMesh> allMeshes() {
  std::vector<TriangleMesh> meshes = variousMeshes();
  for (NamedMesh& flawed : flawedMeshes()) meshes.push_back(std::move(flawed.mesh));
  return meshes;
}

}  // namespace nearmiss::test
