// SPDX-License-Identifier: MIT
/// Bodies by handle, against every pair compared on its own.
#include <nearmiss/world.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "support/meshes.h"
#include "support/pairs.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

const std::vector<Shape>& setShapes() {
  static const std::vector<Shape> all = [] {
    std::vector<Shape> made;
    for (const TriangleMesh& mesh :
         {test::cube(0.6), test::torus(12, 8), test::spikyStar(2, 7, 9), test::sphere(6, 8, 0.3)})
      made.push_back(*makeShape(mesh, {.treeBuilder = "octree", .tree = {.levels = 2}}));
    // Sphere trees are not needed
    for (const TriangleMesh& mesh : {test::cube(0.6), test::spikyStar(2, 7, 9), test::openTorus()})
      made.push_back(test::treelessShape(mesh));
    return made;
  }();
  return all;
}

/// The same bodies, each pair on its own.
struct SetModel {
  struct Body {
    Shape shape;
    Pose pose;
    BodyTraits traits;
  };
  std::map<BodyHandle, Body> bodies;

  [[nodiscard]] static bool count(const BodyTraits& a, const BodyTraits& b) {
    return (a.group & b.mask) && (b.group & a.mask) && (!a.assembly || a.assembly != b.assembly) &&
           !(a.sensor && b.sensor);
  }
  void eachPair(const auto& see) const {
    for (auto a = bodies.begin(); a != bodies.end(); ++a)
      for (auto b = std::next(a); b != bodies.end(); ++b)
        if (count(a->second.traits, b->second.traits)) see(*a, *b);
  }
  [[nodiscard]] std::vector<HandlePair> touching() const {
    std::vector<HandlePair> pairs;
    eachPair([&](const auto& a, const auto& b) {
      const Body &one = a.second, &other = b.second;
      if (collide(one.shape, one.pose, other.shape, other.pose).verdict == Verdict::Contact)
        pairs.push_back({a.first, b.first});
    });
    return pairs;
  }
  [[nodiscard]] Real minDistance() const {
    Real least = std::numeric_limits<Real>::infinity();
    eachPair([&](const auto& a, const auto& b) {
      const Body &one = a.second, &other = b.second;
      if (one.traits.sensor || other.traits.sensor) return;
      least = std::min(least, distance(one.shape, one.pose, other.shape, other.pose).upper);
    });
    return least;
  }
};

std::vector<HandlePair> pairsOf(const WorldCollisions& found) {
  std::vector<HandlePair> pairs;
  for (const TouchingPair& pair : found.pairs) {
    EXPECT_EQ(pair.known.verdict, Verdict::Contact);
    pairs.push_back(pair.bodies);
  }
  return pairs;
}

/// A world and its model, changed at random.
class WorldRun {
 public:
  explicit WorldRun(std::uint64_t seed, Real half) : random_(seed), half_(half) {}

  void change() {
    const int what = random_.whole(0, 9);
    if (what < 4 || model.bodies.size() < 8) return add();
    const auto at = std::next(model.bodies.begin(),
                              random_.whole(0, static_cast<int>(model.bodies.size()) - 1));
    if (what < 6) {
      ASSERT_TRUE(world.remove(at->first));
      EXPECT_FALSE(world.setPose(at->first, {}));
      model.bodies.erase(at);
    } else if (what < 9) {
      at->second.pose = test::randomPose(random_, half_);
      ASSERT_TRUE(world.setPose(at->first, at->second.pose));
    } else {
      at->second.traits = traits();
      ASSERT_TRUE(world.setTraits(at->first, at->second.traits));
    }
  }

  World world;
  SetModel model;

