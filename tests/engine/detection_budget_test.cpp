// SPDX-License-Identifier: MIT
/// How deep detection goes with the time that a frame has for it.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using test::fly;
using test::hangar;
using test::scripted;
using test::subtractStolen;
using test::tightBudget;

TEST(Simulation, RefinesEveryPairOnceWithoutAnyBudget) {
  const test::Tally flight = fly({.seed = 6}, 200, nanoseconds(0));
  EXPECT_EQ(flight.byLevel[0], 0u) << "a response was invoked at level 0";
  EXPECT_GT(flight.byLevel[1], 20u);
  EXPECT_EQ(flight.byLevel[2] + flight.byLevel[3] + flight.byLevel[4] + flight.byLevel[5], 0u);
}

TEST(Simulation, DeepensWithTheBudget) {
  const test::Tally tight = fly({.seed = 7}, 100, tightBudget / 4);
  const test::Tally ample = fly({.seed = 7}, 100, nanoseconds::max());
  EXPECT_GT(tight.byLevel[1] + tight.byLevel[2], 0u);
  EXPECT_EQ(ample.exhaustedFrames, 0);
  EXPECT_GT(ample.collisions, 0u);
  EXPECT_EQ(ample.byLevel[1] + ample.byLevel[2], 0u) << "all were refined to their end";
}

TEST(Simulation, ObeysTheLevelCap) {
  WorkClock clock;
  const auto simulation = subtractStolen({.seed = 8}, hangar().detector("sphere-tree"), clock);
  std::size_t collisions = 0;
  for (int i = 0; i < 300; ++i) {
    FrameInput input = scripted(i);
    input.levelCap = 2;
    const FrameOutput& out = simulation->advance(input);
    for (const Collision& c : out.collisions) EXPECT_LE(c.refinement.level, 2);
    EXPECT_FALSE(out.profile.exhausted) << "a cap is no lack of time";
    collisions += out.collisions.size();
  }
  EXPECT_GT(collisions, 20u);
}

TEST(Simulation, SharesTheBudgetAmongTheDetectionsOfAFrame) {
  // Ships far apart: all-pairs is the only work, 45 sphere tests at 5 ns a detection
  WorkClock clock;
  World world;
  ShipId user;
  for (int i = 0; i < 10; ++i) {
    ShipDef def;
    def.pose.position = {5.0 * i, 0.0, 0.0};
    user = *world.ships().create(def);
  }
  Simulation simulation(std::move(world), user, DronePilots(1, PilotSettings{}),
                        hangar().detector("sphere-tree"), clock, hangar().tables());
  for (const auto& [dt, step, detections] : {std::tuple{0.1, 0.05, 2},
                                             {0.1, 0.1, 1},
                                             {0.1, 1.0, 1},
                                             {0.15, 0.05, 3},
                                             {0.1, 0.03, 4},
                                             {0.3, 0.1, 3},
                                             {0.0, 0.05, 1},
                                             {0.1, 0.0, 1},
                                             {0.1, std::numeric_limits<double>::quiet_NaN(), 1}}) {
    FrameInput input;
    input.dt = dt;
    input.detectStep = step;
    input.detectionBudget = nanoseconds(10);
    const Real before = simulation.world().time();
    const FrameProfile& profile = simulation.advance(input).profile;
    EXPECT_EQ(profile.sphereTests, static_cast<std::uint64_t>(45 * detections))
        << dt << ' ' << step;
    EXPECT_EQ(profile.spent, nanoseconds(45 * 5 * detections));
    EXPECT_EQ(profile.budget, nanoseconds(10));
    EXPECT_FALSE(profile.exhausted) << "no pair was left unrefined";
    EXPECT_NEAR(simulation.world().time() - before, dt, 1e-12);
  }
}

TEST(Simulation, LeavesTheLaterDetectionsTheirShare) {
  // Ships at rest in each other: both detections of a frame find the same
  WorkClock clock;
  World world;
  ShipId user;
  for (int i = 0; i < 6; ++i) {
    ShipDef def;
    def.pose.position = {0.7 * i, 0.0, 0.0};
    user = *world.ships().create(def);
  }
  Simulation simulation(std::move(world), user, DronePilots(1, PilotSettings{}),
                        hangar().detector("sphere-tree"), clock, hangar().tables());
  const nanoseconds all = simulation.advance({}).profile.spent;
  FrameInput input;
  input.detectionBudget = all * 2 / 5;
  const FrameOutput& out = simulation.advance(input);
  EXPECT_TRUE(out.profile.exhausted);
  EXPECT_LT(out.profile.spent, all * 3 / 5);
  EXPECT_GT(out.detection->steps, out.detection->pairs.size())
      << "the first detection left nothing but the first round to the last";
}

TEST(Simulation, StopsWhenTheBudgetIsSpent) {
  WorkClock clock;
  const auto simulation = subtractStolen({.seed = 9}, hangar().detector("sphere-tree"), clock);
  const nanoseconds budget = microseconds(20);
  int exhausted = 0, ample = 0;
  for (int i = 0; i < 200; ++i) {
    FrameInput input = scripted(i);
    input.detectionBudget = budget;
    const nanoseconds before = clock.now();
    const FrameProfile& profile = simulation->advance(input).profile;
    EXPECT_EQ(profile.spent, clock.now() - before) << "only detection is charged";
    if (profile.exhausted) {
      EXPECT_GE(profile.spent, budget / 2) << "half is the first detection's share";
      ++exhausted;
    } else {
      ++ample;
    }
  }
  EXPECT_GT(exhausted, 10);
  EXPECT_GT(ample, 10);
}

}  // namespace
}  // namespace nearmiss::engine
