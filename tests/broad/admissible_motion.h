// SPDX-License-Identifier: MIT
/// Motions that keep a bound's promise, the nastier the better: pieces of constant acceleration,
/// most of them as hard as allowed.
#pragma once

#include <nearmiss/advanced/space_time_bound.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "support/random.h"

namespace nearmiss::test {

/// An acceleration within the bound's promise.
inline Vec3 admissibleAcceleration(Random& random, const SpaceTimeBound& bound) {
  Vec3 axis(0.0);
  axis[random.whole(0, 2)] = random.chance(0.5) ? 1.0 : -1.0;
  const Vec3 direction = random.chance(0.3) ? axis : random.direction();
  Vec3 a = direction * (bound.acceleration * (random.chance(0.8) ? 1.0 : random.unit()));
  // Along the planes as far as their promise goes; no more than a few rounds are ever needed
  for (int round = 0; round < 100; ++round) {
    bool kept = true;
    for (const CuttingPlane& plane : bound.planes) {
      const Real forward = glm::dot(plane.direction, a);
      if (forward >= -plane.reverse) continue;
      a -= plane.direction * (forward + plane.reverse) * (1.0 + 1e-12);
      kept = false;
    }
    if (kept) return a;
  }
  return Vec3(0.0);
}

/// A motion from the bound's start on.
class AdmissibleMotion {
 public:
  AdmissibleMotion(Random& random, const SpaceTimeBound& bound) : bound_(bound) {
    const Real life = bound.end - bound.start;
    // Bang-bang: switches at random instants, or one push from beginning to end
    const int pieces = random.chance(0.4) ? 1 : random.whole(2, 8);
    Real time = 0.0;
    for (int i = 0; i < pieces; ++i) {
      pieces_.push_back({time, admissibleAcceleration(random, bound)});
      time += random.between(0.0, 2.0) * life / pieces;
    }
  }

  /// Where the centre of rotation is.
  [[nodiscard]] Vec3 at(Real time) const {
    const Real s = time - bound_.start;
    // x0 + v0 s + the integral of (s - u) a(u)
    Vec3 bent(0.0);
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      if (pieces_[i].from >= s) break;
      const Real from = s - pieces_[i].from;
      const Real to = i + 1 < pieces_.size() ? std::max(0.0, s - pieces_[i + 1].from) : 0.0;
      bent += pieces_[i].acceleration * (0.5 * (from * from - to * to));
    }
    return bound_.position + (bound_.velocity * s + bent);
  }

 private:
  struct Piece {
    Real from;
    Vec3 acceleration;
  };
  SpaceTimeBound bound_;
  std::vector<Piece> pieces_;
};

}  // namespace nearmiss::test
