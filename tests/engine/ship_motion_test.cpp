// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/hard_flights.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using test::Helm;
using test::HornCase;
using test::randomCase;
using test::randomStick;

struct Motion {
  Vec3 position{0.0};
  Vec3 velocity{0.0};
};

/// The error after `time` seconds in `steps` equal steps, none of them divided by the adaption.
Real errorAfter(const ShipDef& def, const ShipControl& control, const Arena& arena, Real time,
                int steps, const Motion& exact) {
  World world(arena);
  EXPECT_TRUE(world.ships().create(def));
  world.ships().setControl(0, control);
  for (int i = 0; i < steps; ++i) world.integrate(time / steps);
  EXPECT_EQ(world.stepsTaken(), static_cast<std::uint64_t>(steps)) << "the adaption interfered";
  const BodyState& body = world.states()[0];
  return glm::distance(body.pose.position, exact.position) +
         glm::distance(body.velocity, exact.velocity);
}

void expectSecondOrder(const ShipDef& def, const ShipControl& control, const Arena& arena,
                       Real time, const Motion& exact) {
  Real coarse = errorAfter(def, control, arena, time, 64, exact);
  for (const int steps : {128, 256, 512}) {
    const Real fine = errorAfter(def, control, arena, time, steps, exact);
    EXPECT_GT(fine, 1e-11) << "nothing left to measure";
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05) << steps << " steps";
    coarse = fine;
  }
}

const Arena boundless{1e6, 1.0, 0.0};

ShipDef turning(Real turnMax) {
  ShipDef def;
  def.limits.turnMax = turnMax;
  return def;
}

TEST(ShipMotion, ConstantThrustIsExact) {
  ShipDef def;
  def.velocity = {0.1, 0.2, 0.3};
  def.limits.drag = 0.0;
  World world(boundless);
  EXPECT_TRUE(world.ships().create(def));
  world.ships().setControl(0, {.thrust = 0.5});
  for (int i = 0; i < 40; ++i) world.integrate(0.1);
  const Real a = 0.5 * def.limits.accelerationMax;
  const Vec3 expected = 4.0 * def.velocity + Vec3(0.0, 0.0, -a * 16.0 / 2.0);
  EXPECT_LT(glm::distance(world.states()[0].pose.position, expected), 1e-13);
  EXPECT_LT(glm::distance(world.states()[0].velocity, def.velocity + Vec3(0, 0, -4.0 * a)), 1e-13);
}

TEST(ShipMotion, ThrustAndTurnMakeACircleWithOrderTwo) {
  ShipDef def;
  def.limits = {.accelerationMax = 0.3, .reverseMax = 0.1, .turnMax = 0.5, .drag = 0.0};
  const Real omega = def.limits.turnMax;
  const Real a = def.limits.accelerationMax;
  def.velocity = {a / omega, 0.0,
                  0.0};  // then the velocity only turns: a circle of radius a/omega^2
  const Real t = 2.0;
  const Motion exact{{a / omega / omega * std::sin(omega * t), 0.0,
                      a / omega / omega * (std::cos(omega * t) - 1.0)},
                     {a / omega * std::cos(omega * t), 0.0, -a / omega * std::sin(omega * t)}};
  expectSecondOrder(def, {.thrust = 1.0, .yaw = 1.0}, boundless, t, exact);
}

TEST(ShipMotion, DragIsExponentialWithOrderTwo) {
  ShipDef def;
  def.limits.drag = 0.6;
  def.velocity = {0.3, -0.2, 0.6};
  const Real left = std::exp(-0.6 * 2.0);
  const Motion exact{def.velocity * ((1.0 - left) / 0.6), def.velocity * left};
  expectSecondOrder(def, {}, boundless, 2.0, exact);
}

TEST(ShipMotion, ThrustAgainstDragHasOrderTwo) {
  ShipDef def;
  def.limits.drag = 0.5;
  const Real final = def.limits.accelerationMax / 0.5;
  const Real left = std::exp(-0.5 * 2.0);
  const Motion exact{{0.0, 0.0, -final * (2.0 - (1.0 - left) / 0.5)},
                     {0.0, 0.0, -final * (1.0 - left)}};
  expectSecondOrder(def, {.thrust = 1.0}, boundless, 2.0, exact);
}