 private:
  BodyTraits traits() {
    BodyTraits traits;
    traits.group = static_cast<std::uint32_t>(random_.whole(1, 7));
    traits.mask = static_cast<std::uint32_t>(random_.whole(1, 7));
    traits.assembly = static_cast<std::uint32_t>(random_.whole(0, 3));
    traits.sensor = random_.whole(0, 4) == 0;
    return traits;
  }
  void add() {
    const Shape& shape = random_.anyOf(setShapes());
    const Pose pose = test::randomPose(random_, half_);
    const BodyTraits some = traits();
    const auto body = world.add(shape, pose, some);
    ASSERT_TRUE(body) << body.error().message;
    ASSERT_TRUE(model.bodies.emplace(*body, SetModel::Body{shape, pose, some}).second);
  }
  test::Random random_;
  Real half_;
};

TEST(World, FindsWhatEveryPairAloneFinds) {
  std::size_t touching = 0, apart = 0, sensed = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    WorldRun run(seed, 1.8);
    for (int step = 0; step < 60; ++step) {
      run.change();
      if (step % 3 != 0) continue;
      const auto found = run.world.collisions();
      ASSERT_TRUE(found);
      EXPECT_TRUE((*found)->complete);
      EXPECT_TRUE((*found)->waiting.empty());
      const auto expected = run.model.touching();
      ASSERT_EQ(pairsOf(**found), expected) << "seed " << seed << " step " << step;
      for (const TouchingPair& pair : (*found)->pairs) {
        const bool senses = run.model.bodies.at(pair.bodies.a).traits.sensor ||
                            run.model.bodies.at(pair.bodies.b).traits.sensor;
        EXPECT_EQ(pair.sensed, senses);
        sensed += senses;
      }
      touching += expected.size();
      apart += run.model.bodies.size() * (run.model.bodies.size() - 1) / 2 - expected.size();
    }
    EXPECT_EQ(run.world.size(), run.model.bodies.size());
    std::vector<BodyHandle> handles;
    for (const auto& [handle, body] : run.model.bodies) handles.push_back(handle);
    EXPECT_EQ(run.world.handles(), handles);
  }
  EXPECT_GT(touching, 200u);
  EXPECT_GT(apart, 3000u);
  EXPECT_GT(sensed, 50u);
}

TEST(World, TrianglesFollowTheHandles) {
  // The first body is removed, so that the last one takes its place inside
  World world;
  const Shape &ball = setShapes()[3], &cube = setShapes()[0];
  const auto first = world.add(cube, Pose{{50, 0, 0}});
  const auto low = world.add(ball, Pose{}), high = world.add(cube, Pose{{0.8, 0, 0}});
  ASSERT_TRUE(world.remove(*first));
  const auto found = world.collisions();
  ASSERT_TRUE(found);
  ASSERT_EQ((*found)->pairs.size(), 1u);
  const TouchingPair& pair = (*found)->pairs[0];
  EXPECT_EQ(pair.bodies, (HandlePair{*low, *high}));
  EXPECT_LT(glm::length(pair.known.deepest.a.centre), glm::length(pair.known.deepest.b.centre));
}

/// To the last digit, whatever was in the world before.
TEST(World, FindsTheSameWhateverWasRemoved) {
  test::Random random(41);
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    World fresh, old;
    std::vector<BodyHandle> gone;
    for (int k = 0; k < 3; ++k) gone.push_back(*old.add(setShapes()[0], Pose{}));
    for (int k = 0; k < 5; ++k) {
      const Pose pose = test::randomPose(random, 1.5);
      ASSERT_TRUE(fresh.add(setShapes()[2], pose) && old.add(setShapes()[2], pose));
    }
    for (const BodyHandle body : gone) ASSERT_TRUE(old.remove(body));
    WorkClock clock;
    for (const auto allowed : {std::chrono::microseconds(2), std::chrono::microseconds(1000)}) {
      const auto one = fresh.collisions(TimeBudget(clock, allowed));
      const auto other = old.collisions(TimeBudget(clock, allowed));
      ASSERT_TRUE(one && other);
      ASSERT_EQ((*one)->pairs.size(), (*other)->pairs.size());
      for (std::size_t p = 0; p < (*one)->pairs.size(); ++p, ++found) {
        const Refinement &a = (*one)->pairs[p].known, &b = (*other)->pairs[p].known;
        ASSERT_EQ(std::pair(a.verdict, a.level), std::pair(b.verdict, b.level));
        ASSERT_EQ(a.separationBound, b.separationBound);
        ASSERT_EQ(std::pair(a.triangleA, a.triangleB), std::pair(b.triangleA, b.triangleB));
        ASSERT_EQ(a.deepest.a.centre, b.deepest.a.centre);
      }
    }
  }
  EXPECT_GT(found, 50);
}

