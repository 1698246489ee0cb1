// SPDX-License-Identifier: MIT
/// Meshes whose triangles' boxes all overlap: large ones in a heap, slivers, rods, spikes.
#pragma once

#include <nearmiss/mesh.h>

#include <cmath>
#include <cstdint>
#include <numbers>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::test {

/// Triangles as large as all of them together.
inline TriangleMesh heap(int count, std::uint64_t seed = 1) {
  Random random(seed);
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const auto first = static_cast<std::uint32_t>(mesh.positions.size());
    for (int k = 0; k < 3; ++k) mesh.positions.push_back(random.inCube(1.0));
    mesh.triangles.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

/// A closed cylinder of `count` triangles, all of them slivers from end to end or from the middle
/// of an end to its rim; along the diagonal of the axes.
inline TriangleMesh slivers(int count) {
  const int around = count / 4;
  TriangleMesh mesh;
  for (const Real z : {-1.0, 1.0}) {
    mesh.positions.push_back({0, 0, z});
    for (int i = 0; i < around; ++i) {
      const Real angle = 2 * std::numbers::pi * i / around;
      mesh.positions.push_back({std::cos(angle), std::sin(angle), z});
    }
  }
  const auto at = [around](int end, int i) {
    return static_cast<std::uint32_t>(end * (around + 1) + 1 + i % around);
  };
  for (int i = 0; i < around; ++i) {
    addQuad(mesh, at(0, i), at(0, i + 1), at(1, i + 1), at(1, i));
    mesh.triangles.push_back({0, at(0, i + 1), at(0, i)});
    mesh.triangles.push_back({static_cast<std::uint32_t>(around + 1), at(1, i), at(1, i + 1)});
  }
  const Quat aslant = glm::normalize(Quat(0.8, 0.3, -0.4, 0.33));
  for (Vec3& p : mesh.positions) p = aslant * p;
  return mesh;
}

/// A closed rod with three sides about the origin, this long and of this radius.
inline TriangleMesh rod(const Vec3& along, Real length, Real radius) {
  const Vec3 way = glm::normalize(along);
  const Vec3 side = glm::normalize(glm::cross(way, Vec3(0.3, -0.8, 0.52)));
  const Vec3 other = glm::cross(way, side);
  TriangleMesh mesh{{}, {{0, 2, 1}, {3, 4, 5}}};
  for (const Real end : {-0.5, 0.5})
    for (int i = 0; i < 3; ++i) {
      const Real angle = 2 * std::numbers::pi * i / 3;
      mesh.positions.push_back(end * length * way +
                               radius * (std::cos(angle) * side + std::sin(angle) * other));
    }
  for (std::uint32_t i = 0; i < 3; ++i) {
    const std::uint32_t next = (i + 1) % 3;
    addQuad(mesh, i, next, 3 + next, 3 + i);
  }
  return mesh;
}

/// A closed ball of about `spikes` long thin pyramids.
inline TriangleMesh spikes(int spikes) {
  const int stacks = static_cast<int>(std::sqrt(0.5 * spikes)) + 2;
  const int slices = spikes / stacks;
  const TriangleMesh base = ball(stacks, slices, [](int, int) { return 0.3; });
  TriangleMesh mesh{base.positions, {}};
  for (const auto& t : base.triangles) {
    const auto tip = static_cast<std::uint32_t>(mesh.positions.size());
    const Vec3 middle = base.positions[t[0]] + base.positions[t[1]] + base.positions[t[2]];
    mesh.positions.push_back(glm::normalize(middle));
    for (std::size_t i = 0; i < 3; ++i) mesh.triangles.push_back({t[i], t[(i + 1) % 3], tip});
  }
  return mesh;
}

}  // namespace nearmiss::test
