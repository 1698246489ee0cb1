// SPDX-License-Identifier: MIT
/// Generated concave meshes of 1,300 to 23,500 triangles for the benchmark of contacts, in two
/// sets: the search was tuned on one, and the other was held out.
#pragma once

#include <nearmiss/mesh.h>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "query/concave_pairs.h"
#include "support/concave_meshes.h"
#include "support/meshes.h"

namespace nearmiss::bench {

/// How a mesh bounds its inside.
enum class MeshKind { Solid, SelfCrossing, Open };

struct ContactMesh {
  std::string name;
  MeshKind kind;
  TriangleMesh mesh;
};

/// A gutter without thickness, open above and at both ends.
inline TriangleMesh gutter(int along, int across, Real length = 1.0, Real radius = 0.3) {
  TriangleMesh mesh;
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j <= across; ++j) {
      const Real angle = std::numbers::pi * (1.0 + static_cast<Real>(j) / across);
      const Real r = radius * (1.0 + 0.04 * std::cos(12.0 * std::numbers::pi * i / along));
      mesh.positions.emplace_back(length * (static_cast<Real>(i) / along - 0.5),
                                  r * std::sin(angle), r * std::cos(angle));
    }
  const auto at = [=](int i, int j) { return static_cast<std::uint32_t>(i * (across + 1) + j); };
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j)
      test::addQuad(mesh, at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
  return mesh;
}

/// A nut that stands on its base, about a metre wide.
inline TriangleMesh nut() {
  TriangleMesh mesh = test::concave::threaded(48, 5, 0.3, 0.05, 0.5);
  for (Vec3& p : mesh.positions) p = Vec3(p.x, p.y, 0.25 * p.z - 0.25);
  return mesh;
}

[[nodiscard]] inline std::vector<ContactMesh> tunedMeshes() {
  return {{"gear", MeshKind::Solid, test::gear(24, 4, 2, 4)},
          {"nut", MeshKind::Solid, nut()},
          {"bumpy ball", MeshKind::Solid, test::bumpyBall(60, 80, 5, 0.45, 0.1)},
          {"jack", MeshKind::SelfCrossing, test::jack(20, 30)},
          {"bowl", MeshKind::Open, test::bowl(40, 60)}};
}

[[nodiscard]] inline std::vector<ContactMesh> heldOutMeshes() {
  return {{"torus", MeshKind::Solid, test::torus(64, 32, 0.4, 0.15)},
          {"knot", MeshKind::Solid, test::knot(400, 24, 2, 3, 0.05)},
          {"rough ball", MeshKind::Solid, test::bumpyBall(110, 107, 8, 0.45, 0.08)},
          {"wide knot", MeshKind::SelfCrossing, test::knot(300, 20, 2, 3, 0.15)},
          {"gutter", MeshKind::Open, gutter(60, 40)}};
}

}  // namespace nearmiss::bench
