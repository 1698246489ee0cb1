// SPDX-License-Identifier: MIT
/// Upkeep of space-time bounds: which are rebuilt, how tight they get, what planes save.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <string>
#include <vector>

#include "support/random.h"
#include "support/test_name.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr Real resolution = 0.05;

class SpaceTime : public testing::TestWithParam<std::string_view> {
 protected:
  std::unique_ptr<BroadPhase> make() const {
    auto made = findBroadPhase(GetParam())->make();
    made->setResolution(resolution);
    return made;
  }
};

std::vector<BodyState> twoBodies(const Vec3& first, const Vec3& second, Real acceleration) {
  std::vector<BodyState> bodies(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    bodies[i].key = i + 1;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].accelerationBound = acceleration;
    bodies[i].boundHoldsUntil = 10.0;
  }
  bodies[0].pose.position = first;
  bodies[1].pose.position = second;
  return bodies;
}

TEST_P(SpaceTime, RebuildsOnlyTheBoundsThatAreVoid) {
  Random random(3);
  std::vector<BodyState> bodies(80);
  for (std::uint32_t i = 0; i < 80; ++i) {
    bodies[i].key = i + 1;
    bodies[i].pose.position = random.inCube(10.0);
    bodies[i].velocity = random.inCube(6.0);
    bodies[i].shape = ShapeRef::ofRadius(random.between(0.1, 0.5));
  }
  const auto kept = make();
  std::vector<BodyPair> found, truth;
  std::uint64_t keptWork = 0, freshWork = 0;
  std::size_t touching = 0;
  for (int call = 0; call < 200; ++call) {
    // One body turns back at every call
    BodyState& struck = bodies[static_cast<std::size_t>(call * 7 % 80)];
    struck.velocity = -struck.velocity;
    ++struck.motionEpoch;
    kept->findPairs(bodies, 0.02 * call, found);
    keptWork += kept->work().boundTests;
    const auto fresh = make();
    fresh->findPairs(bodies, 0.02 * call, truth);
    freshWork += fresh->work().boundTests;
    ASSERT_EQ(found, truth) << "call " << call;
    touching += found.size();
    for (BodyState& body : bodies) body.pose.position += 0.02 * body.velocity;
  }
  EXPECT_LT(keptWork * 2, freshWork) << "tests where bounds are kept, and where all are built";
  EXPECT_GT(touching, 20u);
}

/// Head on, the bounds' cubes touch where the spheres would: the contact-free time must last until
/// the horns may touch, though the bounds were built to last longer and are fatter in between.
TEST_P(SpaceTime, IsSilentUntilTheHornsTouch) {
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Real distance = random.between(2.5, 8.0), speed = random.between(0.0, 2.0);
    auto bodies = twoBodies(Vec3(0.0), Vec3(distance, 0.0, 0.0), random.between(0.05, 3.0));
    bodies[1].velocity.x = -speed;
    // 2 + s t + M t^2 = distance, with M / 2 for each
    const Real m = bodies[0].accelerationBound, gap = distance - 2.0;
    const Real touch = 2.0 * gap / (speed + std::sqrt(speed * speed + 4.0 * m * gap));
    if (touch > 0.9) continue;
    std::vector<BodyPair> found;
    const Real noContactBefore = make()->findPairs(bodies, 0.0, found);
    EXPECT_TRUE(found.empty());
    EXPECT_LE(noContactBefore, touch);
    EXPECT_GE(noContactBefore, std::min(touch - resolution, 0.9 * touch))
        << "gap " << gap << ", speed " << speed << ", acceleration " << m;
  }
}

/// The cubes overlap from the start, the clipped bounds never meet.
TEST_P(SpaceTime, HandsOverlappingCubesWithPlanesToTheProgram) {
  auto bodies = twoBodies(Vec3(0.0), Vec3(1.9, 1.9, 0.0), 1.0);
  const Vec3 away = glm::normalize(Vec3(1.0, 1.0, 0.0));
  std::vector<BodyPair> found;
  const Real without = make()->findPairs(bodies, 0.0, found);
  EXPECT_TRUE(found.empty());
  EXPECT_LT(without, 0.83) << "the horns touch after the root of the gap, 0.829 s";

  const CuttingPlane first{-away, 0.0}, second{away, 0.0};
  bodies[0].planes = {&first, 1};
  bodies[1].planes = {&second, 1};
  const auto tried = make();
  const Real with = tried->findPairs(bodies, 0.0, found);
  EXPECT_TRUE(found.empty());
  EXPECT_GE(with, 0.9) << "nothing can happen before the bounds expire";

  // The pair that is told apart so is not forgotten: a new bound may meet
  ++bodies[0].motionEpoch;
  bodies[0].velocity = 3.0 * away;
  bodies[0].planes = {};
  const Real struck = tried->findPairs(bodies, 0.2, found);
  EXPECT_LT(struck, 0.5);
  bodies[0].pose.position += 0.3 * bodies[0].velocity;
  tried->findPairs(bodies, 0.5, found);
  EXPECT_EQ(found.size(), 1u);
}

TEST_P(SpaceTime, NoticesAChangeOfAssembly) {
  auto bodies = twoBodies(Vec3(0.0), Vec3(1.5, 0.0, 0.0), 0.0);
  bodies[0].assembly = bodies[1].assembly = 7;
  const auto tried = make();
  std::vector<BodyPair> found;
  tried->findPairs(bodies, 0.0, found);
  EXPECT_TRUE(found.empty());
  bodies[1].assembly = 0;
  tried->findPairs(bodies, 0.1, found);
  EXPECT_EQ(found.size(), 1u);
}

/// All bounds are renewed for half a second at every call: no call rebuilds those of half of the
/// bodies.
TEST(SpaceTimeGrid, LetsBodiesTakeTurnsThoughTheirPromisesEndTogether) {
  Random random(5);
  std::vector<BodyState> bodies(400);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i + 1;
    bodies[i].pose.position = random.inCube(20.0);
    bodies[i].velocity = random.inCube(1.0);
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].accelerationBound = 0.5;
  }
  const auto tried = makeSpaceTimeGridBroadPhase();
  tried->setResolution(resolution);
  std::vector<BodyPair> found;
  std::vector<std::uint64_t> work;
  for (int call = 0; call < 100; ++call) {
    const Real time = resolution * call;
    for (BodyState& body : bodies) {
      body.boundHoldsUntil = time + 0.5;
      if (call > 0) body.pose.position += resolution * body.velocity;
    }
    tried->findPairs(bodies, time, found);
    if (call > 0) work.push_back(tried->work().boundTests);
  }
  std::sort(work.begin(), work.end());
  EXPECT_GT(work.front(), bodies.size()) << "every call builds some";
  EXPECT_LT(work.back(), 2 * work[work.size() / 2]) << "tests of the worst call and of the median";
}

INSTANTIATE_TEST_SUITE_P(Catalog, SpaceTime,
                         testing::Values("space-time-queue", "space-time-slices",
                                         "space-time-halves", "space-time-horns"),
                         [](const auto& tested) { return test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss
