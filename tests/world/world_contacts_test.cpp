// SPDX-License-Identifier: MIT
/// Manifolds of all pairs of a world: against each pair on its own, as bodies come, go and rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "support/shapes.h"
#include "world/listed_bodies.h"

namespace nearmiss {
namespace {

using test::Random;
using test::Stack;
using test::touchingShapes;
using testing::HasSubstr;

std::vector<std::uint64_t> idsOf(const PairContacts& pair) {
  std::vector<std::uint64_t> ids;
  for (const ManifoldPoint& point : pair.points) ids.push_back(point.id);
  std::ranges::sort(ids);
  return ids;
}

void expectSame(const ManifoldPoint& got, const ManifoldPoint& truth) {
  EXPECT_EQ(got.id, truth.id);
  EXPECT_EQ(got.onA, truth.onA);
  EXPECT_EQ(got.onB, truth.onB);
  EXPECT_EQ(got.normal, truth.normal);
  EXPECT_EQ(got.depth, truth.depth);
}

TEST(WorldContacts, AreThoseOfEachPairAlone) {
  Random random(1);
  int touching = 0, sensed = 0, apart = 0;
  for (int round = 0; round < test::cases(40); ++round) {
    SCOPED_TRACE(round);
    const ManifoldSettings settings{random.chance(0.5) ? 0.0 : random.between(0.0, 0.3),
                                    static_cast<std::size_t>(random.whole(1, 8))};
    World world;
    test::ListedBodies listed;
    const int count = random.chance(0.2) ? 60 : 12;
    const Real room = count == 60 ? 6.0 : 2.0;
    for (int i = 0; i < count; ++i) {
      BodyTraits traits;
      traits.group = static_cast<std::uint32_t>(random.whole(1, 7));
      traits.assembly = static_cast<std::uint32_t>(random.whole(0, 2));
      traits.mask = static_cast<std::uint32_t>(random.whole(1, 7));
      traits.sensor = random.chance(0.2);
      listed.add(world, random.anyOf(touchingShapes()), test::randomPose(random, room), traits);
    }
    const auto found = world.contacts(settings);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_TRUE((*found)->complete);
    const auto truth = listed.manifolds(settings);
    ASSERT_EQ((*found)->size(), truth.size());
    auto expected = truth.begin();
    for (const PairContacts& pair : **found) {
      ASSERT_EQ(pair.bodies, expected->first);
      ASSERT_EQ(pair.points.size(), expected->second.points.size());
      for (std::size_t i = 0; i < pair.points.size(); ++i)
        expectSame(pair.points[i], expected->second.points[i]);
      EXPECT_EQ(pair.depthKnown, expected->second.depthKnown);
      EXPECT_FALSE(pair.canRefine);
      EXPECT_EQ(pair.sensed, listed.bodies.at(pair.bodies.a).traits.sensor ||
                                 listed.bodies.at(pair.bodies.b).traits.sensor);
      sensed += pair.sensed;
      ++expected;
    }
    touching += static_cast<int>(truth.size());
    apart += count * (count - 1) / 2 - static_cast<int>(truth.size());
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(sensed, 10);
  EXPECT_GT(apart, 1000);
}

TEST(WorldContacts, FollowBodiesThatMoveComeAndGo) {
  Random random(2);
  int touching = 0;
  for (int round = 0; round < test::cases(6); ++round) {
    World world;
    test::ListedBodies listed;
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 10; ++i)
      bodies.push_back(
          listed.add(world, random.anyOf(touchingShapes()), test::randomPose(random, 1.5)));
    const ManifoldSettings settings{0.02, 4};
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(testing::Message() << "round " << round << " step " << step);
      for (const BodyHandle body : bodies) {
        if (!random.chance(0.4)) continue;
        Pose pose = listed.bodies.at(body).pose;
        pose.position += random.inCube(0.05);
        pose.rotation = glm::normalize(pose.rotation + 0.02 * random.rotation());
        listed.move(world, body, pose);
      }
      if (random.chance(0.2)) {
        const std::size_t gone = bodies.size() / 2;
        ASSERT_TRUE(world.remove(bodies[gone]));
        listed.bodies.erase(bodies[gone]);
        bodies[gone] =
            listed.add(world, random.anyOf(touchingShapes()), test::randomPose(random, 1.5));
      }
      const auto found = world.contacts(settings);
      ASSERT_TRUE(found);
      ASSERT_TRUE((*found)->complete);
      const auto truth = listed.manifolds(settings);
      ASSERT_EQ((*found)->size(), truth.size());
      auto expected = truth.begin();
      for (const PairContacts& pair : **found) {
        ASSERT_EQ(pair.bodies, expected->first);
        ASSERT_FALSE(pair.points.empty());
        // Which of several equally good points are chosen depends on those before
        // and on which side of an open surface a solid was
        const bool alike = listed.bodies.at(pair.bodies.a).shape.solid() ==
                           listed.bodies.at(pair.bodies.b).shape.solid();
        if (alike) {
          EXPECT_NEAR(pair.points[0].depth, expected->second.points[0].depth, 1e-6);
        }
        for (const ManifoldPoint& point : pair.points) test::expectSound(point);
        ++expected;
      }
      touching += static_cast<int>(truth.size());
    }
  }
  EXPECT_GT(touching, 500);
}

/// Each pair has a query of its own, which knows the manifold before.
TEST(WorldContacts, AreThoseOfAQueryKeptForEachPair) {
  Stack stack(6);
  Random random(3);
  std::map<HandlePair, ManifoldQuery> queries;
  const ManifoldSettings settings{0.01, 4};
  for (int step = 0; step < 50; ++step) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position += random.inCube(1e-4);
      stack.listed.move(stack.world, body, pose);
    }
    const auto found = stack.world.contacts(settings);
    ASSERT_TRUE(found);
    ASSERT_EQ((*found)->size(), stack.bodies.size() - 1);
    for (const PairContacts& pair : **found) {
      const auto &a = stack.listed.bodies.at(pair.bodies.a),
                 &b = stack.listed.bodies.at(pair.bodies.b);
      ManifoldQuery& query = queries[pair.bodies];
      query.begin(a.shape, a.pose, b.shape, b.pose, settings);
      const ContactManifold& truth = query.refine();
      ASSERT_EQ(pair.points.size(), truth.points.size());
      for (std::size_t i = 0; i < truth.points.size(); ++i)
        expectSame(pair.points[i], truth.points[i]);
    }
  }
}

