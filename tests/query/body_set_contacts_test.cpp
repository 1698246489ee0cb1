// SPDX-License-Identifier: MIT
/// Manifolds of all pairs of a set: against each pair on its own, under budgets, and as bodies
/// come, go and rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/body_set.h>
#include <nearmiss/contact_manifold.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "kept_manifolds.h"
#include "query/sized_solids.h"
#include "support/allocations.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using testing::HasSubstr;

/// With and without sphere trees, solid and open.
const std::vector<Shape>& touchingShapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made = test::shapesOf(
        {test::cube(0.5), test::torus(12, 8), test::spikyStar(1, 5, 7), test::openTorus()});
    made.push_back(*makeShape(test::box({-1, -0.3, -0.2}, {1, 0.3, 0.2}),
                              {.treeBuilder = "octree", .tree = {.levels = 2}}));
    return made;
  }();
  return all;
}

/// The bodies of a set, to look at each pair on its own.
struct ListedBodies {
  struct Body {
    Shape shape;
    Pose pose;
    BodyTraits traits;
  };
  std::map<BodyHandle, Body> bodies;

  BodyHandle add(BodySet& set, const Shape& shape, const Pose& pose,
                 const BodyTraits& traits = {}) {
    const BodyHandle body = *set.add(shape, pose, traits);
    bodies.emplace(body, Body{shape, pose, traits});
    return body;
  }
  void move(BodySet& set, BodyHandle body, const Pose& pose) {
    ASSERT_TRUE(set.setPose(body, pose));
    bodies.at(body).pose = pose;
  }
  [[nodiscard]] ContactManifold manifold(const HandlePair& pair,
                                         const ManifoldSettings& settings) const {
    const Body &a = bodies.at(pair.a), &b = bodies.at(pair.b);
    return contactManifold(a.shape, a.pose, b.shape, b.pose, settings);
  }
  [[nodiscard]] std::map<HandlePair, ContactManifold> manifolds(
      const ManifoldSettings& settings) const {
    std::map<HandlePair, ContactManifold> all;
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b) {
        const BodyTraits &one = a->second.traits, &other = b->second.traits;
        if (!(one.group & other.mask) || !(other.group & one.mask)) continue;
        if ((one.assembly && one.assembly == other.assembly) || (one.sensor && other.sensor))
          continue;
        const HandlePair pair{a->first, b->first};
        ContactManifold found = manifold(pair, settings);
        if (!found.points.empty() || !found.depthKnown) all.emplace(pair, std::move(found));
      }
    return all;
  }
};

const PairContacts* find(const BodySetContacts& found, const HandlePair& pair) {
  for (const PairContacts& contacts : found)
    if (contacts.bodies == pair) return &contacts;
  return nullptr;
}

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

void expectSound(const ManifoldPoint& point) {
  EXPECT_NEAR(glm::length(point.normal), 1.0, 1e-9);
  EXPECT_LT(glm::distance(point.onB - point.onA, point.depth * point.normal), 1e-9);
}

/// Cubes of one metre on each other, each `overlap` metres deep in the one below.
struct Stack {
  BodySet set;
  ListedBodies listed;
  std::vector<BodyHandle> bodies;
  explicit Stack(int count, Real overlap = 0.001) {
    for (int i = 0; i < count; ++i)
      bodies.push_back(
          listed.add(set, touchingShapes()[0], {{0.0, 0.0, (1.0 - overlap) * Real(i)}}));
  }
};

