// SPDX-License-Identifier: MIT
/// The spheres of one tree as seen from the frame of another, eight at a time.
#pragma once

#include "narrow/moved_cache.h"

#include <nearmiss/math.h>
#include <nearmiss/sphere_tree.h>

#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>
#include <vector>

namespace nearmiss {

/// A pose in float, and what must be added to a radius so that no contact is lost by it.
struct PackMotion {
  float rotation[3][3];  ///< row, column
  float position[3];
  /// Metres. Spheres are compared with this much more radius, because centres are moved and
  /// compared in float: each operation errs by 2^-24 of reachA + reachB + |position| at most, 20 of
  /// them matter, 32 are allowed for. A rotation that is not of unit length stretches by less than
  /// 4 ||q|^2 - 1|, and its transpose undoes it to within twice that. The last summand keeps
  /// squares away from underflow.
  float slack;

  /// @param reachA, reachB farthest point of any sphere of each tree from its origin, metres
  PackMotion(const Pose& bToA, Real reachA, Real reachB) noexcept {
    const glm::dmat3 m = glm::mat3_cast(bToA.rotation);
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 3; ++column)
        rotation[row][column] = static_cast<float>(m[column][row]);
      position[row] = static_cast<float>(bToA.position[row]);
    }
    const Real stretch = std::abs(glm::dot(bToA.rotation, bToA.rotation) - 1.0);
    const Real size = reachA + reachB + glm::length(bToA.position);
    slack = static_cast<float>(size * 0x1p-19 + 8.0 * stretch * size + 1e-18);
  }
  PackMotion() = default;
};

/// Centres of a pack; the radii stay where they are.
struct MovedPack {
  float x[SpherePack::width], y[SpherePack::width], z[SpherePack::width];
};

inline void move(const PackMotion& by, const SpherePack& pack, MovedPack& moved) noexcept {
  const auto& m = by.rotation;
  for (int k = 0; k < SpherePack::width; ++k) {
    const float x = pack.x[k], y = pack.y[k], z = pack.z[k];
    moved.x[k] = m[0][0] * x + m[0][1] * y + m[0][2] * z + by.position[0];
    moved.y[k] = m[1][0] * x + m[1][1] * y + m[1][2] * z + by.position[1];
    moved.z[k] = m[2][0] * x + m[2][1] * y + m[2][2] * z + by.position[2];
  }
}

/// A pack of a tree, moved, out of the cache where it lies there.
[[nodiscard]] inline const MovedPack& movedFrom(MovedCache<MovedPack>& cache, const PackMotion& by,
                                                const std::vector<SpherePack>& packs,
                                                std::uint32_t pack) {
  return cache.get(pack, [&](MovedPack& moved) { move(by, packs[pack], moved); });
}

}  // namespace nearmiss
