// SPDX-License-Identifier: MIT
/// Rays and points among the bodies of a world, against each body on its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/ray.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;
using testing::HasSubstr;

struct PlacedBody {
  Shape shape;
  Pose pose;
};

TEST(WorldRays, FindWhatEachBodyAloneFinds) {
  const std::vector<Shape> shapes = test::edgedAndRoundSolids();
  Random random(1);
  int hits = 0, misses = 0, held = 0;
  for (int round = 0; round < test::cases(8); ++round) {
    World world;
    std::map<BodyHandle, PlacedBody> bodies;
    const auto add = [&] {
      const PlacedBody body{random.anyOf(shapes), test::randomPose(random, 4.0)};
      bodies.emplace(*world.add(body.shape, body.pose), body);
    };
    for (int i = 0; i < 20; ++i) add();
    for (int step = 0; step < 12; ++step) {
      SCOPED_TRACE(testing::Message() << "round " << round << " step " << step);
      // A move, a removal, a new body, or nothing
      const auto some = std::next(bodies.begin(), random.whole(0, 10));
      if (step % 4 == 1) {
        some->second.pose = test::randomPose(random, 4.0);
        ASSERT_TRUE(world.setPose(some->first, some->second.pose));
      } else if (step % 4 == 2) {
        ASSERT_TRUE(world.remove(some->first));
        bodies.erase(some);
      } else if (step % 4 == 3) {
        add();
      }
      const BodyHandle except =
          random.chance(0.5) ? BodyHandle{} : std::next(bodies.begin(), random.whole(0, 9))->first;
      const Vec3 from = 6.0 * random.direction();
      const Ray ray{from, glm::normalize(random.inCube(3.0) - from), 20.0,
                    random.chance(0.3) ? 0.2 : 0.0};
      const auto hit = world.raycast(ray, except);
      ASSERT_TRUE(hit) << hit.error().message;
      const Vec3 middle = random.chance(0.5) ? bodies.begin()->second.pose.position : Vec3(0.0);
      const Vec3 point = middle == Vec3(0.0) ? random.inCube(4.0) : middle + random.inCube(0.3);
      const auto near = world.nearestPoint(point, 30.0, except);
      ASSERT_TRUE(near) << near.error().message;
      std::vector<BodyHandle> holders, trueHolders;
      ASSERT_TRUE(*world.containing(point, holders));

      std::pair<Real, BodyHandle> first{std::numeric_limits<Real>::infinity(), {}};
      std::pair<Real, BodyHandle> nearest = first;
      for (const auto& [handle, body] : bodies) {
        if (sideOf(body.shape, body.pose, point) == PointSide::Inside)
          trueHolders.push_back(handle);
        if (handle == except) continue;
        const RayHit alone = raycast(body.shape, body.pose, ray);
        if (alone.hit() && alone.t < first.first) first = {alone.t, handle};
        const NearestPoint gap = nearestPoint(body.shape, body.pose, point);
        if (gap.upper < nearest.first) nearest = {gap.upper, handle};
      }
      EXPECT_EQ(hit->body, first.second);
      EXPECT_FALSE(hit->canRefine);
      if (hit->hit()) {
        EXPECT_NEAR(hit->t, first.first, 1e-6);
      }
      (hit->hit() ? hits : misses) += 1;
      EXPECT_EQ(near->body, nearest.second);
      EXPECT_NEAR(near->upper, nearest.first, 1e-9);
      EXPECT_EQ(holders, trueHolders);
      held += static_cast<int>(holders.size());
    }
  }
  EXPECT_GT(hits, 20);
  EXPECT_GT(misses, 5);
  EXPECT_GT(held, 10);
}

TEST(WorldRays, NothingIsFoundInAnEmptySet) {
  World world;
  EXPECT_EQ(world.raycast({})->body, BodyHandle{});
  EXPECT_FALSE(world.raycast({})->hit());
  EXPECT_EQ(world.nearestPoint({1, 2, 3})->body, BodyHandle{});
  std::vector<BodyHandle> out{BodyHandle{7}};
  EXPECT_TRUE(*world.containing({1, 2, 3}, out));
  EXPECT_TRUE(out.empty());
}

TEST(WorldRays, WhatTheyCannotWorkWithIsRefused) {
  World world;
  const BodyHandle gone = *world.add(test::edgedSolids()[0], {}),
                   body = *world.add(test::edgedSolids()[0], {{3, 0, 0}});
  ASSERT_TRUE(world.remove(gone));
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THAT(world.raycast({{nan, 0, 0}}).error().message, HasSubstr("origin.x is nan"));
  EXPECT_THAT(world.raycast({{0, 0, 0}, {0, 0, 0}}).error().message, HasSubstr("direction"));
  EXPECT_THAT(world.raycast({}, gone).error().message, HasSubstr("no body 1"));
  EXPECT_EQ(world.raycast({}, gone).error().code, ErrorCode::NotFound);
  EXPECT_THAT(world.nearestPoint({0, nan, 0}).error().message, HasSubstr("nan"));
  EXPECT_THAT(world.nearestPoint({}, -1.0).error().message, HasSubstr("reach"));
  EXPECT_THAT(world.nearestPoint({}, 1.0, gone).error().message, HasSubstr("no body 1"));
  std::vector<BodyHandle> out{body};
  EXPECT_THAT(world.containing({0, 0, nan}, out).error().message, HasSubstr("nan"));
  EXPECT_EQ(out, std::vector{body}) << "an error leaves it";
}

}  // namespace
}  // namespace nearmiss
