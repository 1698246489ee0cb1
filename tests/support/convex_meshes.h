// SPDX-License-Identifier: MIT
/// Convex meshes for contact tests, about one metre in size.
#pragma once

#include <nearmiss/mesh.h>

#include <array>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

/// Faces of all sizes, no two of them parallel.
[[nodiscard]] inline TriangleMesh roundHull() {
  Random random(8);
  std::vector<Vec3> points;
  for (int i = 0; i < 24; ++i) points.push_back(random.between(0.4, 0.6) * random.direction());
  return *convexHullMesh(points);
}

/// A blade: its two large faces meet at 9 degrees.
[[nodiscard]] inline TriangleMesh wedge() {
  return *convexHullMesh(std::array{Vec3(-0.5, 0.0, -0.6), Vec3(-0.5, 0.0, 0.6),
                                    Vec3(0.5, 0.1, -0.6), Vec3(0.5, 0.1, 0.6),
                                    Vec3(0.5, -0.05, -0.6), Vec3(0.5, -0.05, 0.6)});
}

}  // namespace nearmiss::test
