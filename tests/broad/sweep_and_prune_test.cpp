// SPDX-License-Identifier: MIT
/// Sweep and prune: that the kept order pays, and that pairs that part are let go.
#include <gtest/gtest.h>
#include <nearmiss/broad_phases.h>

#include <cstdint>
#include <vector>

#include "support/random.h"

namespace nearmiss {
namespace {

std::vector<BodyState> bodiesIn(int count, Real halfRange) {
  test::Random random(1);
  std::vector<BodyState> bodies;
  for (int i = 0; i < count; ++i) {
    BodyState body;
    body.key = static_cast<std::uint32_t>(i);
    body.pose.position = random.inCube(halfRange);
    body.velocity = random.direction();
    body.boundingRadius = 1.0;
    bodies.push_back(body);
  }
  return bodies;
}

TEST(SweepAndPrune, TestsFewPairsWhenBodiesMoveLittle) {
  auto bodies = bodiesIn(300, 20.0);
  const auto sweep = makeSweepAndPruneBroadPhase();
  const auto judge = makeAllPairsBroadPhase();
  std::vector<BodyPair> pairs;
  sweep->findPairs(bodies, 0.0, pairs);
  for (int frame = 0; frame < 50; ++frame) {
    for (BodyState& body : bodies) body.pose.position += 0.02 * body.velocity;
    sweep->findPairs(bodies, 0.0, pairs);
    judge->findPairs(bodies, 0.0, pairs);
    EXPECT_LT(sweep->work().boundTests, judge->work().boundTests / 20);
  }
  EXPECT_GT(pairs.size(), 10u);
}

TEST(SweepAndPrune, ForgetsPairsThatHaveParted) {
  auto bodies = bodiesIn(50, 0.5);
  const auto sweep = makeSweepAndPruneBroadPhase();
  std::vector<BodyPair> pairs;
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(pairs.size(), 1225u);
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(sweep->work().boundTests, 1225u) << "each known pair once, by its spheres";

  // Apart on a diagonal, and at rest: nothing is left to do
  for (std::size_t i = 0; i < bodies.size(); ++i)
    bodies[i].pose.position = Vec3(3.0 * static_cast<Real>(i));
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_TRUE(pairs.empty());
  sweep->findPairs(bodies, 0.0, pairs);
  EXPECT_EQ(sweep->work().boundTests, 0u);
}

}  // namespace
}  // namespace nearmiss
