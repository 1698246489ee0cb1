// SPDX-License-Identifier: MIT
/// Counts what the heap is asked for during frames, by every broad phase.
#include <engine/game/tow_beam.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "engine/flying.h"
#include "support/allocations.h"

namespace nearmiss::engine {
namespace {

/// Ships at rest that stand in each other: the same pairs, fully refined, in every frame.
TEST(Frame, AllocatesNothingInASteadyScene) {
  for (const BroadPhaseEntry& each : broadPhaseCatalog())
    for (const std::string_view narrow : {"sphere-tree", "brute-force"}) {
      const std::string_view broad = each.name;
      World world;
      ShipId user;
      for (int i = 0; i < 6; ++i) {
        ShipDef def;
        if (i == 3) def.articulation = test::chainOf(test::hangar());
        def.pose.position = {0.9 * i, 0.0, 0.0};
        user = *world.ships().create(def);
      }
      SteadyClock clock;
      Simulation simulation(std::move(world), user, DronePilots(1, PilotSettings{}),
                            test::hangar().detector(narrow, broad), clock, test::hangar().tables());
      FrameInput input;
      input.response = Response::Teleport;  // acts on every pair, and keeps the scene as it is
      for (int i = 0; i < 60; ++i) simulation.advance(input);
      std::size_t responses = 0;
      const auto fly = [&] {
        for (int i = 0; i < 20; ++i) responses += simulation.advance(input).profile.responses;
      };
      EXPECT_EQ(nearmiss::test::allocationsIn(fly), 0u) << broad << ", " << narrow;
      EXPECT_GT(responses, 100u);
    }
}

/// Ships that fly and meet: after a warm-up no method allocates.
TEST(Frame, AllocatesNothingInAThousandFramesOfALongFlight) {
  for (const BroadPhaseEntry& each : broadPhaseCatalog()) {
    WorkClock clock;
    const auto simulation =
        test::subtractStolen({}, test::hangar().detector("sphere-tree", each.name), clock);
    std::size_t collisions = 0;
    int frame = 0;
    const auto fly = [&] {
      for (const int end = frame + 1000; frame < end; ++frame)
        collisions += simulation->advance(test::scripted(frame)).collisions.size();
    };
    for (int warmUp = 0; warmUp < 4; ++warmUp) fly();
    // Lists grow at the fullest frame so far, which comes more and more seldom: a thousand frames
    // without one follow soon. What every contact took from the heap would show in all of them.
    std::size_t fewest = nearmiss::test::allocationsIn(fly);
    for (int more = 0; more < 8 && fewest > 0; ++more)
      fewest = std::min(fewest, nearmiss::test::allocationsIn(fly));
    EXPECT_EQ(fewest, 0u) << each.name;
    EXPECT_GT(collisions, 100u);
  }
}

/// Ships that turn so fast that each moves alone, in hundreds of steps.
World hardFlight() {
  World world;
  for (int i = 0; i < 10; ++i) {
    ShipDef def;
    def.pose.position = {5.0 * i, 0.0, 0.0};
    def.limits.turnMax = 1000.0;
    EXPECT_TRUE(world.ships().create(def));
    world.ships().setControl(static_cast<std::size_t>(i), {1.0, 1.0, 1.0, 1.0});
  }
  return world;
}

TEST(World, CopiesOnlyItsShipsBetweenPredictions) {
  World world = hardFlight();
  const auto copied = [&] { return nearmiss::test::allocationsIn([&] { (void)world.copy(); }); };
  const std::size_t ships = copied();
  world.predict(1.0 / 60.0);
  world.moveTo(0.5 / 60.0);
  EXPECT_GT(copied(), ships) << "what was predicted is flown on by";
  World midway = world.copy();
  world.moveTo(world.predictedUntil());
  EXPECT_EQ(copied(), ships);
  World end = world.copy();
  midway.moveTo(midway.predictedUntil());
  for (World* each : {&world, &midway, &end}) each->integrate(1.0 / 60.0);
  EXPECT_EQ(stateHash(end.ships()), stateHash(world.ships()));
  EXPECT_EQ(stateHash(midway.ships()), stateHash(world.ships()));
  EXPECT_EQ(end.stepsTaken(), world.stepsTaken());
}

TEST(TowBeam, AllocatesNothing) {
  World world;
  for (int i = 0; i < 2; ++i) {
    ShipDef def;
    def.pose.position = {0.0, 0.0, -4.0 * i};
    EXPECT_TRUE(world.ships().create(def));
  }
  std::size_t acts = 0;
  const auto tow = [&] {
    TowBeam beam;
    (void)beam.attach(world.ships(), 0);
    for (int i = 0; i < 50; ++i) acts += beam.pull(world.ships(), 0.01).size();
    acts += beam.throwAhead(world.ships()).size();
  };
  EXPECT_EQ(nearmiss::test::allocationsIn(tow), 0u);
  EXPECT_EQ(acts, 102u);
}

}  // namespace
}  // namespace nearmiss::engine
