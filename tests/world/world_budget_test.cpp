// SPDX-License-Identifier: MIT
/// Manifolds of all pairs of a world under budgets, and the memory that is kept for them.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/world.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "support/allocations.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "world/kept_manifolds.h"
#include "world/listed_bodies.h"

namespace nearmiss {
namespace {

using test::Random;
using test::Stack;
using test::touchingShapes;

TEST(WorldBudget, AllocateNothingWhileTheSamePairsAreNear) {
  Stack stack(60);
  const auto step = [&](Real shift) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += shift;
      ASSERT_TRUE(stack.world.setPose(body, pose));
    }
    ASSERT_TRUE(stack.world.contacts({0.01, 4}));
  };
  for (int i = 0; i < 6; ++i) step(i % 2 ? 1e-4 : -1e-4);
  EXPECT_EQ(test::allocationsIn([&] { step(1e-4); }), 0u);
  EXPECT_EQ(test::allocationsIn([&] { ASSERT_TRUE(stack.world.contacts({0.01, 4})); }), 0u);
}

TEST(WorldBudget, ThoseThatWaitMoveAlongWithTheirBodies) {
  Stack stack(8);
  const ManifoldSettings settings{0.01, 4};
  ASSERT_TRUE(stack.world.contacts(settings));
  const auto before = *stack.world.contacts(settings);
  std::map<HandlePair, std::vector<ManifoldPoint>> points;
  for (const PairContacts& pair : *before)
    points[pair.bodies].assign(pair.points.begin(), pair.points.end());
  ASSERT_EQ(points.size(), 7u);

  // The whole stack is moved as one; there is time for one pair alone
  Random random(4);
  const Pose motion{{3.0, 1.0, -2.0}, random.rotation()};
  for (const BodyHandle body : stack.bodies)
    ASSERT_TRUE(stack.world.setPose(body, composed(motion, stack.listed.bodies.at(body).pose)));
  WorkClock clock;
  const auto found = stack.world.contacts(settings, TimeBudget(clock, {}));
  ASSERT_TRUE(found);
  EXPECT_FALSE((*found)->complete);
  ASSERT_EQ((*found)->size(), 7u);
  int waiting = 0;
  for (const PairContacts& pair : **found) {
    if (!pair.canRefine) continue;
    if (pair.bodies.a == stack.bodies[0]) continue;  // the one that there was time for
    ++waiting;
    const auto& old = points.at(pair.bodies);
    ASSERT_EQ(pair.points.size(), old.size());
    for (const ManifoldPoint& point : pair.points) {
      const auto same = std::ranges::find(old, point.id, &ManifoldPoint::id);
      ASSERT_NE(same, old.end());
      EXPECT_LT(glm::distance(point.onA, transformed(motion, same->onA)), 1e-12);
      EXPECT_LT(glm::distance(point.onB, transformed(motion, same->onB)), 1e-12);
      EXPECT_LT(glm::distance(point.normal, motion.rotation * same->normal), 1e-12);
      EXPECT_NEAR(point.depth, same->depth, 1e-12);
      test::expectSound(point);
    }
  }
  EXPECT_EQ(waiting, 6);
}

TEST(WorldBudget, ThoseThatWaitEndWhereTheirBodiesPart) {
  // A pair that takes the time, and two stars that touch with a spike each
  Stack stack(2);
  const Shape& star = touchingShapes()[2];
  const auto beside = [](Real distance) { return Pose{{50.0 + distance, distance, distance}}; };
  Real distance = 2.0;
  while (contactManifold(star, beside(0.0), star, beside(distance)).points.empty())
    distance -= 0.001;
  const HandlePair stars{*stack.world.add(star, beside(0.0)),
                         *stack.world.add(star, beside(distance))};
  const auto touching = stack.world.contacts();
  ASSERT_NE(test::find(**touching, stars), nullptr);
  ASSERT_FALSE(test::find(**touching, stars)->points.empty());

  Pose first = stack.listed.bodies.at(stack.bodies[0]).pose;
  first.position.x += 1e-6;
  ASSERT_TRUE(stack.world.setPose(stack.bodies[0], first));
  ASSERT_TRUE(stack.world.setPose(stars.b, beside(distance + 0.05)));
  WorkClock clock;
  const auto found = stack.world.contacts({}, TimeBudget(clock, {}));
  const PairContacts* parted = test::find(**found, stars);
  ASSERT_NE(parted, nullptr) << "it may touch";
  EXPECT_TRUE(parted->canRefine);
  EXPECT_TRUE(parted->points.empty());
  EXPECT_EQ(test::find(**stack.world.contacts(), stars), nullptr);
}

TEST(WorldBudget, AllPairsGetTheirTurnUnderAShortBudget) {
  World world;
  test::ListedBodies listed;
  Random random(5);
  for (int i = 0; i < 30; ++i)
    listed.add(world, touchingShapes()[2], test::randomPose(random, 1.2));
  const ManifoldSettings settings{0.01, 4};
  const auto truth = listed.manifolds(settings);
  ASSERT_GT(truth.size(), 40u);
  WorkClock clock;
  constexpr std::chrono::microseconds allowed(100);
  std::size_t calls = 0, waited = 0;
  for (bool complete = false; !complete; ++calls) {
    ASSERT_LT(calls, 20000u) << "some pair starves";
    const auto begun = clock.now();
    const auto found = world.contacts(settings, TimeBudget(clock, allowed));
    ASSERT_TRUE(found);
    ASSERT_LT(clock.now() - begun, allowed + std::chrono::microseconds(400));
    complete = (*found)->complete;
    waited += !complete;
    // Nothing that touches is lost meanwhile
    for (const auto& [pair, manifold] : truth) ASSERT_NE(test::find(**found, pair), nullptr);
  }
  EXPECT_GT(waited, 3u);
  const auto found = world.contacts(settings);
  EXPECT_EQ((*found)->size(), truth.size());
}

