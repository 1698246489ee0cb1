// SPDX-License-Identifier: MIT
/// The work of the grid of bounds: where a crowd doubles in the same density, so does its work,
/// whatever the bodies' sizes and speeds; and its pairs are those of all pairs.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr Real step = 1.0 / 60.0;

class CrowdWork {
 public:
  /// Balls of radius 1 at rest, `spacing` metres apart in the mean.
  CrowdWork(std::uint32_t count, Real spacing) : bodies(count) {
    const Real room = 0.5 * spacing * std::cbrt(static_cast<Real>(count));
    for (std::uint32_t i = 0; i < count; ++i) {
      bodies[i].key = i + 1;
      bodies[i].pose.position = random.inCube(room);
      bodies[i].shape = ShapeRef::ofRadius(1.0);
    }
    grid->setResolution(step);
  }

  /// One step on, and the tests of its call.
  std::uint64_t advance() {
    for (BodyState& body : bodies) body.pose.position += step * body.velocity;
    time += step;
    grid->findPairs(bodies, time, found);
    return grid->work().boundTests;
  }

  std::uint64_t advance(int calls) {
    std::uint64_t tests = 0;
    for (int call = 0; call < calls; ++call) tests += advance();
    return tests / static_cast<std::uint64_t>(calls);
  }

  void expectAllPairs() {
    std::vector<BodyPair> truth;
    makeAllPairsBroadPhase()->findPairs(bodies, time, truth);
    EXPECT_EQ(found, truth);
    EXPECT_FALSE(truth.empty());
  }

  Random random{1};
  std::vector<BodyState> bodies;
  Real time = 0.0;
  std::vector<BodyPair> found;
  std::unique_ptr<BroadPhase> grid = makeSpaceTimeGridBroadPhase();
};

/// `most`: tests of a call, by body.
void expectLinear(const std::function<std::uint64_t(std::uint32_t)>& testsOf, std::uint64_t most) {
  constexpr std::uint32_t count = 1000;
  const std::uint64_t few = testsOf(count), many = testsOf(2 * count);
  EXPECT_LT(3 * many, 10 * few) << "four times as many where work grows with the square";
  EXPECT_LT(few, most * count);
}

TEST(GridWork, DoublesWithACrowdOfMixedSizes) {
  expectLinear(
      [](std::uint32_t count) {
        CrowdWork crowd(count, 6.0);
        for (BodyState& body : crowd.bodies)
          body.shape = ShapeRef::ofRadius(crowd.random.between(0.5, 1.5));
        std::uint64_t tests = 0;
        for (int call = 0; call < 3; ++call) {
          for (BodyState& body : crowd.bodies) ++body.motionEpoch;
          tests = crowd.advance();
        }
        crowd.expectAllPairs();
        return tests;
      },
      20);
}

/// Within a budget those that wait are compared with those that do not.
TEST(GridWork, DoublesWithACrowdOfMixedSizesThatWaits) {
  expectLinear(
      [](std::uint32_t count) {
        CrowdWork crowd(count, 6.0);
        for (BodyState& body : crowd.bodies) {
          body.shape = ShapeRef::ofRadius(0.5 / std::cbrt(crowd.random.between(1e-3, 1.0)));
          body.importance = 1;
        }
        StoppableBroadPhase* const grid = crowd.grid->stoppable();
        std::uint64_t tests = 0;
        for (int call = 0; call < 30; ++call) {
          for (BodyState& body : crowd.bodies) body.motionEpoch += crowd.random.chance(0.3);
          WorkClock clock;
          const TimeBudget budget(clock, std::chrono::nanoseconds(0));
          grid->findPairsWithin(crowd.bodies, step * call, budget, crowd.found);
          tests = grid->work().boundTests;
        }
        std::vector<BodyPair> truth;
        makeAllPairsBroadPhase()->findPairs(crowd.bodies, 0.0, truth);
        std::set<std::uint32_t> waiting;
        for (const PostponedBody& body : grid->postponedBodies()) waiting.insert(body.body);
        EXPECT_GT(waiting.size(), count / 2);
        for (const BodyPair& pair : truth)
          EXPECT_TRUE(waiting.contains(pair.a) || waiting.contains(pair.b) ||
                      std::binary_search(crowd.found.begin(), crowd.found.end(), pair));
        return tests;
      },
      10);
}

/// All that must not wait are small, and all that wait are large.
TEST(GridWork, DoublesWithLargeBodiesThatWaitForSmallOnes) {
  expectLinear(
      [](std::uint32_t count) {
        CrowdWork crowd(count, 12.0);
        for (std::uint32_t i = 0; i < count; ++i) {
          if (i % 3 == 0) continue;
          crowd.bodies[i].shape = ShapeRef::ofRadius(3.0);
          crowd.bodies[i].importance = 1;
        }
        WorkClock clock;
        const TimeBudget budget(clock, std::chrono::nanoseconds(0));
        crowd.grid->stoppable()->findPairsWithin(crowd.bodies, 0.0, budget, crowd.found);
        return crowd.grid->work().boundTests;
      },
      60);
}

/// They were at rest when the grid was made, and wake by and by: debris, say.
TEST(GridWork, DoublesWithACrowdThatWakes) {
  for (const Real speed : {10.0, 100.0})
    expectLinear(
        [speed](std::uint32_t count) {
          CrowdWork crowd(count, 4.0);
          for (std::uint32_t i = 0; i < count; ++i) {
            crowd.bodies[i].velocity = speed * crowd.random.direction();
            ++crowd.bodies[i].motionEpoch;
            if (i % (count / 50) == 0) crowd.advance();
          }
          const std::uint64_t tests = crowd.advance(20);
          if (speed < 50.0) crowd.expectAllPairs();
          return tests;
        },
        20);
}

/// All in one direction, so that their boxes overlap without end though nobody nears another.
TEST(GridWork, DoublesWithACrowdUnderWay) {
  for (const Real speed : {50.0, 7000.0})
    expectLinear(
        [speed](std::uint32_t count) {
          CrowdWork crowd(count, 4.0);
          for (BodyState& body : crowd.bodies) body.velocity.y = speed;
          const std::uint64_t tests = crowd.advance(20);
          crowd.expectAllPairs();
          return tests;
        },
        140);
}

/// Cells that were fitted to a fast crowd would be crowded when it stands.
TEST(GridWork, FollowsACrowdThatStops) {
  CrowdWork slowed(2000, 4.0), stood(2000, 4.0);
  for (BodyState& body : slowed.bodies) body.velocity = slowed.random.inCube(30.0);
  slowed.advance();
  for (std::size_t i = 0; i < slowed.bodies.size(); ++i) {
    slowed.bodies[i].velocity = Vec3(0.0);
    ++slowed.bodies[i].motionEpoch;
    if (i % 200 == 0) slowed.advance();
  }
  slowed.advance(60);
  stood.advance(61);
  EXPECT_LT(slowed.advance(20), 2 * stood.advance(20));
  slowed.expectAllPairs();
}

}  // namespace
}  // namespace nearmiss