TEST(ShipMotion, TheRimIsASpringWithOrderTwo) {
  // Moving straight out from the edge, x - radius obeys y'' = -(pushMax / rim) y
  const Arena arena{5.0, 2.0, 0.8};
  ShipDef def;
  def.limits.drag = 0.0;
  def.pose.position = {0.0, 5.0, 0.0};
  def.velocity = {0.0, 0.5, 0.0};
  const Real w = std::sqrt(0.8 / 2.0);
  const Real t = 2.0;
  const Motion exact{{0.0, 5.0 + 0.5 / w * std::sin(w * t), 0.0},
                     {0.0, 0.5 * std::cos(w * t), 0.0}};
  expectSecondOrder(def, {}, arena, t, exact);
}

TEST(ShipMotion, SticksTurnTheNoseWhereTheySay) {
  const auto noseAfter = [](const ShipControl& control, const Vec3& own) {
    World world;
    EXPECT_TRUE(world.ships().create(turning(1.0)));
    world.ships().setControl(0, control);
    world.integrate(0.5);
    return world.states()[0].pose.rotation * own;
  };
  const Vec3 nose(0, 0, -1), rightWing(1, 0, 0);
  const Real s = std::sin(0.5), c = std::cos(0.5);
  EXPECT_LT(glm::distance(noseAfter({.pitch = 1}, nose), Vec3(0, s, -c)), 1e-4);
  EXPECT_LT(glm::distance(noseAfter({.yaw = 1}, nose), Vec3(-s, 0, -c)), 1e-4);
  EXPECT_LT(glm::distance(noseAfter({.roll = 1}, rightWing), Vec3(c, -s, 0)), 1e-4);
  EXPECT_LT(glm::distance(noseAfter({.roll = 1}, nose), nose), 1e-12);
}

TEST(ShipMotion, AdaptsToFastTurns) {
  // At 20 rad/s the longest step would be hopeless; the adaption must find the small circle
  ShipDef def;
  def.limits = {.accelerationMax = 4.0, .reverseMax = 0.0, .turnMax = 20.0, .drag = 0.0};
  def.velocity = {4.0 / 20.0, 0.0, 0.0};
  World world(boundless);
  EXPECT_TRUE(world.ships().create(def));
  world.ships().setControl(0, {.thrust = 1.0, .yaw = 1.0});
  for (int i = 0; i < 20; ++i) world.integrate(0.1);
  const Real r = 4.0 / 400.0;
  const Vec3 exact(r * std::sin(40.0), 0.0, r * (std::cos(40.0) - 1.0));
  EXPECT_LT(glm::distance(world.states()[0].pose.position, exact), 1e-3);
  EXPECT_GT(world.stepsTaken(), 100u);
}

TEST(ShipMotion, RotationsStayUnits) {
  World world;
  EXPECT_TRUE(world.ships().create(turning(3.0)));
  nearmiss::test::Random random(7);
  for (int i = 0; i < 5000; ++i) {
    world.ships().setControl(0, {random.unit(), random.between(-1, 1), random.between(-1, 1), 1.0});
    world.integrate(0.05);
    const Quat& q = world.states()[0].pose.rotation;
    ASSERT_NEAR(glm::dot(q, q), 1.0, 1e-14);
  }
}

