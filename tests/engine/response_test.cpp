// SPDX-License-Identifier: MIT
#include <engine/flight/collisions.h>
#include <engine/flight/response.h>
#include <engine/flight/touches.h>
#include <engine/flight/world.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <span>
#include <vector>

#include "engine/two_ships.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using test::Kept;
using test::keptBy;
using test::partingSpeed;
using test::randomInertia;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

struct Pair {
  World world;
  DetectedPair detected;
};

/// Two ships whose contact spheres lie as given; ship 0 is a, ship 1 is b.
Pair pairOf(Real massA, Real massB, const Vec3& velocityA, const Vec3& velocityB,
            const Vec3& centreA, const Vec3& centreB) {
  Pair pair;
  ShipDef a, b;
  a.mass = massA;
  b.mass = massB;
  a.velocity = velocityA;
  b.velocity = velocityB;
  a.pose.position = centreA;
  b.pose.position = centreB;
  EXPECT_TRUE(pair.world.ships().create(a));
  EXPECT_TRUE(pair.world.ships().create(b));
  pair.detected.bodies = {0, 1};
  pair.detected.refinement.deepest.a = {centreA, 1.0};
  pair.detected.refinement.deepest.b = {centreB, 1.0};
  return pair;
}

/// As a published response: along the spheres, whatever the verdict.
bool throwApart(Pair& pair) {
  const auto normal = normalOf(pair.world.states(), pair.detected);
  return normal && bounce(pair.world.ships(), pair.detected.bodies, *normal);
}

bool sameBits(const Vec3& a, const Vec3& b) {
  for (int i = 0; i < 3; ++i)
    if (std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i])) return false;
  return true;
}

