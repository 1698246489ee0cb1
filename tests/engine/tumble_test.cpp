// SPDX-License-Identifier: MIT
/// Impulses at several points at once: what they keep, and where they stop.
#include <engine/flight/response.h>
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <vector>

#include "engine/two_ships.h"
#include "flight/impulses.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using test::Kept;
using test::keptBy;
using test::partingSpeed;
using test::Random;

constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr BodyPair both{0, 1};

/// Two ships that fly and turn at random.
World randomShips(Random& random, Real turning = 1.0) {
  World world;
  for (std::size_t k = 0; k < 2; ++k) {
    ShipDef def;
    def.mass = std::pow(10.0, random.between(-2.0, 2.0));
    def.velocity = random.inCube(2.0);
    def.pose = {random.inCube(2.0), random.rotation()};
    def.inverseInertia = test::randomInertia(random);
    EXPECT_TRUE(world.ships().create(def));
    if (random.chance(0.5)) {
      EXPECT_TRUE(world.ships().setAngularMomentum(k, turning * random.inCube(1.0)));
    }
  }
  return world;
}

/// Points with normals within 70 degrees of one direction, so that they can push the ships apart.
std::vector<ImpulsePoint> randomPoints(Random& random, std::size_t count) {
  const Vec3 way = random.direction();
  std::vector<ImpulsePoint> points;
  while (points.size() < count) {
    const Vec3 normal = random.direction();
    if (glm::dot(normal, way) > 0.35) points.push_back({normal, random.inCube(1.5)});
  }
  return points;
}

std::vector<Real> partingSpeeds(const Ships& ships, std::span<const ImpulsePoint> points) {
  std::vector<Real> speeds;
  for (const ImpulsePoint& point : points) speeds.push_back(partingSpeed(ships, point));
  return speeds;
}

/// A ship twice as wide as high, and what it lands on.
World landing(const Vec3& velocity, Real groundMass) {
  World world;
  ShipDef box;
  box.velocity = velocity;
  box.inverseInertia.diagonal = Vec3(12.0 / 5.0, 12.0 / 8.0, 12.0 / 5.0);
  box.pose.position = {0.0, 0.5, 0.0};
  EXPECT_TRUE(world.ships().create(box));
  ShipDef ground;
  ground.mass = groundMass;
  ground.pose.position = {0.0, -1.0, 0.0};
  ground.inverseInertia.diagonal = Vec3(0.5);
  EXPECT_TRUE(world.ships().create(ground));
  return world;
}

std::vector<ImpulsePoint> corners() {
  std::vector<ImpulsePoint> points;
  for (const Real x : {-1.0, 1.0})
    for (const Real z : {-1.0, 1.0}) points.push_back({{0.0, 1.0, 0.0}, {x, 0.0, z}});
  return points;
}