TEST(BodySetContacts, AreThoseOfEachPairAlone) {
  Random random(1);
  int touching = 0, sensed = 0, apart = 0;
  for (int round = 0; round < test::cases(40); ++round) {
    SCOPED_TRACE(round);
    const ManifoldSettings settings{random.chance(0.5) ? 0.0 : random.between(0.0, 0.3),
                                    static_cast<std::size_t>(random.whole(1, 8))};
    BodySet set;
    ListedBodies listed;
    const int count = random.chance(0.2) ? 60 : 12;
    const Real room = count == 60 ? 6.0 : 2.0;
    for (int i = 0; i < count; ++i) {
      BodyTraits traits;
      traits.group = static_cast<std::uint32_t>(random.whole(1, 7));
      traits.assembly = static_cast<std::uint32_t>(random.whole(0, 2));
      traits.mask = static_cast<std::uint32_t>(random.whole(1, 7));
      traits.sensor = random.chance(0.2);
      listed.add(set, random.anyOf(touchingShapes()), test::randomPose(random, room), traits);
    }
    const auto found = set.contacts(settings);
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

TEST(BodySetContacts, FollowBodiesThatMoveComeAndGo) {
  Random random(2);
  int touching = 0;
  for (int round = 0; round < test::cases(6); ++round) {
    BodySet set;
    ListedBodies listed;
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 10; ++i)
      bodies.push_back(
          listed.add(set, random.anyOf(touchingShapes()), test::randomPose(random, 1.5)));
    const ManifoldSettings settings{0.02, 4};
    for (int step = 0; step < 40; ++step) {
      SCOPED_TRACE(testing::Message() << "round " << round << " step " << step);
      for (const BodyHandle body : bodies) {
        if (!random.chance(0.4)) continue;
        Pose pose = listed.bodies.at(body).pose;
        pose.position += random.inCube(0.05);
        pose.rotation = glm::normalize(pose.rotation + 0.02 * random.rotation());
        listed.move(set, body, pose);
      }
      if (random.chance(0.2)) {
        const std::size_t gone = bodies.size() / 2;
        ASSERT_TRUE(set.remove(bodies[gone]));
        listed.bodies.erase(bodies[gone]);
        bodies[gone] =
            listed.add(set, random.anyOf(touchingShapes()), test::randomPose(random, 1.5));
      }
      const auto found = set.contacts(settings);
      ASSERT_TRUE(found);
      ASSERT_TRUE((*found)->complete);
      const auto truth = listed.manifolds(settings);
      ASSERT_EQ((*found)->size(), truth.size());
      auto expected = truth.begin();
      for (const PairContacts& pair : **found) {
        ASSERT_EQ(pair.bodies, expected->first);
        ASSERT_FALSE(pair.points.empty());
        // Which of several equally good points are chosen depends on those before
        EXPECT_NEAR(pair.points[0].depth, expected->second.points[0].depth, 1e-6);
        for (const ManifoldPoint& point : pair.points) expectSound(point);
        ++expected;
      }
      touching += static_cast<int>(truth.size());
    }
  }
  EXPECT_GT(touching, 500);
}

/// Each pair has a query of its own, which knows the manifold before.
TEST(BodySetContacts, AreThoseOfAQueryKeptForEachPair) {
  Stack stack(6);
  Random random(3);
  std::map<HandlePair, ManifoldQuery> queries;
  const ManifoldSettings settings{0.01, 4};
  for (int step = 0; step < 50; ++step) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position += random.inCube(1e-4);
      stack.listed.move(stack.set, body, pose);
    }
    const auto found = stack.set.contacts(settings);
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

TEST(BodySetContacts, IdsStayWhileAStackIsCarriedAlong) {
  Stack stack(6);
  std::map<HandlePair, std::vector<std::uint64_t>> before;
  for (int step = 0; step < 20; ++step) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += 0.125 * step;
      ASSERT_TRUE(stack.set.setPose(body, pose));
    }
    for (const PairContacts& pair : **stack.set.contacts({0.01, 4})) {
      EXPECT_EQ(pair.points.size(), 4u);
      EXPECT_EQ(before.try_emplace(pair.bodies, idsOf(pair)).first->second, idsOf(pair));
    }
  }
  EXPECT_EQ(before.size(), 5u);
}

TEST(BodySetContacts, AllocateNothingWhileTheSamePairsAreNear) {
  Stack stack(60);
  const auto step = [&](Real shift) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += shift;
      ASSERT_TRUE(stack.set.setPose(body, pose));
    }
    ASSERT_TRUE(stack.set.contacts({0.01, 4}));
  };
  for (int i = 0; i < 6; ++i) step(i % 2 ? 1e-4 : -1e-4);
  EXPECT_EQ(test::allocationsIn([&] { step(1e-4); }), 0u);
  EXPECT_EQ(test::allocationsIn([&] { ASSERT_TRUE(stack.set.contacts({0.01, 4})); }), 0u);
}

TEST(BodySetContacts, ThoseThatWaitMoveAlongWithTheirBodies) {
  Stack stack(8);
  const ManifoldSettings settings{0.01, 4};
  ASSERT_TRUE(stack.set.contacts(settings));
  const auto before = *stack.set.contacts(settings);
  std::map<HandlePair, std::vector<ManifoldPoint>> points;
  for (const PairContacts& pair : *before)
    points[pair.bodies].assign(pair.points.begin(), pair.points.end());
  ASSERT_EQ(points.size(), 7u);

  // The whole stack is moved as one; there is time for one pair alone
  Random random(4);
  const Pose motion{{3.0, 1.0, -2.0}, random.rotation()};
  for (const BodyHandle body : stack.bodies)
    ASSERT_TRUE(stack.set.setPose(body, composed(motion, stack.listed.bodies.at(body).pose)));
  WorkClock clock;
  const auto found = stack.set.contacts(settings, TimeBudget(clock, {}));
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
      expectSound(point);
    }
  }
  EXPECT_EQ(waiting, 6);
}

