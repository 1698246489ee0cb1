// SPDX-License-Identifier: MIT
#include <engine/flight/depth.h>
#include <engine/flight/pair_calls.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/flying.h"

namespace nearmiss::engine {
namespace {

using test::hangar;

TEST(PairCalls, TimeThePairsOfTheBroadPhaseWithBothMethods) {
  WorkClock clock;
  const auto simulation =
      test::subtractStolen({.seed = 1}, hangar().detector("sphere-tree"), clock);
  PairCalls calls(findNarrowPhase("sphere-tree")->make(hangar().tables()),
                  findNarrowPhase("brute-force")->make(hangar().tables()));
  simulation->setPairCalls(&calls);
  std::size_t pairs = 0;
  for (int i = 0; i < 120; ++i) {
    FrameInput input = test::scripted(i);
    // In the end the driver has no time; the calls are refined all the same
    if (i >= 100) input.detectionBudget = std::chrono::nanoseconds(0);
    const FrameOutput& out = simulation->advance(input);
    // The last detection's pairs are the last calls
    const auto& last = out.detection->pairs;
    pairs += out.profile.pairsBroad;
    ASSERT_EQ(calls.calls().size(), pairs);
    for (std::size_t p = 0; p < last.size(); ++p) {
      const PairCall& call = calls.calls()[pairs - last.size() + p];
      ASSERT_EQ(call.a, last[p].bodies.a);
      ASSERT_EQ(call.b, last[p].bodies.b);
      ASSERT_EQ(call.frame, static_cast<std::uint64_t>(i));
      ASSERT_EQ(call.sub, 1u);
    }
  }

  std::size_t hits = 0, early = 0, worked = 0;
  const int levels = hangar().trees[0].levelCount() - 1;
  for (const PairCall& call : calls.calls()) {
    ASSERT_EQ(call.hitLevel5, call.hitReference) << "both are exact";
    hits += call.hitLevel5;
    ASSERT_GT(call.reference.count(), 0);
    ASSERT_GE(call.deepest, 1);
    early += call.deepest < 4;
    for (int l = 1; l <= 5; ++l) {
      const auto time = call.level[static_cast<std::size_t>(l - 1)];
      if (l > call.deepest) {
        ASSERT_EQ(time.count(), 0);
        ASSERT_EQ(call.boundTests[static_cast<std::size_t>(l - 1)], 0u);
        continue;
      }
      ASSERT_GT(time.count(), 0);
      worked += call.boundTests[static_cast<std::size_t>(l - 1)] > 0;
      if (l > 1) {
        ASSERT_GE(call.boundTests[static_cast<std::size_t>(l - 1)],
                  call.boundTests[static_cast<std::size_t>(l - 2)]);
        ASSERT_GE(time, call.level[static_cast<std::size_t>(l - 2)]) << "cumulative";
      }
    }
    for (int l = 1; l <= 4; ++l) {
      const Real bound = call.bound[static_cast<std::size_t>(l - 1)];
      if (l > call.deepest) {
        ASSERT_TRUE(std::isnan(bound));
      } else if (l < std::min(call.deepest, levels + 1)) {
        ASSERT_TRUE(std::isfinite(bound)) << "it went on, so spheres collided";
      }
    }
  }
  EXPECT_GT(worked, 100u);
  EXPECT_GT(hits, 10u);
  EXPECT_GT(early, 10u) << "some were told apart before the triangles";

  simulation->setPairCalls(nullptr);
  simulation->advance(test::scripted(0));
  EXPECT_EQ(calls.calls().size(), pairs);
  calls.clear();
  EXPECT_TRUE(calls.calls().empty());
}

/// Against a method that is run on the same pair by hand.
TEST(PairCalls, CountTheTestsOfEveryLevel) {
  const auto method = [] { return findNarrowPhase("sphere-tree")->make(hangar().tables()); };
  PairCalls calls(method(), findNarrowPhase("brute-force")->make(hangar().tables()));
  std::vector<BodyState> bodies(2);
  bodies[0].shape = bodies[1].shape = ShapeRef::ofRadius(hangar().polyhedra[0].radius());
  bodies[1].shape = ShapeRef::ofRadius(hangar().polyhedra[1].radius(), 1);
  SplitMix random(6);
  int compared = 0, deep = 0;
  for (int i = 0; i < 200; ++i) {
    bodies[1].pose.position = {random.between(-1.2, 1.2), random.between(-1.2, 1.2), 0.3};
    bodies[1].pose.rotation = test::randomRotation(random);
    const DetectedPair pair{{0, 1}, {}, {}};
    calls.clear();
    calls.record(0, 0, bodies, std::span(&pair, 1));
    const PairCall& call = calls.calls()[0];

    const auto again = method();
    again->begin(bodies, std::span(&pair.bodies, 1));
    while (again->result(0).canRefine) {
      again->refine(0, TimeBudget::unlimited());
      const auto level = static_cast<std::size_t>(depthOf(again->result(0)));
      if (level <= call.boundTests.size()) {
        ASSERT_EQ(call.boundTests[level - 1], again->work().boundTests);
      }
      ++compared;
    }
    ASSERT_EQ(call.triangleTests, again->work().triangleTests);
    deep += call.triangleTests > 0;
  }
  EXPECT_GT(compared, 300);
  EXPECT_GT(deep, 20);
}

}  // namespace
}  // namespace nearmiss::engine