/// Each call has time for a third of the pairs or so.
TEST(WorldBudget, PairsThatWaitedComeFirst) {
  Stack stack(31);
  const ManifoldSettings settings{0.01, 4};
  // Every pair, for one whose relative pose stays costs nothing
  const auto shake = [&](int call) {
    int other = call;
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += 1e-6 * (other++ % 3);
      ASSERT_TRUE(stack.world.setPose(body, pose));
    }
  };
  WorkClock clock;
  ASSERT_TRUE(stack.world.contacts(settings, TimeBudget(clock, std::chrono::hours(1))));
  shake(1);
  const auto begun = clock.now();
  ASSERT_TRUE(stack.world.contacts(settings, TimeBudget(clock, std::chrono::hours(1))));
  const auto whole = clock.now() - begun;
  std::map<HandlePair, int> lookedAt, longest, row;
  constexpr int calls = 60;
  for (int call = 0; call < calls; ++call) {
    shake(call);
    const auto found = stack.world.contacts(settings, TimeBudget(clock, whole / 3));
    ASSERT_TRUE(found);
    ASSERT_EQ((*found)->size(), 30u);
    for (const PairContacts& pair : **found) {
      ASSERT_FALSE(pair.points.empty());
      const bool looked = !pair.canRefine;
      lookedAt[pair.bodies] += looked;
      int& now = row[pair.bodies];
      now = looked ? 0 : now + 1;
      longest[pair.bodies] = std::max(longest[pair.bodies], now);
    }
  }
  int least = calls, most = 0;
  for (const auto& [pair, times] : lookedAt) {
    least = std::min(least, times);
    most = std::max(most, times);
  }
  EXPECT_GT(least, calls / 6);
  // A pair that moved together since it was looked at costs nothing
  EXPECT_LT(most, calls);
  for (const auto& [pair, times] : longest) EXPECT_LE(times, 6);
}

TEST(WorldBudget, KeepNoShapeOfABodyThatIsGone) {
  World world;
  std::weak_ptr<const Polyhedron> mesh;
  {
    const auto made = std::make_shared<const Polyhedron>(test::cube(0.5));
    mesh = made;
    const BodyHandle first = *world.add(Shape::of(made), {});
    const BodyHandle second = *world.add(Shape::of(made), {{0.9, 0, 0}});
    ASSERT_EQ((*world.contacts())->size(), 1u);
    ASSERT_TRUE(world.remove(first));
    ASSERT_TRUE(world.remove(second));
  }
  ASSERT_TRUE(world.contacts());
  ASSERT_TRUE(world.add(touchingShapes()[0], {}));
  ASSERT_TRUE(world.add(touchingShapes()[1], {{9, 0, 0}}));
  EXPECT_TRUE(mesh.expired());
}

/// Thirty calls after it parted.
TEST(WorldBudget, ForgetPairsThatParted) {
  const auto mesh = std::make_shared<const Polyhedron>(test::cube(0.5));
  Shapes shapes;
  std::vector<BodyState> states(2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    states[i].key = i + 1;
    states[i].shape = i == 0 ? shapes.add(Shape::of(mesh)) : states[0].shape;
    states[i].pose.position.x = 0.9 * i;
  }
  const std::vector<BodyPair> pairs{{0, 1}};
  KeptManifolds kept;
  const auto always = TimeBudget::unlimited();
  const auto unused = mesh.use_count();
  kept.update(states, shapes, pairs, {}, always);
  ASSERT_EQ(kept.current().size(), 1u);
  EXPECT_EQ(kept.current()[0]->points().size(), 4u);
  EXPECT_GT(mesh.use_count(), unused) << "a query has the shapes";
  for (int call = 0; call < 30; ++call) {
    kept.update(states, shapes, {}, {}, always);
    EXPECT_TRUE(kept.current().empty());
    ASSERT_GT(mesh.use_count(), unused);
  }
  kept.update(states, shapes, {}, {}, always);
  EXPECT_EQ(mesh.use_count(), unused);
}

/// An error must not leave half a search behind.
TEST(WorldBudget, GoOnAfterTheyLackedMemory) {
  int refused = 0;
  for (std::size_t after = 0; after < 80; ++after) {
    SCOPED_TRACE(after);
    Stack stack(4);
    ASSERT_EQ((*stack.world.contacts())->size(), 3u);
    const BodyHandle more = *stack.world.add(touchingShapes()[1], {{0.5, 0.5, 1.0}});
    const auto answer = test::shortOfMemory(after, 1, [&] { return stack.world.contacts(); });
    if (!answer) {
      ++refused;
      EXPECT_EQ(answer.error().code, ErrorCode::OutOfMemory);
    }
    const auto found = stack.world.contacts();
    ASSERT_TRUE(found);
    EXPECT_GT((*found)->size(), 3u);
    EXPECT_NE(test::find(**found, {stack.bodies[1], more}), nullptr);
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace nearmiss
