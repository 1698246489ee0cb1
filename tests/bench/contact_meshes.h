// SPDX-License-Identifier: MIT
/// Generated concave meshes of 1,300 to 23,500 triangles for the benchmark of contacts, in two
/// sets: the search was tuned on one, and the other was held out.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "support/concave_meshes.h"
#include "support/concave_pairs.h"
#include "support/meshes.h"

namespace nearmiss::bench {

/// How a mesh bounds its inside.
enum class MeshKind { Solid, SelfCrossing, Open };

struct ContactMesh {
  std::string name;
  MeshKind kind;
  TriangleMesh mesh;
};

/// Each triangle divided into four, some times: many triangles, but faces that stay flat, so that
/// bodies come to rest on them. Round ones roll for long without a resistance to that.
inline TriangleMesh subdivided(TriangleMesh mesh, int times) {
  for (int i = 0; i < times; ++i) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t p, std::uint32_t q) {
      const auto [entry, fresh] =
          middles.try_emplace(std::minmax(p, q), static_cast<std::uint32_t>(mesh.positions.size()));
      if (fresh) mesh.positions.push_back(0.5 * (mesh.positions[p] + mesh.positions[q]));
      return entry->second;
    };
    const auto coarse = std::exchange(mesh.triangles, {});
    for (const auto& t : coarse) {
      const std::uint32_t ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
      mesh.triangles.insert(mesh.triangles.end(),
                            {{t[0], ab, ca}, {t[1], bc, ab}, {t[2], ca, bc}, {ab, bc, ca}});
    }
  }
  return mesh;
}

/// Three bars across each other, each with a surface of its own: closed, and they intersect.
inline TriangleMesh crossedBars() {
  TriangleMesh mesh;
  for (const Vec3& half : {Vec3(0.5, 0.1, 0.13), Vec3(0.11, 0.5, 0.12), Vec3(0.14, 0.09, 0.5)})
    test::append(mesh, test::box(-half, half));
  return mesh;
}

/// Two stars that overlap.
inline TriangleMesh crossedStars() {
  TriangleMesh mesh = test::spikyStar(3, 6, 8, 0.5);
  test::append(mesh, test::spikyStar(4, 6, 8, 0.5), Vec3(0.5, 0.2, 0.0));
  for (Vec3& p : mesh.positions) p *= 0.4;
  return mesh;
}

/// A box without a lid, and without ends: surfaces without thickness.
inline TriangleMesh crate() {
  TriangleMesh mesh = test::box({-0.4, -0.4, -0.25}, {0.4, 0.4, 0.25});
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return std::ranges::all_of(t, [&](std::uint32_t v) { return mesh.positions[v].z > 0.0; });
  });
  return mesh;
}
inline TriangleMesh trough() {
  TriangleMesh mesh = crate();
  std::erase_if(mesh.triangles, [&](const auto& t) {
    const auto at = [&](std::uint32_t v) { return mesh.positions[v].x; };
    return std::abs(at(t[0]) + at(t[1]) + at(t[2])) > 1.1;
  });
  return mesh;
}

inline TriangleMesh starOf(std::uint64_t seed, int stacks, int slices) {
  TriangleMesh mesh = test::spikyStar(seed, stacks, slices, 0.5);
  for (Vec3& p : mesh.positions) p *= 0.5;
  return mesh;
}

/// A hexagonal nut about a metre wide, which does not roll.
inline TriangleMesh nut() {
  constexpr Real outer = 0.5, third = std::numbers::pi / 3.0;
  TriangleMesh mesh = test::concave::threaded(48, 5, 0.3, 0.05, outer);
  for (Vec3& p : mesh.positions) {
    const Real radius = std::hypot(p.x, p.y), angle = std::atan2(p.y, p.x);
    const Real fromMiddle = angle - third * (std::floor(angle / third) + 0.5);
    const Real flat = radius > 0.9 * outer ? std::cos(0.5 * third) / std::cos(fromMiddle) : 1.0;
    p = Vec3(flat * p.x, flat * p.y, 0.25 * p.z - 0.25);
  }
  return mesh;
}

[[nodiscard]] inline std::vector<ContactMesh> tunedMeshes() {
  return {{"gear", MeshKind::Solid, test::gear(24, 4, 2, 4)},
          {"nut", MeshKind::Solid, nut()},
          {"star", MeshKind::Solid, subdivided(starOf(1, 7, 9), 3)},
          {"crossed bars", MeshKind::SelfCrossing, subdivided(crossedBars(), 3)},
          {"crate", MeshKind::Open, subdivided(crate(), 4)}};
}

[[nodiscard]] inline std::vector<ContactMesh> heldOutMeshes() {
  return {{"link", MeshKind::Solid, subdivided(test::meshOf(test::concave::ring(0.45, 0.2)), 3)},
          {"knot", MeshKind::Solid, test::knot(400, 24, 2, 3, 0.05)},
          {"rough star", MeshKind::Solid, subdivided(starOf(2, 10, 20), 3)},
          {"crossed stars", MeshKind::SelfCrossing, subdivided(crossedStars(), 3)},
          {"trough", MeshKind::Open, subdivided(trough(), 4)}};
}

}  // namespace nearmiss::bench
