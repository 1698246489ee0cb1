// SPDX-License-Identifier: MIT
/// Ships looked at on the way through a frame: where they are, what they have promised, and what a
/// response there changes.
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "engine/hard_flights.h"
#include "support/campaign.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::Random;
using test::Helm;
using test::HornCase;
using test::randomCase;

World fleet(int count) {
  World world(Arena{5.0, 2.0, 0.6});
  Random random(31);
  for (int i = 0; i < count; ++i) {
    ShipDef def;
    def.pose = {random.inCube(6.0), random.rotation()};
    def.velocity = random.inCube(1.0);
    def.limits.turnMax = random.between(0.1, 6.0);
    EXPECT_TRUE(world.ships().create(def));
  }
  return world;
}

void steerAll(Ships& ships, Random& random) {
  for (std::size_t place = 0; place < ships.states().size(); ++place) {
    const Real thrust = random.between(-1.0, 1.0), pitch = random.between(-1.0, 1.0);
    ships.setControl(place, {thrust, pitch, random.between(-1.0, 1.0), 0.5});
  }
}

TEST(PredictedMotion, DoesNotDependOnWhereItIsLookedAt) {
  World watched = fleet(6), alone = fleet(6);
  Random helm(1), same(1), looks(2);
  for (int frame = 0; frame < 300; ++frame) {
    steerAll(watched.ships(), helm);
    steerAll(alone.ships(), same);
    const Real dt = frame % 7 == 0 ? 0.35 : 0.1;
    alone.integrate(dt);
    watched.predict(dt);
    for (int look = looks.whole(0, 5); look > 0; --look)
      watched.moveTo(watched.time() + looks.between(0.0, 0.3) * dt);
    watched.moveTo(watched.predictedUntil());
    ASSERT_EQ(stateHash(watched.ships()), stateHash(alone.ships())) << "frame " << frame;
  }
}

TEST(PredictedMotion, GoesNeitherBackNorBeyondWhatWasPredicted) {
  World world = fleet(2);
  world.moveTo(1.0);
  EXPECT_EQ(world.time(), 0.0) << "nothing was predicted";
  world.predict(0.1);
  world.moveTo(0.06);
  const std::uint64_t there = stateHash(world.ships());
  for (const Real vain : {0.05, -1.0, 0.06, std::numeric_limits<Real>::quiet_NaN()}) {
    world.moveTo(vain);
    EXPECT_EQ(stateHash(world.ships()), there) << vain;
  }
  world.moveTo(std::numeric_limits<Real>::infinity());
  EXPECT_EQ(world.time(), 0.1);
}

/// The greatest error at instants inside the steps of a circular flight, of position and of
/// heading.
Real errorOnTheWay(int steps) {
  constexpr Real omega = 0.5, a = 0.3, time = 2.0;
  ShipDef def;
  def.limits = {.accelerationMax = a, .reverseMax = 0.1, .turnMax = omega, .drag = 0.0};
  def.velocity = {a / omega, 0.0, 0.0};
  World world(Arena{1e6, 1.0, 0.0});
  EXPECT_TRUE(world.ships().create(def));
  world.ships().setControl(0, {.thrust = 1.0, .yaw = 1.0});
  Real worst = 0.0;
  for (int i = 0; i < steps; ++i) {
    const Real start = world.time();
    world.predict(time / steps);
    for (const Real share : {0.11, 0.37, 0.5, 0.83}) {
      world.moveTo(start + share * time / steps);
      const Real t = world.time(), r = a / omega / omega;
      const BodyState& body = world.states()[0];
      const Vec3 place(r * std::sin(omega * t), 0.0, r * (std::cos(omega * t) - 1.0));
      const Vec3 nose(-std::sin(omega * t), 0.0, -std::cos(omega * t));
      worst = std::max({worst, glm::distance(body.pose.position, place),
                        glm::distance(body.pose.rotation * Vec3(0.0, 0.0, -1.0), nose)});
    }
    world.moveTo(world.predictedUntil());
  }
  EXPECT_EQ(world.stepsTaken(), static_cast<std::uint64_t>(steps)) << "the adaption interfered";
  return worst;
}

TEST(PredictedMotion, HasOrderTwoOnTheWayToo) {
  Real coarse = errorOnTheWay(64);
  for (const int steps : {128, 256, 512}) {
    const Real fine = errorOnTheWay(steps);
    EXPECT_GT(fine, 1e-11) << "nothing left to measure";
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.25) << steps << " steps";
    coarse = fine;
  }
}