TEST(WorldContacts, IdsStayWhileAStackIsCarriedAlong) {
  Stack stack(6);
  std::map<HandlePair, std::vector<std::uint64_t>> before;
  for (int step = 0; step < 20; ++step) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += 0.125 * step;
      ASSERT_TRUE(stack.world.setPose(body, pose));
    }
    for (const PairContacts& pair : **stack.world.contacts({0.01, 4})) {
      EXPECT_EQ(pair.points.size(), 4u);
      EXPECT_EQ(before.try_emplace(pair.bodies, idsOf(pair)).first->second, idsOf(pair));
    }
  }
  EXPECT_EQ(before.size(), 5u);
}

TEST(WorldContacts, EndWithTheirBodies) {
  Stack stack(5);
  ASSERT_EQ((*stack.world.contacts())->size(), 4u);
  const auto kept = stack.world.contacts();
  ASSERT_TRUE(stack.world.remove(stack.bodies[2]));
  EXPECT_EQ((*kept)->pairs[3].points.size(), 4u) << "valid until the next call";
  const auto found = stack.world.contacts();
  ASSERT_EQ((*found)->size(), 2u);
  EXPECT_EQ((*found)->pairs[0].bodies, (HandlePair{stack.bodies[0], stack.bodies[1]}));
  EXPECT_EQ((*found)->pairs[1].bodies, (HandlePair{stack.bodies[3], stack.bodies[4]}));
  // Another body in its place is another one
  const BodyHandle fresh = *stack.world.add(touchingShapes()[0], {{0, 0, 2 * 0.999}});
  ASSERT_EQ((*stack.world.contacts())->size(), 4u);
  EXPECT_NE(test::find(**stack.world.contacts(), {stack.bodies[3], fresh}), nullptr);
}

TEST(WorldContacts, FindBodiesOfAnySizeAnywhere) {
  Random random(6);
  World world;
  test::ListedBodies listed;
  const Shape unit = touchingShapes()[0];
  std::vector<Shape> sizes;
  for (const Real half : {0.001, 0.05, 0.5, 20.0})
    sizes.push_back(test::treelessShape(test::cube(half)));
  const std::vector<Vec3> places{{0, 0, 0}, {1e6, -2e6, 3e5}, {-1e15, 0, 0}};
  for (int i = 0; i < 160; ++i) {
    const Vec3 middle = places[i < 100 ? 0 : i < 150 ? 1 : 2];
    listed.add(world, sizes[i % 20 == 0 ? 3 : static_cast<std::size_t>(i % 3)],
               {middle + random.inCube(1.5), random.rotation()});
  }
  const ManifoldSettings settings{0.01, 2};
  const auto truth = listed.manifolds(settings);
  ASSERT_GT(truth.size(), 100u);
  const auto found = world.contacts(settings);
  ASSERT_TRUE(found);
  ASSERT_EQ((*found)->size(), truth.size());
  for (const auto& [pair, manifold] : truth) EXPECT_NE(test::find(**found, pair), nullptr);
}

TEST(WorldContacts, AreTheSameFromManyThreads) {
  const auto run = [] {
    std::vector<Real> numbers;
    World world;
    Random random(7);
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 14; ++i)
      bodies.push_back(*world.add(random.anyOf(touchingShapes()), test::randomPose(random, 1.5)));
    for (int step = 0; step < 5; ++step) {
      static_cast<void>(world.setPose(bodies[0], test::randomPose(random, 1.5)));
      const auto found = world.contacts({0.02, 4});
      for (const PairContacts& pair : **found)
        for (const ManifoldPoint& point : pair.points) {
          numbers.push_back(point.depth);
          numbers.push_back(point.onA.x);
        }
    }
    return numbers;
  };
  std::vector<std::vector<Real>> found(4);
  std::vector<std::thread> threads;
  for (auto& numbers : found) threads.emplace_back([&] { numbers = run(); });
  for (std::thread& thread : threads) thread.join();
  ASSERT_GT(found[0].size(), 50u);
  for (const auto& numbers : found) EXPECT_EQ(numbers, found[0]);
}

TEST(WorldContacts, WhatTheyCannotWorkWithIsRefused) {
  Stack stack(2);
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  ASSERT_TRUE(stack.world.contacts());
  for (const Real margin : {nan, -0.1, inf})
    EXPECT_THAT(stack.world.contacts({margin, 4}).error().message,
                HasSubstr("the margin must be finite and at least 0"));
  EXPECT_THAT(stack.world.contacts({0.0, 0}).error().message, HasSubstr("room for a point"));
  EXPECT_EQ((*stack.world.contacts({0.0, 1}))->pairs[0].points.size(), 1u);
  EXPECT_TRUE(stack.world.contacts({1e60, 4}));
  World empty;
  EXPECT_EQ((*empty.contacts())->size(), 0u);
  EXPECT_TRUE((*empty.contacts())->complete);
}

}  // namespace
}  // namespace nearmiss