TEST(World, TheNearestPairIsTheNearestOfAll) {
  std::size_t apart = 0, within = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    WorldRun run(100 + seed, seed % 2 ? 4.0 : 12.0);
    for (int step = 0; step < 14; ++step) run.change();
    const Real truth = run.model.minDistance();
    const auto nearest = run.world.minDistance();
    ASSERT_TRUE(nearest);
    EXPECT_FALSE(nearest->bounds.canRefine);
    if (std::isinf(truth)) {
      EXPECT_TRUE(std::isinf(nearest->bounds.upper));
      continue;
    }
    EXPECT_NEAR(nearest->bounds.upper, truth, 1e-6);
    EXPECT_NEAR(nearest->bounds.lower, truth, 1e-6);
    const auto &a = run.model.bodies.at(nearest->bodies.a),
               &b = run.model.bodies.at(nearest->bodies.b);
    EXPECT_TRUE(SetModel::count(a.traits, b.traits));
    EXPECT_FALSE(a.traits.sensor || b.traits.sensor);
    EXPECT_NEAR(distance(a.shape, a.pose, b.shape, b.pose).upper, truth, 1e-6);
    if (truth == 0.0) continue;
    ++apart;
    // A search that ends before it: nothing is claimed of what lies beyond
    const auto early = run.world.minDistance(0.5 * truth);
    EXPECT_TRUE(std::isinf(early->bounds.upper));
    EXPECT_NEAR(early->bounds.lower, 0.5 * truth, 1e-9);
    within += std::abs(run.world.minDistance(2.0 * truth)->bounds.upper - truth) < 1e-6;
  }
  EXPECT_GT(apart, 15u);
  EXPECT_EQ(within, apart);
}

TEST(World, BoundsHoldWheneverTimeRunsOut) {
  WorldRun run(7, 12.0);
  for (int step = 0; step < 40; ++step) run.change();
  const Real truth = run.model.minDistance();
  ASSERT_GT(truth, 0.0);
  bool unfinished = false, finished = false;
  for (int price = 0; price < 40; ++price) {
    WorkClock clock;
    const auto nearest = run.world.minDistance(
        std::numeric_limits<Real>::infinity(),
        TimeBudget(clock, std::chrono::nanoseconds(1) * (1 << std::min(price, 30))));
    EXPECT_LE(nearest->bounds.lower, truth + 1e-9);
    EXPECT_GE(nearest->bounds.upper, truth - 1e-9);
    (nearest->bounds.canRefine ? unfinished : finished) = true;
  }
  EXPECT_TRUE(unfinished);
  EXPECT_TRUE(finished);
}