TEST(BodySetContacts, ThoseThatWaitEndWhereTheirBodiesPart) {
  // A pair that takes the time, and two stars that touch with a spike each
  Stack stack(2);
  const Shape& star = touchingShapes()[2];
  const auto beside = [](Real distance) { return Pose{{50.0 + distance, distance, distance}}; };
  Real distance = 2.0;
  while (contactManifold(star, beside(0.0), star, beside(distance)).points.empty())
    distance -= 0.001;
  const HandlePair stars{*stack.set.add(star, beside(0.0)), *stack.set.add(star, beside(distance))};
  const auto touching = stack.set.contacts();
  ASSERT_NE(find(**touching, stars), nullptr);
  ASSERT_FALSE(find(**touching, stars)->points.empty());

  Pose first = stack.listed.bodies.at(stack.bodies[0]).pose;
  first.position.x += 1e-6;
  ASSERT_TRUE(stack.set.setPose(stack.bodies[0], first));
  ASSERT_TRUE(stack.set.setPose(stars.b, beside(distance + 0.05)));
  WorkClock clock;
  const auto found = stack.set.contacts({}, TimeBudget(clock, {}));
  const PairContacts* parted = find(**found, stars);
  ASSERT_NE(parted, nullptr) << "it may touch";
  EXPECT_TRUE(parted->canRefine);
  EXPECT_TRUE(parted->points.empty());
  EXPECT_EQ(find(**stack.set.contacts(), stars), nullptr);
}

TEST(BodySetContacts, AllPairsGetTheirTurnUnderAShortBudget) {
  BodySet set;
  ListedBodies listed;
  Random random(5);
  for (int i = 0; i < 30; ++i) listed.add(set, touchingShapes()[2], test::randomPose(random, 1.2));
  const ManifoldSettings settings{0.01, 4};
  const auto truth = listed.manifolds(settings);
  ASSERT_GT(truth.size(), 40u);
  WorkClock clock;
  constexpr std::chrono::microseconds allowed(100);
  std::size_t calls = 0, waited = 0;
  for (bool complete = false; !complete; ++calls) {
    ASSERT_LT(calls, 20000u) << "some pair starves";
    const auto begun = clock.now();
    const auto found = set.contacts(settings, TimeBudget(clock, allowed));
    ASSERT_TRUE(found);
    ASSERT_LT(clock.now() - begun, allowed + std::chrono::microseconds(400));
    complete = (*found)->complete;
    waited += !complete;
    // Nothing that touches is lost meanwhile
    for (const auto& [pair, manifold] : truth) ASSERT_NE(find(**found, pair), nullptr);
  }
  EXPECT_GT(waited, 3u);
  const auto found = set.contacts(settings);
  EXPECT_EQ((*found)->size(), truth.size());
}