TEST(TumbleAtPoints, KeepsMomentaAndEnergyAtOneToFourPoints) {
  Random random(71);
  std::array<int, 5> acted{}, several{};
  const int trials = test::cases(40'000);
  for (int i = 0; i < trials; ++i) {
    const auto count = static_cast<std::size_t>(1 + i % 4);
    World world = randomShips(random);
    Ships& ships = world.ships();
    const auto points = randomPoints(random, count);
    const auto before = partingSpeeds(ships, points);
    const Kept was = keptBy(ships);
    const bool approaches = std::ranges::any_of(before, [](Real v) { return v < 0.0; });
    ASSERT_EQ(tumble(ships, both, points), approaches);
    const Kept is = keptBy(ships);
    if (!approaches) {
      ASSERT_EQ(is.energy, was.energy);
      continue;
    }
    ++acted[count];
    ASSERT_LT(glm::distance(is.momentum, was.momentum), 1e-11 * was.size);
    ASSERT_LT(glm::distance(is.angular, was.angular), 1e-11 * was.size);
    ASSERT_NEAR(is.energy, was.energy, 1e-9 * was.energy);
    const auto after = partingSpeeds(ships, points);
    int reversed = 0;
    for (std::size_t k = 0; k < count; ++k) {
      ASSERT_GE(after[k] + before[k], -1e-9 * (1.0 + std::abs(before[k]))) << "trial " << i;
      reversed += std::abs(after[k] + before[k]) < 1e-9;
    }
    ASSERT_GE(reversed, 1);
    several[count] += reversed > 1;
  }
  for (std::size_t count = 1; count <= 4; ++count) EXPECT_GT(acted[count], trials / 12);
  for (std::size_t count = 2; count <= 4; ++count) EXPECT_GT(several[count], trials / 50);
}

/// Impulses only push, whatever the points are.
TEST(Impulses, AreNeverNegativeAndActWhereSpeedsAreReversed) {
  Random random(72);
  int active = 0;
  for (int i = 0; i < test::cases(20'000); ++i) {
    ImpulseProblem problem;
    problem.count = static_cast<std::size_t>(random.whole(1, 4));
    // As many independent directions as two bodies have, or fewer: such problems have no unique
    // impulses
    const int rank = random.whole(1, 6);
    std::array<std::array<Real, 6>, 4> rows{};
    std::array<Real, 6> motion{};
    for (int r = 0; r < rank; ++r) motion[static_cast<std::size_t>(r)] = random.between(-1.0, 1.0);
    for (std::size_t p = 0; p < problem.count; ++p) {
      rows[p][0] = random.between(0.2, 1.0);
      for (int r = 1; r < rank; ++r) rows[p][static_cast<std::size_t>(r)] = random.between(-1, 1);
    }
    for (std::size_t p = 0; p < problem.count; ++p) {
      for (std::size_t r = 0; r < 6; ++r) problem.parting[p] += rows[p][r] * motion[r];
      for (std::size_t q = 0; q < problem.count; ++q)
        for (std::size_t r = 0; r < 6; ++r) problem.response[p][q] += rows[p][r] * rows[q][r];
    }
    const auto impulses = solve(problem);
    Real work = 0.0;
    for (std::size_t p = 0; p < problem.count; ++p) {
      ASSERT_GE(impulses[p], 0.0);
      Real sum = 2.0 * problem.parting[p];
      for (std::size_t q = 0; q < problem.count; ++q) sum += problem.response[p][q] * impulses[q];
      ASSERT_GE(sum, -1e-9) << "case " << i;
      work += 0.5 * impulses[p] * sum;
      active += impulses[p] > 0.0;
    }
    ASSERT_NEAR(work, 0.0, 1e-9);
    for (std::size_t p = problem.count; p < ImpulseProblem::maxPoints; ++p)
      ASSERT_EQ(impulses[p], 0.0);
  }
  EXPECT_GT(active, test::cases(20'000) / 2);
}

/// Pressed from both sides by what cannot be moved, nothing helps, and nothing explodes.
TEST(Impulses, OfAPinchedBodyAreFinite) {
  ImpulseProblem problem;
  problem.count = 2;
  problem.response = {{{1.0, -1.0}, {-1.0, 1.0}}};
  problem.parting = {-1.0, -1.0};
  for (const Real impulse : solve(problem)) {
    EXPECT_TRUE(std::isfinite(impulse));
    EXPECT_GE(impulse, 0.0);
  }
  EXPECT_EQ(solve(ImpulseProblem{}), ImpulseProblem::Values{});
  problem.response = {};
  EXPECT_EQ(solve(problem), ImpulseProblem::Values{}) << "nothing can be moved";
}

TEST(TumbleAtPoints, ABoxThatLandsFlatDoesNotTurn) {
  for (const Real groundMass : {1.0, 50.0, infinity})
    for (const auto& order : {std::array{0, 1, 2, 3}, std::array{3, 1, 0, 2}}) {
      World world = landing({0.0, -2.0, 0.0}, groundMass);
      const auto all = corners();
      std::vector<ImpulsePoint> points;
      for (const int k : order) points.push_back(all[static_cast<std::size_t>(k)]);
      ASSERT_TRUE(tumble(world.ships(), both, points));
      EXPECT_LT(glm::length(world.ships().angularVelocity(0)), 1e-12);
      const Vec3 parting = world.states()[0].velocity - world.states()[1].velocity;
      EXPECT_LT(glm::distance(parting, Vec3(0.0, 2.0, 0.0)), 1e-12);
      EXPECT_FALSE(tumble(world.ships(), both, points)) << "they part by now";
    }
  // At one corner it would
  const auto all = corners();
  World world = landing({0.0, -2.0, 0.0}, infinity);
  ASSERT_TRUE(tumble(world.ships(), both, std::span(all).first(1)));
  EXPECT_GT(glm::length(world.ships().angularVelocity(0)), 0.5);
}

TEST(TumbleAtPoints, ABoxThatLandsTiltedTurnsAboutTheEdgeThatHits) {
  World world = landing({0.0, -2.0, 0.0}, infinity);
  const auto all = corners();
  ASSERT_TRUE(tumble(world.ships(), both, std::span(all).first(2)));  // those at x = -1
  const Vec3 turning = world.ships().angularVelocity(0);
  EXPECT_LT(turning.z, -0.5) << "the edge that hit goes up";
  EXPECT_LT(std::abs(turning.x) + std::abs(turning.y), 1e-12);
}

TEST(TumbleAtPoints, DoesNotMoveTheInfiniteMassByABit) {
  Random random(73);
  const auto bitsOf = [](const Vec3& v) {
    return std::bit_cast<std::array<std::uint64_t, 3>>(std::array{v.x, v.y, v.z});
  };
  int acted = 0;
  for (int i = 0; i < 4000; ++i) {
    World world;
    const std::size_t heavy = i % 2;
    for (std::size_t k = 0; k < 2; ++k) {
      ShipDef def;
      def.mass = k == heavy ? infinity : 1.0;
      def.velocity = random.inCube(2.0);
      def.inverseInertia = test::randomInertia(random);
      def.pose = {random.inCube(2.0), random.rotation()};
      ASSERT_TRUE(world.ships().create(def));
    }
    const BodyState before = world.states()[heavy];
    const auto points = randomPoints(random, static_cast<std::size_t>(1 + i % 4));
    acted += tumble(world.ships(), both, points);
    const BodyState& after = world.states()[heavy];
    ASSERT_EQ(bitsOf(after.velocity), bitsOf(before.velocity));
    ASSERT_EQ(after.motionEpoch, before.motionEpoch);
    ASSERT_EQ(bitsOf(world.ships().angularMomentum(heavy)), bitsOf(Vec3(0.0)));
  }
  EXPECT_GT(acted, 2000);
}

/// Which of several points that carry the same load comes first changes nothing that can be seen.
TEST(TumbleAtPoints, TakesPointsInAnyOrder) {
  Random random(74);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t seed = random.bits();
    auto points = randomPoints(random, 4);
    Random again(seed), same(seed);
    World one = randomShips(again), other = randomShips(same);
    const bool thrown = tumble(one.ships(), both, points);
    std::ranges::reverse(points);
    ASSERT_EQ(tumble(other.ships(), both, points), thrown);
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_LT(glm::distance(one.states()[k].velocity, other.states()[k].velocity), 1e-8);
      ASSERT_LT(glm::distance(one.ships().angularMomentum(k), other.ships().angularMomentum(k)),
                1e-8);
    }
  }
}

TEST(TumbleAtPoints, DoesNothingWithoutPoints) {
  World world = landing({0.0, -2.0, 0.0}, 1.0);
  const std::uint64_t before = stateHash(world.ships());
  EXPECT_FALSE(tumble(world.ships(), both, {}));
  EXPECT_EQ(stateHash(world.ships()), before);
}

}  // namespace
}  // namespace nearmiss::engine