TEST(ShipMotion, NoTrajectoryLeavesItsHorn) {
  nearmiss::test::Random random(20260101);
  Real closest = 0.0, hardest = 0.0, farthestBehind = 0.0, sharpest = 1.0;
  int planesSeen = 0;
  const int trajectories = nearmiss::test::cases(1500);
  for (int i = 0; i < trajectories; ++i) {
    const HornCase c = randomCase(random);
    World world(c.arena);
    EXPECT_TRUE(world.ships().create(c.def));
    const BodyState start = world.states()[0];
    const Real bound = start.accelerationBound;
    const std::vector<CuttingPlane> planes(start.planes.begin(), start.planes.end());
    const Helm helm(random);
    while (world.time() < start.boundHoldsUntil) {
      helm.steer(world.ships(), random);
      const Vec3 before = world.states()[0].velocity;
      const Real wish = random.between(0.005, 0.1);
      const Real dt = std::min(wish, start.boundHoldsUntil - world.time());
      world.integrate(dt);
      const BodyState& now = world.states()[0];
      ASSERT_EQ(now.motionEpoch, start.motionEpoch);
      const Real t = world.time();
      const Real off = glm::distance(now.pose.position, start.pose.position + t * start.velocity);
      const Real horn = 0.5 * bound * t * t;
      ASSERT_LE(off, horn + 1e-13 * (1.0 + glm::length(now.pose.position))) << "trajectory " << i;
      for (const CuttingPlane& plane : planes) {
        // Never farther behind the unaccelerated position than thrust against the plane takes it
        const Vec3 strayed = now.pose.position - (start.pose.position + t * start.velocity);
        const Real behind = -glm::dot(plane.direction, strayed);
        ASSERT_LE(behind,
                  0.5 * plane.reverse * t * t + 1e-13 * (1.0 + glm::length(now.pose.position)))
            << "trajectory " << i;
        if (t > 0.3 && plane.reverse > 0.0)
          farthestBehind = std::max(farthestBehind, behind / (0.5 * plane.reverse * t * t));
        sharpest = std::min(sharpest, plane.reverse / bound);
        ++planesSeen;
      }
      const Real pull = glm::distance(now.velocity, before) / dt;
      // The last step may be as short as rounding
      const Real rounded = 1e-15 * (1.0 + glm::length(before)) / dt;
      ASSERT_LE(pull, bound * (1.0 + 1e-9) + rounded) << "trajectory " << i << " at " << t;
      if (t > 0.1) closest = std::max(closest, off / horn);
      if (t > 0.3) hardest = std::max(hardest, pull / bound);
    }
  }
  // The bound is worth something: some ship comes close to it, early and late
  EXPECT_GT(closest, 0.95);
  EXPECT_GT(hardest, 0.95);
  EXPECT_GT(planesSeen, trajectories);
  EXPECT_GT(farthestBehind, 0.9);
  EXPECT_LT(sharpest, 0.1);
}

TEST(ShipMotion, AKeptControlIsCertifiedMoreTightlyAndKeepsToIt) {
  nearmiss::test::Random random(20260102);
  int tighter = 0;
  const int trajectories = nearmiss::test::cases(500);
  for (int i = 0; i < trajectories; ++i) {
    const HornCase c = randomCase(random);
    World world(c.arena);
    EXPECT_TRUE(world.ships().create(c.def));
    const Real atLimits = world.states()[0].accelerationBound;
    const Real thrust = randomStick(random), pitch = randomStick(random);
    const Real until = random.between(0.8, 3.0);
    world.ships().setControl(0, {thrust, pitch, randomStick(random), randomStick(random)}, until);
    const BodyState start = world.states()[0];
    const std::vector<CuttingPlane> planes(start.planes.begin(), start.planes.end());
    ASSERT_LE(start.accelerationBound, atLimits);
    ASSERT_LE(start.boundHoldsUntil, until);
    tighter += start.accelerationBound < 0.9 * atLimits;
    while (world.time() < start.boundHoldsUntil) {
      world.integrate(std::min(random.between(0.005, 0.1), start.boundHoldsUntil - world.time()));
      const BodyState& now = world.states()[0];
      const Real t = world.time();
      const Vec3 strayed = now.pose.position - (start.pose.position + t * start.velocity);
      const Real slack = 1e-13 * (1.0 + glm::length(now.pose.position));
      ASSERT_EQ(now.motionEpoch, start.motionEpoch);
      ASSERT_LE(glm::length(strayed), 0.5 * start.accelerationBound * t * t + slack);
      for (const CuttingPlane& plane : planes)
        ASSERT_GE(glm::dot(plane.direction, strayed), -0.5 * plane.reverse * t * t - slack);
    }
  }
  EXPECT_GT(tighter, trajectories / 5);
}

/// A body that is as hard to turn about two of its axes.
ShipDef tumbler(Real about, Real aside) {
  ShipDef def;
  def.limits.drag = 0.0;
  def.inverseInertia.diagonal = {1.0 / aside, 1.0 / aside, 1.0 / about};
  return def;
}

/// A free symmetric body: its axis circles the angular momentum at the rate |L| / I.
TEST(ShipMotion, AFreeBodysAxisCirclesItsMomentumWithOrderTwo) {
  const Real aside = 1.3, time = 2.0;
  const Vec3 momentum(0.3, 0.2, 0.5);
  const auto errorIn = [&](int steps) {
    World world(boundless);
    EXPECT_TRUE(world.ships().create(tumbler(0.4, aside)));
    EXPECT_TRUE(world.ships().setAngularMomentum(0, momentum));
    for (int i = 0; i < steps; ++i) world.integrate(time / steps);
    EXPECT_EQ(world.ships().angularMomentum(0), momentum) << "without drag it is kept, bit for bit";
    const Quat exact =
        glm::angleAxis(glm::length(momentum) * time / aside, glm::normalize(momentum));
    return glm::distance(world.states()[0].pose.rotation * Vec3(0, 0, 1), exact * Vec3(0, 0, 1));
  };
  Real coarse = errorIn(64);
  for (const int steps : {128, 256}) {
    const Real fine = errorIn(steps);
    EXPECT_GT(fine, 1e-11);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.1);
    coarse = fine;
  }
}

