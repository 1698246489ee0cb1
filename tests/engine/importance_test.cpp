// SPDX-License-Identifier: MIT
/// Ships near the user's go first: what is promised to them, and what is said of the others.
#include <engine/flight/importance.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using test::scripted;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

World row(int ships) {
  World world;
  for (int i = 0; i < ships; ++i) {
    ShipDef def;
    def.pose.position = {3.0 * i, 0.0, 0.0};
    def.shape = ShapeRef::ofRadius(1.0);
    EXPECT_TRUE(world.ships().create(def));
  }
  return world;
}

TEST(Importance, FallsWithTheDistanceFromTheUser) {
  World world = row(8);
  const std::uint64_t jumps = world.ships().jumps().count();
  assignImportance(world.ships(), 2, {4.5});
  const auto states = world.states();
  // Two metres of each gap of three are inside the ships
  for (const std::size_t near : {0u, 1u, 2u, 3u, 4u})
    EXPECT_EQ(states[near].importance, fullImportance) << near;
  for (const std::size_t far : {5u, 6u, 7u}) {
    EXPECT_LT(states[far].importance, states[far - 1].importance) << far;
    EXPECT_GT(states[far].importance, 0u);
  }
  EXPECT_EQ(world.ships().jumps().count(), jumps) << "no motion is changed";

  assignImportance(world.ships(), 7, {infinity});
  for (const BodyState& body : states) EXPECT_EQ(body.importance, fullImportance);
  for (const Real useless : {std::numeric_limits<Real>::quiet_NaN(), -1.0}) {
    assignImportance(world.ships(), 0, {useless});
    EXPECT_EQ(states[0].importance, fullImportance);
    EXPECT_LT(states[7].importance, states[1].importance);
  }
}

TEST(Importance, IsLessOutOfView) {
  World world = row(9);
  // From beside the user's ship along the row, then against it
  const View ahead{{9.0, 3.0, 0.0}, {1.0, 0.0, 0.0}, 0.8};
  View behind = ahead;
  behind.direction = -ahead.direction;
  for (const View& view : {ahead, behind}) {
    assignImportance(world.ships(), 4, {0.0}, view);
    const auto states = world.states();
    EXPECT_EQ(states[4].importance, fullImportance);
    const bool seesRight = view.direction.x > 0.0;
    for (const std::size_t apart : {2u, 3u, 4u}) {
      const Real left = states[4 - apart].importance, right = states[4 + apart].importance;
      EXPECT_NEAR(seesRight ? left / right : right / left, View::outside, 1e-6) << apart;
    }
  }
}

/// Ships as thick as they can fly, the user's among them.
std::unique_ptr<Simulation> crowd(int ships, std::uint64_t seed, std::string_view broad,
                                  Clock& clock) {
  const test::Hangar& shapes = test::plainHangar();
  const Real radius = 1.4 * std::cbrt(Real(ships));
  World world(Arena{radius, 1.0, 2.0});
  DronePilots pilots(seed, PilotSettings{0.5, 3.0});
  SplitMix random(seed);
  ShipId user;
  for (int i = 0; i < ships; ++i) {
    ShipDef def;
    def.shape = ShapeRef::ofRadius(shapes.polyhedra[static_cast<std::size_t>(i % 2)].radius(),
                                   static_cast<std::uint32_t>(i % 2));
    for (int axis = 0; axis < 3; ++axis)
      def.pose.position[axis] = 0.6 * random.between(-radius, radius);
    def.pose.rotation = test::randomRotation(random);
    const ShipId ship = *world.ships().create(def);
    if (i == 0)
      user = ship;
    else
      pilots.add(ship);
  }
  return std::make_unique<Simulation>(std::move(world), user, std::move(pilots),
                                      shapes.detector("sphere-tree", broad), clock,
                                      shapes.tables());
}

struct Crowd {
  int ships = 10;
  std::string_view broad;
  int nanoseconds = 0;  ///< of budget, a frame
};

class ShortOfTime : public testing::TestWithParam<Crowd> {
 protected:
  /// Checks every answer; returns the hash of the end.
  std::uint64_t fly(std::uint64_t seed) {
    WorkClock clock;
    const auto simulation = crowd(GetParam().ships, seed, GetParam().broad, clock);
    const auto reference = makeAllPairsBroadPhase();
    std::vector<BodyPair> truth;
    for (int frame = 0; frame < 200; ++frame) {
      FrameInput input = scripted(frame);
      input.dt = input.detectStep = 0.05;
      input.detectionBudget = std::chrono::nanoseconds(GetParam().nanoseconds);
      const FrameOutput& out = simulation->advance(input);
      EXPECT_LE(out.profile.maxPassedOver, maxPairWait);
      EXPECT_LE(out.profile.maxLate, maxPairWait);
      late_ += out.profile.collisionsLate;
      collisions_ += out.collisions.size();
      postponed_ += out.profile.pairsPostponed;
      bodies_ += out.profile.bodiesPostponed;
      const Detection& found = *out.detection;
      if (found.time != simulation->world().time()) continue;

      // Postponed pairs are named, and were not important
      const auto skipped = [&](std::uint32_t place) {
        return std::any_of(found.postponedBodies.begin(), found.postponedBodies.end(),
                           [&](const PostponedBody& body) { return body.body == place; });
      };
      reference->findPairs(out.bodies, found.time, truth);
      std::vector<BodyPair> named;
      for (const DetectedPair& pair : found.pairs) named.push_back(pair.bodies);
      for (const PostponedPair& pair : found.postponed) named.push_back(pair.pair);
      std::sort(named.begin(), named.end());
      for (const BodyPair& pair : truth) {
        if (std::binary_search(named.begin(), named.end(), pair)) continue;
        EXPECT_TRUE(skipped(pair.a) || skipped(pair.b)) << pair.a << ' ' << pair.b;
      }
      EXPECT_TRUE(std::includes(truth.begin(), truth.end(), named.begin(), named.end()));
      for (const DetectedPair& pair : found.pairs) EXPECT_GE(pair.refinement.level, 1);
      compared_ += truth.size();
    }
    return stateHash(simulation->world().ships());
  }

  std::uint64_t late_ = 0, collisions_ = 0, postponed_ = 0, bodies_ = 0, compared_ = 0;
};

TEST_P(ShortOfTime, WhoWaitsIsNamedAndNobodyDoesForLong) {
  const std::uint64_t hash = fly(1);
  EXPECT_EQ(fly(1), hash) << "the work clock makes equal runs";
  EXPECT_NE(fly(2), hash);
  EXPECT_GT(postponed_, 100u);
  EXPECT_GT(late_, 5u);
  EXPECT_GT(collisions_, late_);
  EXPECT_GT(compared_, 200u);
  if (GetParam().broad == "space-time-grid" && GetParam().ships >= 100) {
    EXPECT_GT(bodies_, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(Crowds, ShortOfTime,
                         testing::Values(Crowd{10, "sweep-and-prune", 400},
                                         Crowd{10, "space-time-grid", 600},
                                         Crowd{100, "sweep-and-prune", 4000},
                                         Crowd{100, "space-time-grid", 4000},
                                         Crowd{300, "space-time-grid", 9000}),
                         [](const auto& tested) {
                           std::string name(tested.param.broad.substr(0, 5));
                           return name + std::to_string(tested.param.ships);
                         });

}  // namespace
}  // namespace nearmiss::engine
