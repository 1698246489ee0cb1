// SPDX-License-Identifier: MIT
/// Points whose hulls are of all kinds, and poses that are hard for pairs of them.
#pragma once

#include <nearmiss/math.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

inline std::vector<Vec3> boxPoints(const Vec3& half) {
  std::vector<Vec3> points;
  for (const Real x : {-1.0, 1.0})
    for (const Real y : {-1.0, 1.0})
      for (const Real z : {-1.0, 1.0}) points.push_back(half * Vec3(x, y, z));
  return points;
}

/// Two regular polygons of `sides` corners, one above the other.
inline std::vector<Vec3> cylinderPoints(int sides, Real radius, Real half) {
  std::vector<Vec3> points;
  for (int i = 0; i < sides; ++i) {
    const Real angle = 2.0 * std::numbers::pi * i / sides;
    for (const Real z : {-half, half})
      points.push_back({radius * std::cos(angle), radius * std::sin(angle), z});
  }
  return points;
}

inline std::vector<Vec3> spherePoints(Random& random, int count) {
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i) points.push_back(random.direction());
  return points;
}

/// Boxes, cylinders, spheres, lattices with many points in a plane, plates and needles.
inline std::vector<Vec3> convexPoints(Random& random, int kind) {
  switch (kind % 7) {
    case 0:
      return boxPoints({random.between(0.2, 1.0), random.between(0.2, 1.0), 0.5});
    case 1:
      return cylinderPoints(random.whole(3, 40), random.between(0.1, 1.0),
                            random.between(0.1, 1.0));
    case 2:
      return spherePoints(random, random.whole(4, 60));
    case 3: {
      std::vector<Vec3> points;
      for (int i = 0; i < 80; ++i) points.push_back(0.25 * random.onLattice(4));
      return points;
    }
    case 4:
      return boxPoints({1.0, random.between(0.2, 1.0), 1e-3});
    case 5:
      return cylinderPoints(random.whole(3, 9), 1e-3, 1.0);
    default: {
      std::vector<Vec3> points = spherePoints(random, 30);
      for (Vec3& p : points) p *= Vec3(1.0, random.between(0.05, 1.0), random.between(0.05, 1.0));
      return points;
    }
  }
}

/// Turned at random, not at all, or by almost nothing.
inline Quat convexTurn(Random& random, int kind) {
  if (kind % 4 == 1) return glm::identity<Quat>();
  if (kind % 4 == 2) return glm::normalize(Quat(1.0, 1e-9, -2e-9, 1e-10));
  return random.rotation();
}

}  // namespace nearmiss::test
