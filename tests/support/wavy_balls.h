// SPDX-License-Identifier: MIT
/// Thick solids with gentle waves, and what is left of them when they are cut open.
#pragma once

#include <nearmiss/mesh.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss::test {

/// A thick solid: a ball with `lobes` gentle waves around its axis.
inline TriangleMesh ballWithLobes(Real height, int lobes) {
  constexpr int stacks = 24, slices = 32;
  return ball(stacks, slices, [&](int i, int j) {
    return 1.0 + height * std::sin(2.0 * std::numbers::pi * lobes * j / slices) *
                     std::sin(std::numbers::pi * i / stacks);
  });
}

/// The same with waves of a random height.
inline TriangleMesh wavyBall(std::uint64_t seed, int lobes) {
  Random random(seed);
  return ballWithLobes(random.between(0.05, 0.15), lobes);
}

/// The triangles of a mesh with middles below `height` along z: open at the cut.
inline TriangleMesh openedAbove(TriangleMesh mesh, Real height) {
  std::erase_if(mesh.triangles, [&](const auto& t) {
    return mesh.positions[t[0]].z + mesh.positions[t[1]].z + mesh.positions[t[2]].z > 3.0 * height;
  });
  return mesh;
}

}  // namespace nearmiss::test