/// Bounds are built wherever a detection happens to be: each must hold what is flown after it.
TEST(PredictedMotion, NoInstantLeavesTheHornOfAnEarlierOne) {
  Random random(20260103);
  Real closest = 0.0;
  std::size_t compared = 0, bounced = 0;
  for (int i = 0; i < nearmiss::test::cases(300); ++i) {
    const HornCase c = randomCase(random);
    World world(c.arena);
    EXPECT_TRUE(world.ships().create(c.def));
    struct Look {
      Real time = 0.0;
      BodyState body;
      std::vector<CuttingPlane> planes;
    };
    std::vector<Look> looks;
    const Helm helm(random);
    const auto look = [&] {
      const BodyState& now = world.states()[0];
      const Real slack = 1e-12 * (1.0 + glm::length(now.pose.position));
      for (const Look& then : looks) {
        if (then.body.motionEpoch != now.motionEpoch) continue;
        if (!(world.time() <= then.body.boundHoldsUntil)) continue;
        const Real t = world.time() - then.time;
        const Vec3 strayed = now.pose.position - (then.body.pose.position + t * then.body.velocity);
        const Real horn = 0.5 * then.body.accelerationBound * t * t;
        ASSERT_LE(glm::length(strayed), horn + slack) << "flight " << i;
        for (const CuttingPlane& plane : then.planes)
          ASSERT_GE(glm::dot(plane.direction, strayed), -0.5 * plane.reverse * t * t - slack);
        if (t > 0.1) closest = std::max(closest, glm::length(strayed) / horn);
        ++compared;
      }
      looks.push_back({world.time(), now, {now.planes.begin(), now.planes.end()}});
    };
    for (int frame = 0; frame < 8; ++frame) {
      helm.steer(world.ships(), random);
      world.predict(random.between(0.02, 0.3));
      for (int k = random.whole(0, 4); k > 0; --k) {
        world.moveTo(world.time() +
                     random.between(0.0, 0.5) * (world.predictedUntil() - world.time()));
        ASSERT_NO_FATAL_FAILURE(look());
        if (!random.chance(0.1)) continue;
        EXPECT_TRUE(world.ships().setVelocity(0, -world.states()[0].velocity));
        ASSERT_NO_FATAL_FAILURE(look());
        ++bounced;
      }
      world.moveTo(world.predictedUntil());
      ASSERT_NO_FATAL_FAILURE(look());
    }
  }
  EXPECT_GT(compared, 20000u);
  EXPECT_GT(bounced, 100u);
  EXPECT_GT(closest, 0.9);
}

TEST(PredictedMotion, AJumpOnTheWayIsFlownFromThere) {
  World struck = fleet(3), untouched = fleet(3);
  Random helm(5), same(5);
  steerAll(struck.ships(), helm);
  steerAll(untouched.ships(), same);
  untouched.integrate(0.1);
  struck.predict(0.1);
  struck.moveTo(0.037);
  const Vec3 thrown(0.0, 3.0, -1.0);
  EXPECT_TRUE(struck.ships().setVelocity(1, thrown));
  const BodyState there = struck.states()[1];
  struck.moveTo(0.1);

  // The others fly on as if nothing had happened, to the bit
  for (const std::size_t other : {0u, 2u}) {
    EXPECT_EQ(struck.states()[other].pose.position, untouched.states()[other].pose.position);
    EXPECT_EQ(struck.states()[other].velocity, untouched.states()[other].velocity);
  }
  const Vec3 way = struck.states()[1].pose.position - there.pose.position;
  EXPECT_LT(glm::distance(way, 0.063 * thrown), 0.5 * 0.063 * 0.063 * there.accelerationBound);
  EXPECT_GT(glm::distance(struck.states()[1].pose.position, untouched.states()[1].pose.position),
            0.1);
  EXPECT_EQ(struck.states()[1].motionEpoch, untouched.states()[1].motionEpoch + 1);
}

TEST(PredictedMotion, ShipsMayComeAndGoOnTheWay) {
  World world = fleet(3);
  const ShipId early = *world.ships().create({});
  world.predict(0.1);
  world.moveTo(0.04);
  ShipDef late;
  late.velocity = {1.0, 0.0, 0.0};
  late.limits.drag = 0.0;
  late.pose.position = {1.0, 0.0, 0.0};
  const ShipId id = *world.ships().create(late);
  const std::uint64_t jumps = world.ships().jumps().count();
  world.ships().destroy(early);
  EXPECT_GT(world.ships().jumps().count(), jumps);
  world.moveTo(0.1);
  EXPECT_NEAR(world.states()[world.ships().ids().indexOf(id)].pose.position.x, 1.06, 1e-12);
}

}  // namespace
}  // namespace nearmiss::engine