/// Of bodies side by side every pair is listed, which costs more than to measure the nearest one.
TEST(World, ListsNoMorePairsThanTheBudgetAllows) {
  World world;
  constexpr int side = 16;
  for (int i = 0; i < side * side; ++i)
    ASSERT_TRUE(world.add(setShapes()[3], {{0.01 * (i % 7), 2.0 * (i % side), 2.0 * (i / side)}}));
  ASSERT_TRUE(world.add(setShapes()[3], {{0.0, 0.75, 0.0}}));
  const DistanceBounds whole = world.minDistance()->bounds;
  ASSERT_FALSE(whole.canRefine);
  constexpr std::chrono::microseconds allowed(200), above(100);
  bool finished = false, unfinished = false;
  for (auto time = allowed; !finished; time *= 2) {
    WorkClock clock;
    const auto nearest = world.minDistance(1e9, TimeBudget(clock, time));
    ASSERT_TRUE(nearest);
    EXPECT_LT(clock.now(), time + above);
    EXPECT_LE(nearest->bounds.lower, whole.upper);
    EXPECT_GE(nearest->bounds.upper, whole.upper);
    EXPECT_TRUE(std::isfinite(nearest->bounds.upper)) << "a pair has points";
    EXPECT_NE(nearest->bodies.a, nearest->bodies.b);
    (nearest->bounds.canRefine ? unfinished : finished) = true;
    if (finished) {
      EXPECT_EQ(nearest->bounds.upper, whole.upper);
    }
  }
  EXPECT_TRUE(unfinished);
}

TEST(World, PairsThatWaitAreNamedAndComeUp) {
  World world;
  BodyTraits unimportant;
  unimportant.importance = 0;
  test::Random random(3);
  for (int i = 0; i < 30; ++i)
    ASSERT_TRUE(world.add(setShapes()[2], test::randomPose(random, 1.0), unimportant));
  const std::size_t all = (*world.collisions())->pairs.size();
  ASSERT_GT(all, 100u);
  WorkClock clock;
  const auto hasty = world.collisions(TimeBudget(clock, {}));
  EXPECT_FALSE((*hasty)->complete);
  EXPECT_GT((*hasty)->waiting.size(), 50u);
  std::vector<HandlePair> looked;
  for (std::uint32_t detection = 0; detection < 40; ++detection)
    for (const TouchingPair& pair : (*world.collisions(TimeBudget(clock, {})))->pairs)
      looked.push_back(pair.bodies);
  std::sort(looked.begin(), looked.end());
  looked.erase(std::unique(looked.begin(), looked.end()), looked.end());
  EXPECT_GE(looked.size(), all);
}

/// Also where only its BSP tree tells it from another.
TEST(World, GivesBackTheShapeThatWasAdded) {
  const Shape& spheres = setShapes()[0];
  const auto planes = spheres.with(*buildBspTree(spheres.polyhedron()));
  ASSERT_TRUE(planes);
  World world;
  const auto first = world.add(spheres, Pose{}), second = world.add(*planes, Pose{{9, 0, 0}});
  const auto third = world.add(*planes, Pose{{18, 0, 0}});
  ASSERT_TRUE(first && second && third);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(world.shapeOf(*first)->bspTree(), nullptr);
    EXPECT_EQ(world.shapeOf(*second)->bspTree(), planes->bspTree());
    EXPECT_EQ(world.shapeOf(*second), world.shapeOf(*third));
    ASSERT_TRUE(world.collisions());
  }
}

TEST(World, GivesBackAShapeWithoutSphereTree) {
  World world;
  const Shape& bare = setShapes().back();
  const BodyHandle body = *world.add(bare, Pose{}), other = *world.add(bare, {{0.3, 0, 0}});
  for (int round = 0; round < 2; ++round) {
    ASSERT_EQ((*world.collisions())->pairs.size(), 1u);
    EXPECT_EQ(world.shapeOf(body)->sphereTree(), nullptr);
    EXPECT_TRUE(world.shapeOf(other)->sharesMeshWith(bare));
    // The list of shapes is made anew
    ASSERT_TRUE(world.add(setShapes()[static_cast<std::size_t>(round)], {{50, 0, 0}}));
  }
}

