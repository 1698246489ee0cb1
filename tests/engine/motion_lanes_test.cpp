// SPDX-License-Identifier: MIT
/// Eight ships at once against each alone: every bit of every number.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "engine/hard_flights.h"
#include "flight/motion_lanes.h"
#include "flight/ship_motion.h"
#include "support/campaign.h"
#include "support/same_bits.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using nearmiss::test::sameBits;
using test::magnitude;
using test::randomStick;

struct Alone {
  MotionState state;
  ShipControl control;
  ShipLimits limits;
  InverseInertia inertia;
};

/// Mostly such as a window's frame takes in one step; some that no step takes.
Alone randomShip(Random& random, bool tumbles) {
  Alone ship;
  ship.state.position = random.chance(0.05) ? Vec3(0.0) : random.inCube(9.0);
  ship.state.velocity = random.inCube(magnitude(random, 1e-3, 3.0));
  if (random.chance(0.1)) ship.state.velocity = -Vec3(0.0);
  ship.state.rotation = random.rotation();
  if (random.chance(0.1)) ship.state.rotation = Quat(-0.0, 1.0, 0.0, -0.0);
  ship.control = {randomStick(random), randomStick(random), randomStick(random),
                  random.chance(0.2) ? 0.0 : randomStick(random)};
  ship.limits = {magnitude(random, 0.01, 3.0), magnitude(random, 0.01, 3.0),
                 magnitude(random, 0.01, random.chance(0.3) ? 40.0 : 0.5),
                 random.chance(0.2) ? 0.0 : magnitude(random, 0.01, 2.0)};
  if (random.chance(0.1)) ship.limits.drag = random.between(5.0, 100.0);
  if (!tumbles || random.chance(0.3)) return ship;
  ship.state.angularMomentum = random.chance(0.2) ? -Vec3(0.0) : random.inCube(0.5);
  ship.inertia.diagonal = Vec3(1.0) + random.inCube(0.9);
  ship.inertia.mixed = random.inCube(0.3);
  return ship;
}

struct Eight {
  std::array<Alone, laneCount> ships;
  LaneForces forces{};
  LaneStates start{};

  Eight(Random& random, bool tumbles) {
    forces.tumbles = tumbles;
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
      const Alone& ship = ships[lane] = randomShip(random, tumbles);
      const Steering steering = steeringOf(ship.control, ship.limits);
      forces.thrust[lane] = steering.thrust;
      forces.turning.set(lane, steering.turning);
      forces.drag[lane] = ship.limits.drag;
      forces.diagonal.set(lane, ship.inertia.diagonal);
      forces.mixed.set(lane, ship.inertia.mixed);
      start.position.set(lane, ship.state.position);
      start.velocity.set(lane, ship.state.velocity);
      start.rotation.set(lane, ship.state.rotation);
      start.momentum.set(lane, ship.state.angularMomentum);
    }
  }
};

/// Momenta are compared only where lanes have them.
void expectSame(const LaneStates& lanes, std::size_t lane, const MotionState& alone, bool tumbles) {
  EXPECT_TRUE(sameBits(lanes.position.at(lane), alone.position)) << lane;
  EXPECT_TRUE(sameBits(lanes.velocity.at(lane), alone.velocity)) << lane;
  EXPECT_TRUE(sameBits(lanes.rotation.at(lane), alone.rotation)) << lane;
  EXPECT_TRUE(!tumbles || sameBits(lanes.momentum.at(lane), alone.angularMomentum)) << lane;
}

bool finite(const MotionState& s) {
  return !faultOf(Pose{s.position, s.rotation}) && !faultOfVelocity(s.velocity) &&
         !faultOfVelocity(s.angularMomentum);
}

TEST(MotionLanes, StepAsEachShipAloneDoes) {
  for (const LanePath& path : lanePaths()) {
    Random random(20261125);
    int together = 0, halved = 0, atRim = 0;
    for (int i = 0; i < nearmiss::test::cases(4000); ++i) {
      const bool tumbles = i % 2 == 1;
      const Arena arena{random.between(0.0, 12.0), i % 5 == 0 ? 0.0 : random.between(0.0, 3.0),
                        magnitude(random, 0.01, 5.0)};
      const Eight eight(random, tumbles);
      LaneReals h, error, late, since;
      for (Real& length : h.of)
        length = i % 7 == 0 ? longestStep / 2048.0 : random.between(0.002, 0.06);
      LaneStates end;
      path.step(eight.forces, arena, h, eight.start, end, error);
      for (std::size_t lane = 0; lane < laneCount; ++lane) {
        late[lane] = random.chance(0.5) ? 1.0 : 0.0;
        since[lane] = random.chance(0.1) ? 0.0 : random.between(0.0, 0.5 * h[lane]);
      }
      LaneStates onTheWay;
      path.evaluate(eight.forces, arena, {eight.start, h, since, late}, onTheWay);

      for (std::size_t lane = 0; lane < laneCount; ++lane) {
        const Alone& ship = eight.ships[lane];
        const StepRule rule(ship.limits);
        if (rule.longest() < h[lane]) continue;
        Real step = longestStep;
        std::vector<MotionPiece> pieces;
        const std::uint64_t steps = integrate(ship.state, ship.control, ship.limits, arena, h[lane],
                                              step, pieces, ship.inertia);
        const MotionState& last = pieces.back().start;
        if (!finite(last)) continue;
        const bool accepted = rule.accepts(error[lane], h[lane]);
        ASSERT_EQ(accepted, steps == 1) << i << ", " << lane;
        if (!accepted) {
          ++halved;
          continue;
        }
        expectSame(end, lane, last, tumbles);
        expectSame(onTheWay, lane, stateAt(pieces[late[lane] == 1.0 ? 1 : 0], since[lane]),
                   tumbles);
        EXPECT_EQ(rule.next(std::min(longestStep, rule.longest()), h[lane], error[lane]), step);
        atRim += glm::length(ship.state.position) > arena.radius;
        ++together;
      }
      if (HasFailure()) return;
    }
    EXPECT_GT(together, nearmiss::test::cases(8000)) << path.name;
    EXPECT_GT(atRim, nearmiss::test::cases(1000)) << path.name;
    EXPECT_GT(halved, nearmiss::test::cases(1000)) << path.name;
  }
}

}  // namespace
}  // namespace nearmiss::engine
