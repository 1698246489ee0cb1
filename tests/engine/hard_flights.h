// SPDX-License-Identifier: MIT
/// Ships, arenas and helmsmen that ask the most of what is promised about motion.
#pragma once

#include <engine/flight/ships.h>

#include <cmath>

#include "support/random.h"

namespace nearmiss::test {}

namespace nearmiss::engine::test {

// Helpers of all tests have the same name here
using namespace nearmiss::test;

/// Powers of ten over a range, so that small and large values are alike frequent.
inline Real magnitude(nearmiss::test::Random& random, Real low, Real high) {
  return low * std::pow(high / low, random.unit());
}

struct HornCase {
  Arena arena;
  ShipDef def;
};

inline HornCase randomCase(nearmiss::test::Random& random) {
  HornCase c;
  c.arena = {random.between(0.0, 8.0), random.between(0.0, 3.0), magnitude(random, 0.01, 20.0)};
  c.def.pose.position = random.inCube(8.0);
  c.def.velocity = random.inCube(magnitude(random, 1e-3, 5.0));
  c.def.limits = {magnitude(random, 0.01, 10.0), magnitude(random, 0.01, 10.0),
                  magnitude(random, 0.01, 30.0), magnitude(random, 0.01, 90.0)};
  if (random.unit() < 0.2) c.def.limits.drag = 0.0;
  if (random.unit() < 0.2) c.def.velocity = Vec3(0.0);
  if (random.unit() < 0.3) {
    // As strong backward as forward, at home: what full reverse asks most of
    c.def.limits.reverseMax = c.def.limits.accelerationMax;
    c.arena.radius += 20.0;
  } else if (random.unit() < 0.3) {
    // Heading straight for a rim like a wall
    c.arena.rim = 0.0;
    c.def.pose.position = {0.0, 0.0, -c.arena.radius * random.unit()};
    c.def.velocity = {0.0, 0.0, -random.between(0.0, 5.0)};
  }
  return c;
}

/// Full sticks this way or that, or anything between.
inline Real randomStick(nearmiss::test::Random& random) {
  const Real u = random.unit();
  const Real between = random.between(-1.0, 1.0);
  return u < 0.3 ? 1.0 : u < 0.6 ? -1.0 : between;
}

/// Steady, erratic, or full speed ahead and then full reverse, which asks most of the bound.
class Helm {
 public:
  explicit Helm(nearmiss::test::Random& random)
      : style_(random.whole(0, 2)), turnAt_(random.unit()) {}
  void steer(Ships& ships, nearmiss::test::Random& random) const {
    if (style_ == 0) {
      ships.setControl(0, {.thrust = 1.0});
    } else if (style_ == 1) {
      const Real thrust = randomStick(random), pitch = randomStick(random);
      ships.setControl(0, {thrust, pitch, randomStick(random), 0.0});
    } else {
      ships.setControl(0, {.thrust = ships.time() < turnAt_ ? 1.0 : -1.0});
    }
  }

 private:
  int style_;
  Real turnAt_;
};

}  // namespace nearmiss::engine::test
