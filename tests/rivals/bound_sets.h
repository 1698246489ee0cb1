// SPDX-License-Identifier: MIT
/// Sets of bounds at random, of the kinds that a search may stumble over.
#pragma once

#include <nearmiss/advanced/space_time_bound.h>

#include <vector>

#include "support/random.h"

namespace nearmiss::test {

/// Many bounds, and the planes that some of them have.
struct BoundSet {
  std::vector<SpaceTimeBound> bounds;
  std::vector<std::vector<CuttingPlane>> planes;
  Real from = 0.0, until = 1.0;
};

enum class Kind { Plain, Lattice, Far, Still, Planes, Rebuilt, Last = Rebuilt };

/// Whole numbers make ties, equal starts, parallel segments, touching and coincident bodies.
inline BoundSet randomSet(Random& random, Kind kind, int count, Real halfRange) {
  BoundSet set;
  const bool whole = kind == Kind::Lattice;
  const Vec3 offset = kind == Kind::Far ? Vec3(1e7, -1e7, 3e6) : Vec3(0.0);
  set.until = random.chance(0.5) ? 1.0 : random.between(0.1, 3.0);
  if (kind == Kind::Rebuilt) set.from = 0.25 * set.until;
  set.planes.resize(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    SpaceTimeBound bound;
    bound.end = set.until;
    if (kind == Kind::Rebuilt)
      bound.start = random.chance(0.5) ? 0.0 : random.between(0.0, set.from);
    bound.position =
        offset + (whole ? random.onLattice(static_cast<int>(halfRange)) : random.inCube(halfRange));
    bound.velocity = whole ? random.onLattice(2) : random.inCube(3.0);
    if (kind == Kind::Still || random.chance(0.1)) bound.velocity = Vec3(0.0);
    bound.radius = whole ? random.whole(0, 1) : random.between(0.0, 1.0);
    bound.acceleration = whole ? 2.0 * random.whole(0, 2) : random.between(0.0, 3.0);
    if (random.chance(0.05) && i > 0) bound = set.bounds.back();
    auto& planes = set.planes[static_cast<std::size_t>(i)];
    if (kind == Kind::Planes && random.chance(0.5))
      planes.push_back({random.direction(), random.chance(0.5) ? 0.0 : random.unit()});
    bound.planes = planes;
    set.bounds.push_back(bound);
  }
  return set;
}

}  // namespace nearmiss::test