TEST(ShipMotion, AFreeBodyKeepsItsEnergyOfTurning) {
  ShipDef def = tumbler(1.0, 1.0);
  def.inverseInertia = {{1.0, 2.0, 4.0}, {0.1, -0.2, 0.3}};
  World world(boundless);
  EXPECT_TRUE(world.ships().create(def));
  EXPECT_TRUE(world.ships().setAngularMomentum(0, {0.1, 0.5, 0.02}));
  const auto energy = [&] {
    return 0.5 * glm::dot(world.ships().angularMomentum(0), world.ships().angularVelocity(0));
  };
  const Real before = energy();
  Vec3 axis = world.ships().angularVelocity(0);
  Real wandered = 0.0;
  for (int i = 0; i < 600; ++i) {
    world.integrate(0.05);
    EXPECT_NEAR(energy(), before, 2e-3 * before);
    wandered = std::max(wandered, glm::distance(axis, world.ships().angularVelocity(0)));
  }
  EXPECT_GT(wandered, 0.5) << "the axis wanders";
}

TEST(ShipMotion, DragEndsTheTumbling) {
  ShipDef def = tumbler(1.0, 2.0);
  def.limits.drag = 0.5;
  World world(boundless);
  EXPECT_TRUE(world.ships().create(def));
  EXPECT_TRUE(world.ships().setAngularMomentum(0, {1.0, 0.0, 0.0}));
  for (int i = 0; i < 100; ++i) world.integrate(0.05);
  EXPECT_NEAR(world.ships().angularMomentum(0).x, std::exp(-0.5 * 5.0), 1e-3);
}

/// Whatever it was hit by: bounds and cutting planes hold while a ship tumbles.
TEST(ShipMotion, NoTumblingShipLeavesItsHorn) {
  nearmiss::test::Random random(20261123);
  int planesSeen = 0, withoutPlane = 0;
  Real maxTurned = 0.0;
  const int trajectories = nearmiss::test::cases(800);
  for (int i = 0; i < trajectories; ++i) {
    HornCase c = randomCase(random);
    c.def.inverseInertia.diagonal = {1.0 + 3.0 * random.unit(), 1.0 + 3.0 * random.unit(),
                                     1.0 + 3.0 * random.unit()};
    c.def.inverseInertia.mixed = random.inCube(0.3);
    if (random.chance(0.5)) c.def.limits.turnMax = 0.1;
    World world(c.arena);
    EXPECT_TRUE(world.ships().create(c.def));
    EXPECT_TRUE(
        world.ships().setAngularMomentum(0, random.inCube(test::magnitude(random, 0.01, 5.0))));
    const BodyState start = world.states()[0];
    const std::vector<CuttingPlane> planes(start.planes.begin(), start.planes.end());
    (planes.empty() ? withoutPlane : planesSeen) += 1;
    const Helm helm(random);
    while (world.time() < start.boundHoldsUntil) {
      helm.steer(world.ships(), random);
      world.integrate(std::min(random.between(0.005, 0.1), start.boundHoldsUntil - world.time()));
      const BodyState& now = world.states()[0];
      const Real t = world.time();
      const Vec3 strayed = now.pose.position - (start.pose.position + t * start.velocity);
      const Real slack = 1e-13 * (1.0 + glm::length(now.pose.position));
      ASSERT_LE(glm::length(strayed), 0.5 * start.accelerationBound * t * t + slack);
      for (const CuttingPlane& plane : planes) {
        ASSERT_GE(glm::dot(plane.direction, strayed), -0.5 * plane.reverse * t * t - slack);
        const Vec3 nose = now.pose.rotation * Vec3(0.0, 0.0, -1.0);
        maxTurned = std::max(maxTurned, 1.0 - glm::dot(plane.direction, nose));
      }
    }
  }
  EXPECT_GT(planesSeen, trajectories / 4);
  EXPECT_GT(withoutPlane, trajectories / 10);
  EXPECT_GT(maxTurned, 0.3) << "planes are promised as long as they hold";
  EXPECT_LE(maxTurned, 1.0);
}

}  // namespace
}  // namespace nearmiss::engine