TEST(Bounce, KeepsMomentumAndEnergyAndReversesTheApproach) {
  test::Random random(11);
  int bounced = 0;
  const int trials = test::cases(100'000);
  for (int i = 0; i < trials; ++i) {
    const Real massA = std::pow(10.0, random.between(-3.0, 3.0));
    const Real massB = std::pow(10.0, random.between(-3.0, 3.0));
    const Vec3 va = random.inCube(2.0), vb = random.inCube(2.0);
    const Vec3 ca = random.inCube(1.0), cb = random.inCube(1.0);
    Pair pair = pairOf(massA, massB, va, vb, ca, cb);
    const Vec3 n = glm::normalize(ca - cb);
    const Real closing = glm::dot(va - vb, n);
    const bool acted = throwApart(pair);
    const Vec3 wa = pair.world.states()[0].velocity, wb = pair.world.states()[1].velocity;
    ASSERT_EQ(acted, closing < 0.0);
    if (!acted) {
      ASSERT_TRUE(sameBits(wa, va) && sameBits(wb, vb)) << "a diverging pair was touched";
      ASSERT_EQ(pair.world.states()[0].motionEpoch, 0u);
      continue;
    }
    ++bounced;
    const Real scale = massA * glm::length(va) + massB * glm::length(vb);
    ASSERT_LE(glm::distance(massA * va + massB * vb, massA * wa + massB * wb), 1e-12 * scale);
    const Real before = massA * glm::dot(va, va) + massB * glm::dot(vb, vb);
    const Real after = massA * glm::dot(wa, wa) + massB * glm::dot(wb, wb);
    ASSERT_NEAR(after, before, 1e-12 * before);
    ASSERT_NEAR(glm::dot(wa - wb, n), -closing, 1e-12 * (glm::length(va) + glm::length(vb)));
    ASSERT_EQ(pair.world.states()[0].motionEpoch, 1u);
    ASSERT_EQ(pair.world.states()[1].motionEpoch, 1u);

    // The same pair does not converge any more: a second response leaves it alone
    ASSERT_FALSE(throwApart(pair));
  }
  EXPECT_GT(bounced, trials * 2 / 5);
  EXPECT_LT(bounced, trials * 3 / 5);
}

TEST(Bounce, DoesNotMoveTheInfiniteMassByABit) {
  test::Random random(12);
  int bounced = 0;
  for (int i = 0; i < 5000; ++i) {
    const Vec3 va = random.inCube(2.0), vb = random.inCube(2.0);
    const Vec3 ca = random.inCube(1.0), cb = random.inCube(1.0);
    const bool first = i % 2 == 0;
    Pair pair = pairOf(first ? infinity : 1.0, first ? 1.0 : infinity, va, vb, ca, cb);
    const std::size_t heavy = first ? 0 : 1, light = 1 - heavy;
    const Vec3 heavyBefore = pair.world.states()[heavy].velocity;
    const Vec3 lightBefore = pair.world.states()[light].velocity;
    const bool acted = throwApart(pair);
    ASSERT_TRUE(sameBits(pair.world.states()[heavy].velocity, heavyBefore));
    ASSERT_EQ(pair.world.states()[heavy].motionEpoch, 0u);
    if (!acted) continue;
    ++bounced;
    // Mirrored in the frame of the heavy ship
    const Vec3 n = glm::normalize(ca - cb);
    const Vec3 mirrored = lightBefore - 2.0 * glm::dot(lightBefore - heavyBefore, n) * n;
    ASSERT_LT(glm::distance(pair.world.states()[light].velocity, mirrored), 1e-13);
  }
  EXPECT_GT(bounced, 2000);
}

TEST(Bounce, LeavesTwoInfiniteMassesAlone) {
  Pair pair = pairOf(infinity, infinity, {1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {1, 0, 0});
  const std::uint64_t before = stateHash(pair.world.ships());
  EXPECT_FALSE(throwApart(pair));
  EXPECT_EQ(stateHash(pair.world.ships()), before);
}

TEST(Bounce, JudgesByTheDeepestSpheresNotByTheShips) {
  // The ships' centres converge along x, but the spheres in contact lie above each other
  Pair pair = pairOf(1.0, 1.0, {1, 0, 0}, {0, 0, 0}, {-1, 0, 0}, {1, 0, 0});
  pair.detected.refinement.deepest.a.centre = {0, 1, 0};
  pair.detected.refinement.deepest.b.centre = {0, -1, 0};
  EXPECT_FALSE(throwApart(pair));
  EXPECT_TRUE(pair.world.ships().setVelocity(0, {1, -1, 0}));
  EXPECT_TRUE(throwApart(pair));
  EXPECT_EQ(pair.world.states()[0].velocity, Vec3(1, 0, 0));
  EXPECT_EQ(pair.world.states()[1].velocity, Vec3(0, -1, 0));
}

TEST(Bounce, PartsShipsWhoseCentresCoincide) {
  // Coincident spheres: along the ships; coincident ships as well: against the approach
  Pair spheres = pairOf(1.0, 1.0, {1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {1, 0, 0});
  spheres.detected.refinement.deepest.a.centre = spheres.detected.refinement.deepest.b.centre =
      Vec3(0.0);
  EXPECT_TRUE(throwApart(spheres));
  EXPECT_EQ(spheres.world.states()[0].velocity, Vec3(-1, 0, 0));

  Pair ships = pairOf(1.0, 3.0, {1, 2, 0}, {-1, 0, 0}, {0, 0, 0}, {0, 0, 0});
  EXPECT_TRUE(throwApart(ships));
  const Vec3 parted = ships.world.states()[0].velocity - ships.world.states()[1].velocity;
  EXPECT_LT(glm::distance(parted, Vec3(-2, -2, 0)), 1e-14);

  Pair still = pairOf(1.0, 1.0, Vec3(0.0), Vec3(0.0), Vec3(0.0), Vec3(0.0));
  EXPECT_FALSE(throwApart(still));
}

TEST(Bounce, SeparatesAfterwards) {
  test::Random random(13);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 ca = random.inCube(1.0), cb = random.inCube(1.0);
    Pair pair =
        pairOf(1.0, random.between(0.1, 10.0), random.inCube(1.0), random.inCube(1.0), ca, cb);
    if (!throwApart(pair)) continue;
    const Real before = glm::distance(ca, cb);
    pair.world.integrate(1e-3);
    const auto states = pair.world.states();
    ASSERT_GT(glm::distance(states[0].pose.position, states[1].pose.position), before);
  }
}

/// The ships lie along x, their deepest spheres along y. As published these alone decide, also in a
/// contact of solids and in a touch that goes on; a bounce parts what goes on by the ships.
TEST(PublishedBounce, FollowsTheDeepestSpheresInEveryTouch) {
  std::vector<Polyhedron> solids;
  solids.emplace_back(nearmiss::test::cube(0.7));
  for (const Verdict verdict : {Verdict::Contact, Verdict::Possible})
    for (const bool goesOn : {false, true})
      for (const Response kind : {Response::PublishedBounce, Response::Bounce}) {
        if (kind == Response::Bounce && verdict == Verdict::Contact) continue;
        SCOPED_TRACE(verdict == Verdict::Contact ? "in contact" : "cut short");
        SCOPED_TRACE(goesOn ? "goes on" : "begins");
        Pair pair = pairOf(1.0, 1.0, {1, -1, 0}, {0, 0, 0}, {-1, 0, 0}, {1, 0, 0});
        pair.detected.refinement.verdict = verdict;
        pair.detected.refinement.deepest.a.centre = {0, 1, 0};
        pair.detected.refinement.deepest.b.centre = {0, -1, 0};
        Detection found;
        found.pairs = {pair.detected};
        Touches touches;
        touches.take(found);
        if (goesOn) touches.take(found);
        ASSERT_EQ(touches.touchedBefore(pair.detected.bodies), goesOn);
        std::vector<BodyPair> struck;
        Collisions collisions(nearmiss::test::borrowed(solids));
        FrameProfile profile;
        collisions.respond(pair.world.ships(), found, touches, kind, struck, nullptr, profile);
        EXPECT_EQ(profile.responses, 1u);
        const bool byShips = kind == Response::Bounce && goesOn;
        EXPECT_EQ(pair.world.states()[0].velocity, byShips ? Vec3(0, -1, 0) : Vec3(1, 0, 0));
        EXPECT_EQ(pair.world.states()[1].velocity, byShips ? Vec3(1, 0, 0) : Vec3(0, -1, 0));
        // As published no pilot notices
        EXPECT_EQ(struck.size(), kind == Response::Bounce ? 1u : 0u);
      }
}

TEST(Teleport, ReturnsBothToWhereTheyWereCreated) {
  Pair pair = pairOf(infinity, 1.0, {1, 0, 0}, {-1, 0, 0}, {-3, 0, 0}, {3, 0, 0});
  for (int i = 0; i < 20; ++i) pair.world.integrate(0.1);
  ASSERT_NE(pair.world.states()[0].pose.position, Vec3(-3, 0, 0));
  const std::uint32_t epoch = pair.world.states()[0].motionEpoch;
  teleport(pair.world.ships(), pair.detected.bodies);
  for (const std::size_t place : {0u, 1u}) {
    const BodyState& body = pair.world.states()[place];
    EXPECT_EQ(body.pose.position, pair.world.ships().definition(place).pose.position);
    EXPECT_EQ(body.pose.rotation, pair.world.ships().definition(place).pose.rotation);
    EXPECT_EQ(body.velocity, Vec3(0.0));
    EXPECT_GT(body.motionEpoch, epoch);
  }
}

/// The response to a contact of solids depends on their manifold, not on the spheres that a method
/// found. Short of a contact the spheres decide.
TEST(Bounce, OfAContactFollowsTheSolidsWhateverSpheresWereFound) {
  std::vector<Polyhedron> solids;
  solids.emplace_back(nearmiss::test::cube(0.7));
  solids.emplace_back(nearmiss::test::torus(14, 8));
  const Shapes lent = nearmiss::test::borrowed(solids);
  nearmiss::test::Random random(14);
  Collisions collisions(lent);
  SolidContactQuery query;
  int found = 0, aside = 0;
  for (int i = 0; i < 400; ++i) {
    const auto bodies = nearmiss::test::randomNearMissPair(random, solids, 0.1);
    const auto contact = query.find(bodies, {0, 1}, lent);
    if (!contact) continue;
    ++found;
    ASSERT_NEAR(glm::length(contact->mean.normal), 1.0, 1e-12);
    const Vec3 approach = -contact->mean.normal;
    std::optional<Vec3> first;
    for (const Verdict verdict : {Verdict::Contact, Verdict::Possible})
      for (int k = 0; k < 3; ++k) {
        Pair pair =
            pairOf(1.0, 1.0, approach, Vec3(0.0), bodies[0].pose.position, bodies[1].pose.position);
        ShipDef a, b;
        World world;
        a.pose = bodies[0].pose;
        a.shape = bodies[0].shape;
        a.velocity = approach;
        b.pose = bodies[1].pose;
        b.shape = bodies[1].shape;
        ASSERT_TRUE(world.ships().create(a));
        ASSERT_TRUE(world.ships().create(b));
        pair.detected.refinement.verdict = verdict;
        pair.detected.refinement.deepest = {
            {random.inCube(1.0), 1.0}, {random.inCube(1.0), 1.0}, 0.0};
        Detection detection;
        detection.pairs = {pair.detected};
        std::vector<BodyPair> struck;
        FrameProfile profile;
        collisions.respond(world.ships(), detection, {}, Response::Bounce, struck, nullptr,
                           profile);
        const Vec3 after = world.states()[0].velocity;
        if (verdict == Verdict::Contact) {
          if (!first) first = after;
          ASSERT_TRUE(sameBits(*first, after));
          ASSERT_LT(glm::length(after), 1e-12) << "all of the speed goes to the other";
          continue;
        }
        const ContactSpheres& spheres = pair.detected.refinement.deepest;
        const Vec3 line = glm::normalize(spheres.a.centre - spheres.b.centre);
        const Vec3 expected = approach - std::min(0.0, glm::dot(approach, line)) * line;
        ASSERT_LT(glm::distance(after, expected), 1e-12);
        aside += glm::distance(after, *first) > 0.1;
      }
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(aside, found);
}

bool tumbleAt(Ships& ships, const ImpulsePoint& contact) {
  return tumble(ships, {0, 1}, std::span(&contact, 1));
}

TEST(Tumble, KeepsMomentaAndEnergyAndReversesTheApproachAtTheContact) {
  test::Random random(13);
  int acted = 0, turned = 0;
  const int trials = test::cases(100'000);
  for (int i = 0; i < trials; ++i) {
    World world;
    for (int k = 0; k < 2; ++k) {
      ShipDef def;
      def.mass = std::pow(10.0, random.between(-2.0, 2.0));
      def.velocity = random.inCube(2.0);
      def.pose = {random.inCube(2.0), random.rotation()};
      if (random.chance(0.9)) def.inverseInertia = randomInertia(random);
      ASSERT_TRUE(world.ships().create(def));
      if (random.chance(0.5)) {
        ASSERT_TRUE(
            world.ships().setAngularMomentum(static_cast<std::size_t>(k), random.inCube(1.0)));
      }
    }
    const ImpulsePoint contact{random.direction(), random.inCube(2.0)};
    const Real parting = partingSpeed(world.ships(), contact);
    const Kept before = keptBy(world.ships());
    const Vec3 spinBefore = world.ships().angularVelocity(0);
    ASSERT_EQ(tumbleAt(world.ships(), contact), parting < 0.0);
    const Kept after = keptBy(world.ships());
    if (!(parting < 0.0)) {
      ASSERT_EQ(after.energy, before.energy);
      continue;
    }
    ++acted;
    turned += glm::distance(world.ships().angularVelocity(0), spinBefore) > 0.01;
    ASSERT_LT(glm::distance(after.momentum, before.momentum), 1e-12 * before.size);
    ASSERT_LT(glm::distance(after.angular, before.angular), 1e-12 * before.size);
    ASSERT_NEAR(after.energy, before.energy, 1e-12 * before.energy);
    ASSERT_NEAR(partingSpeed(world.ships(), contact), -parting, 1e-11 * (1.0 - parting));
    ASSERT_FALSE(tumbleAt(world.ships(), contact)) << "they part by now";
  }
  EXPECT_GT(acted, trials * 2 / 5);
  EXPECT_LT(acted, trials * 3 / 5);
  EXPECT_GT(turned, acted / 3);
}

TEST(Tumble, IsABounceWhereNothingTurns) {
  test::Random random(14);
  int acted = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 va = random.inCube(2.0), vb = random.inCube(2.0);
    const Vec3 ca = random.inCube(1.0), cb = random.inCube(1.0);
    Pair one = pairOf(0.7, i % 3 == 0 ? infinity : 2.0, va, vb, ca, cb);
    Pair other = pairOf(0.7, i % 3 == 0 ? infinity : 2.0, va, vb, ca, cb);
    const Vec3 n = glm::normalize(ca - cb);
    const bool thrown = bounce(one.world.ships(), {0, 1}, n);
    ASSERT_EQ(tumbleAt(other.world.ships(), {n, random.inCube(1.0)}), thrown);
    acted += thrown;
    for (std::size_t k = 0; k < 2; ++k)
      ASSERT_LT(glm::distance(one.world.states()[k].velocity, other.world.states()[k].velocity),
                1e-13);
    if (i % 3 == 0) {
      ASSERT_TRUE(sameBits(other.world.states()[1].velocity, vb));
      ASSERT_EQ(other.world.ships().angularMomentum(1), Vec3(0.0));
    }
  }
  EXPECT_GT(acted, 600);
}

TEST(Tumble, LeavesTwoInfiniteMassesAlone) {
  Pair pair = pairOf(infinity, infinity, {1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}, {1, 0, 0});
  const std::uint64_t before = stateHash(pair.world.ships());
  EXPECT_FALSE(tumbleAt(pair.world.ships(), {{-1, 0, 0}, {0, 1, 0}}));
  EXPECT_EQ(stateHash(pair.world.ships()), before);
}

/// Hit on its tail, a bar turns that way.
TEST(Tumble, TurnsABarThatIsHitOnItsEnd) {
  World world;
  ShipDef bar;
  const Polyhedron shape(nearmiss::test::box({-1.0, -0.1, -0.1}, {1.0, 0.1, 0.1}));
  bar.inverseInertia = inverseInertiaOf(shape);
  ASSERT_TRUE(world.ships().create(bar));
  ShipDef ball;
  ball.pose.position = {0.9, -0.5, 0.0};
  ball.velocity = {0.0, 1.0, 0.0};
  ASSERT_TRUE(world.ships().create(ball));
  ASSERT_TRUE(tumbleAt(world.ships(), {{0.0, 1.0, 0.0}, {0.9, -0.1, 0.0}}));
  EXPECT_GT(world.states()[0].velocity.y, 0.0);
  EXPECT_GT(world.ships().angularVelocity(0).z, 0.5);
  EXPECT_LT(glm::length(
                Vec3(world.ships().angularVelocity(0).x, world.ships().angularVelocity(0).y, 0.0)),
            1e-12);
}

TEST(PointBetween, LiesBetweenTheSurfaces) {
  EXPECT_EQ(pointBetween({{Vec3(0.0), 1.0}, {Vec3(3.0, 0.0, 0.0), 1.0}, 0.0}), Vec3(1.5, 0, 0));
  EXPECT_EQ(pointBetween({{Vec3(0.0), 2.0}, {Vec3(3.0, 0.0, 0.0), 2.0}, 0.0}), Vec3(1.5, 0, 0));
  EXPECT_EQ(pointBetween({{Vec3(0.0), 2.0}, {Vec3(4.0, 0.0, 0.0), 1.0}, 0.0}), Vec3(2.5, 0, 0));
  EXPECT_EQ(pointBetween({{Vec3(1.0), 2.0}, {Vec3(1.0), 1.0}, 0.0}), Vec3(1.0));
}

}  // namespace
}  // namespace nearmiss::engine
