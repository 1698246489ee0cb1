// SPDX-License-Identifier: MIT
/// Eight ships at once against each alone: every bit of every number.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
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
  ship.state.position = random.inCube(random.chance(0.1) ? 1e49 : 9.0);
  ship.state.velocity = random.inCube(random.chance(0.05) ? 5e49 : magnitude(random, 1e-3, 3.0));
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
  LaneSteps steps{};

  Eight(Random& random, bool tumbles) {
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
      const Alone& ship = ships[lane] = randomShip(random, tumbles);
      const Steering steering = steeringOf(ship.control, ship.limits);
      forces.thrust[lane] = steering.thrust;
      forces.turning.set(lane, steering.turning);
      forces.drag[lane] = ship.limits.drag;
      forces.diagonal.set(lane, ship.inertia.diagonal);
      forces.mixed.set(lane, ship.inertia.mixed);
      LaneStates& start = steps.early.start;
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

void expectSame(const LanePieces& lanes, std::size_t lane, const MotionPiece& alone, bool tumbles) {
  expectSame(lanes.start, lane, alone.start, tumbles);
  EXPECT_TRUE(sameBits(lanes.acceleration.at(lane), alone.acceleration)) << lane;
  EXPECT_TRUE(sameBits(lanes.spin.at(lane), alone.spin)) << lane;
  EXPECT_TRUE(sameBits(lanes.bending.at(lane), alone.bending)) << lane;
  EXPECT_TRUE(!tumbles || sameBits(lanes.torque.at(lane), alone.torque)) << lane;
}

bool sound(const MotionState& s) {
  return !faultOf(Pose{s.position, s.rotation}) && !faultOfVelocity(s.velocity) &&
         !faultOfVelocity(s.angularMomentum);
}

TEST(MotionLanes, StepAsEachShipAloneDoes) {
  Random random(20261125);
  int together = 0, halved = 0, outOfRange = 0, atRim = 0;
  for (int i = 0; i < nearmiss::test::cases(4000); ++i) {
    const bool tumbles = i % 2 == 1;
    const Arena arena{random.between(0.0, 12.0), i % 5 == 0 ? 0.0 : random.between(0.0, 3.0),
                      magnitude(random, 0.01, 5.0)};
    const Real dt = i % 7 == 0 ? longestStep / 2048.0 : random.between(0.002, 0.06);
    Eight eight(random, tumbles);
    stepLanes(eight.forces, arena, dt, tumbles, eight.steps);
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
      const Alone& ship = eight.ships[lane];
      const StepRule rule(ship.limits);
      if (rule.longest() < dt) continue;
      Real step = longestStep;
      std::vector<MotionPiece> pieces;
      const std::uint64_t steps =
          integrate(ship.state, ship.control, ship.limits, arena, dt, step, pieces, ship.inertia);
      const MotionState& end = pieces.back().start;
      if (!sound(end)) {
        EXPECT_EQ(eight.steps.sound[lane], 0.0);
        ++outOfRange;
        continue;
      }
      const bool accepted = rule.accepts(eight.steps.error[lane], dt);
      ASSERT_EQ(accepted, steps == 1) << i << ", " << lane;
      if (!accepted) {
        ++halved;
        continue;
      }
      // A ship at the edge of the range may be left alone, no other
      const bool atEdge = std::abs(end.position.x) > 1e40 || std::abs(end.velocity.x) > 1e40;
      EXPECT_TRUE(atEdge || eight.steps.sound[lane] == 1.0);
      expectSame(eight.steps.early, lane, pieces[0], tumbles);
      expectSame(eight.steps.late, lane, pieces[1], tumbles);
      expectSame(eight.steps.end, lane, end, tumbles);
      EXPECT_EQ(rule.next(std::min(longestStep, rule.longest()), dt, eight.steps.error[lane]),
                step);
      atRim += glm::length(ship.state.position) > arena.radius;
      ++together;
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(together, nearmiss::test::cases(8000));
  EXPECT_GT(atRim, nearmiss::test::cases(1000));
  EXPECT_GT(halved, nearmiss::test::cases(1000));
  EXPECT_GT(outOfRange, nearmiss::test::cases(100));
}

TEST(MotionLanes, AreOnTheWayWhereEachShipAloneIs) {
  Random random(20261126);
  for (int i = 0; i < nearmiss::test::cases(1000); ++i) {
    const bool tumbles = i % 2 == 1;
    const Real dt = random.between(0.002, 0.06);
    Eight eight(random, tumbles);
    stepLanes(eight.forces, Arena{}, dt, tumbles, eight.steps);
    const LanePieces& pieces = i % 3 == 0 ? eight.steps.early : eight.steps.late;
    const Real s = i % 11 == 0 ? 0.0 : random.between(0.0, 0.5 * dt);
    LaneStates states;
    evaluateLanes(pieces, s, tumbles, states);
    for (std::size_t lane = 0; lane < laneCount; ++lane) {
      MotionPiece piece;
      piece.start = {pieces.start.position.at(lane), pieces.start.velocity.at(lane),
                     pieces.start.rotation.at(lane), Vec3(0.0)};
      piece.acceleration = pieces.acceleration.at(lane);
      piece.spin = pieces.spin.at(lane);
      piece.bending = pieces.bending.at(lane);
      if (tumbles) {
        piece.start.angularMomentum = pieces.start.momentum.at(lane);
        piece.torque = pieces.torque.at(lane);
      }
      expectSame(states, lane, stateAt(piece, s), tumbles);
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace nearmiss::engine