/// Each call has time for a third of the pairs or so.
TEST(BodySetContacts, PairsThatWaitedComeFirst) {
  Stack stack(31);
  const ManifoldSettings settings{0.01, 4};
  const auto shake = [&](int call) {
    for (const BodyHandle body : stack.bodies) {
      Pose pose = stack.listed.bodies.at(body).pose;
      pose.position.x += 1e-6 * (call % 3);
      ASSERT_TRUE(stack.set.setPose(body, pose));
    }
  };
  WorkClock clock;
  ASSERT_TRUE(stack.set.contacts(settings, TimeBudget(clock, std::chrono::hours(1))));
  shake(1);
  const auto begun = clock.now();
  ASSERT_TRUE(stack.set.contacts(settings, TimeBudget(clock, std::chrono::hours(1))));
  const auto whole = clock.now() - begun;
  std::map<HandlePair, int> lookedAt, longest, row;
  constexpr int calls = 60;
  for (int call = 0; call < calls; ++call) {
    shake(call);
    const auto found = stack.set.contacts(settings, TimeBudget(clock, whole / 3));
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
  EXPECT_LT(most, calls / 2);
  EXPECT_LE(most - least, 3);
  for (const auto& [pair, times] : longest) EXPECT_LE(times, 6);
}

TEST(BodySetContacts, EndWithTheirBodies) {
  Stack stack(5);
  ASSERT_EQ((*stack.set.contacts())->size(), 4u);
  const auto kept = stack.set.contacts();
  ASSERT_TRUE(stack.set.remove(stack.bodies[2]));
  EXPECT_EQ((*kept)->pairs[3].points.size(), 4u) << "valid until the next call";
  const auto found = stack.set.contacts();
  ASSERT_EQ((*found)->size(), 2u);
  EXPECT_EQ((*found)->pairs[0].bodies, (HandlePair{stack.bodies[0], stack.bodies[1]}));
  EXPECT_EQ((*found)->pairs[1].bodies, (HandlePair{stack.bodies[3], stack.bodies[4]}));
  // Another body in its place is another one
  const BodyHandle fresh = *stack.set.add(touchingShapes()[0], {{0, 0, 2 * 0.999}});
  ASSERT_EQ((*stack.set.contacts())->size(), 4u);
  EXPECT_NE(find(**stack.set.contacts(), {stack.bodies[3], fresh}), nullptr);
}

TEST(BodySetContacts, KeepNoShapeOfABodyThatIsGone) {
  BodySet set;
  std::weak_ptr<const Polyhedron> mesh;
  {
    const auto made = std::make_shared<const Polyhedron>(test::cube(0.5));
    mesh = made;
    const BodyHandle first = *set.add(Shape::of(made), {});
    const BodyHandle second = *set.add(Shape::of(made), {{0.9, 0, 0}});
    ASSERT_EQ((*set.contacts())->size(), 1u);
    ASSERT_TRUE(set.remove(first));
    ASSERT_TRUE(set.remove(second));
  }
  ASSERT_TRUE(set.contacts());
  ASSERT_TRUE(set.add(touchingShapes()[0], {}));
  ASSERT_TRUE(set.add(touchingShapes()[1], {{9, 0, 0}}));
  EXPECT_TRUE(mesh.expired());
}

/// Thirty calls after it parted.
TEST(BodySetContacts, ForgetPairsThatParted) {
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

TEST(BodySetContacts, FindBodiesOfAnySizeAnywhere) {
  Random random(6);
  BodySet set;
  ListedBodies listed;
  const Shape unit = touchingShapes()[0];
  std::vector<Shape> sizes;
  for (const Real half : {0.001, 0.05, 0.5, 20.0})
    sizes.push_back(test::treelessShape(test::cube(half)));
  const std::vector<Vec3> places{{0, 0, 0}, {1e6, -2e6, 3e5}, {-1e15, 0, 0}};
  for (int i = 0; i < 160; ++i) {
    const Vec3 middle = places[i < 100 ? 0 : i < 150 ? 1 : 2];
    listed.add(set, sizes[i % 20 == 0 ? 3 : static_cast<std::size_t>(i % 3)],
               {middle + random.inCube(1.5), random.rotation()});
  }
  const ManifoldSettings settings{0.01, 2};
  const auto truth = listed.manifolds(settings);
  ASSERT_GT(truth.size(), 100u);
  const auto found = set.contacts(settings);
  ASSERT_TRUE(found);
  ASSERT_EQ((*found)->size(), truth.size());
  for (const auto& [pair, manifold] : truth) EXPECT_NE(find(**found, pair), nullptr);
}

TEST(BodySetContacts, AreTheSameFromManyThreads) {
  const auto run = [] {
    std::vector<Real> numbers;
    BodySet set;
    Random random(7);
    std::vector<BodyHandle> bodies;
    for (int i = 0; i < 14; ++i)
      bodies.push_back(*set.add(random.anyOf(touchingShapes()), test::randomPose(random, 1.5)));
    for (int step = 0; step < 5; ++step) {
      static_cast<void>(set.setPose(bodies[0], test::randomPose(random, 1.5)));
      const auto found = set.contacts({0.02, 4});
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

TEST(BodySetContacts, WhatTheyCannotWorkWithIsRefused) {
  Stack stack(2);
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real inf = std::numeric_limits<Real>::infinity();
  ASSERT_TRUE(stack.set.contacts());
  for (const Real margin : {nan, -0.1, inf})
    EXPECT_THAT(stack.set.contacts({margin, 4}).error().message,
                HasSubstr("the margin must be finite and at least 0"));
  EXPECT_THAT(stack.set.contacts({0.0, 0}).error().message, HasSubstr("room for a point"));
  EXPECT_EQ((*stack.set.contacts({0.0, 1}))->pairs[0].points.size(), 1u);
  EXPECT_TRUE(stack.set.contacts({1e60, 4}));
  BodySet empty;
  EXPECT_EQ((*empty.contacts())->size(), 0u);
  EXPECT_TRUE((*empty.contacts())->complete);
}

/// An error must not leave half a search behind.
TEST(BodySetContacts, GoOnAfterTheyLackedMemory) {
  int refused = 0;
  for (std::size_t after = 0; after < 80; ++after) {
    SCOPED_TRACE(after);
    Stack stack(4);
    ASSERT_EQ((*stack.set.contacts())->size(), 3u);
    const BodyHandle more = *stack.set.add(touchingShapes()[1], {{0.5, 0.5, 1.0}});
    const auto answer = test::shortOfMemory(after, 1, [&] { return stack.set.contacts(); });
    if (!answer) {
      ++refused;
      EXPECT_EQ(answer.error().code, ErrorCode::OutOfMemory);
    }
    const auto found = stack.set.contacts();
    ASSERT_TRUE(found);
    EXPECT_GT((*found)->size(), 3u);
    EXPECT_NE(find(**found, {stack.bodies[1], more}), nullptr);
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace nearmiss
