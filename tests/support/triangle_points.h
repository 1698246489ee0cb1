// SPDX-License-Identifier: MIT
/// Points of triangles at random.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include "support/random.h"

namespace nearmiss::test {

/// Anywhere on it, more often near its first corner.
inline Vec3 pointOn(Random& random, const Triangle& t) {
  const Real u = random.unit();
  const Real v = (1.0 - u) * random.unit();
  return t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
}

}  // namespace nearmiss::test