/// Whether it is asked for collisions, for distances, for contacts and rays or for nothing.
TEST(World, ForgetsTheShapesOfBodiesThatAreGone) {
  const Shape& model = setShapes()[0];
  for (const int asked : {0, 1, 2, 3}) {
    World world;
    ASSERT_TRUE(world.add(setShapes()[1], Pose{}));
    std::vector<std::weak_ptr<const Polyhedron>> meshes;
    for (int i = 0; i < 20; ++i) {
      const auto mesh = std::make_shared<const Polyhedron>(model.polyhedron().mesh());
      meshes.push_back(mesh);
      const auto shape = Shape::of(mesh).with(*model.sphereTree());
      ASSERT_TRUE(shape);
      const auto body = world.add(*shape, Pose{{9, 0, 0}});
      ASSERT_TRUE(body);
      if (asked == 1) {
        ASSERT_TRUE(world.collisions());
      }
      if (asked == 2) {
        ASSERT_TRUE(world.minDistance());
      }
      if (asked == 3) {
        ASSERT_TRUE(world.contacts({9.0, 4}));
        ASSERT_TRUE(world.raycast({}));
      }
      ASSERT_TRUE(world.remove(*body));
    }
    const auto kept =
        std::ranges::count_if(meshes, [](const auto& mesh) { return !mesh.expired(); });
    EXPECT_LE(kept, 4) << "asked " << asked;
  }
}

/// Apart as its spheres tell, which samples of the surface do not prove.
TEST(World, DropsNoPairThatIsOnlyLikelyApart) {
  SphereTree::Data data = setShapes()[0].sphereTree()->data();
  data.coverage = Coverage::Samples;
  const auto sampled = setShapes()[0].with(SphereTree(std::move(data)));
  ASSERT_TRUE(sampled);
  const Pose beside{{1.5, 0, 0}};
  ASSERT_EQ(collide(*sampled, Pose{}, *sampled, beside).verdict, Verdict::Separate);
  World world;
  ASSERT_TRUE(world.add(*sampled, Pose{}));
  ASSERT_TRUE(world.add(*sampled, beside));
  const auto found = world.collisions();
  ASSERT_TRUE(found);
  EXPECT_TRUE((*found)->complete);
  ASSERT_EQ((*found)->pairs.size(), 1u);
  EXPECT_EQ((*found)->pairs[0].known.verdict, Verdict::Possible);
  EXPECT_FALSE((*found)->pairs[0].known.canRefine);
}

TEST(World, WhatItCannotWorkWithIsRefused) {
  World world;
  const Shape vast = Shape::of(Polyhedron(test::cube(1e18)));
  EXPECT_THAT(world.add(vast, Pose{}).error().message, HasSubstr("no farther than 4e17 metres"));
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_THAT(world.add(setShapes()[0], Pose{{nan, 0, 0}}).error().message,
              HasSubstr("pose: position.x is nan"));
  EXPECT_EQ(world.size(), 0u);
  const auto body = world.add(setShapes()[0], Pose{});
  EXPECT_THAT(world.setPose(*body, Pose{{0, 0, 0}, Quat(2, 0, 0, 0)}).error().message,
              HasSubstr("pose: rotation"));
  EXPECT_EQ(world.poseOf(*body)->rotation.w, 1.0);
  EXPECT_THAT(world.remove(BodyHandle{77}).error().message, HasSubstr("no body 77"));
  EXPECT_FALSE(world.setTraits(BodyHandle{77}, {}));
  EXPECT_EQ(world.shapeOf(BodyHandle{77}), nullptr);
  EXPECT_FALSE(world.minDistance(nan));
  EXPECT_FALSE(world.minDistance(-1.0));
  EXPECT_TRUE(world.remove(*body));
  EXPECT_TRUE((*world.collisions())->pairs.empty());
  EXPECT_TRUE(std::isinf(world.minDistance()->bounds.lower));
  EXPECT_EQ(world.minDistance(5.0)->bounds.lower, 5.0);
  EXPECT_TRUE(std::isinf(world.minDistance(5.0)->bounds.upper));
}

}  // namespace
}  // namespace nearmiss
