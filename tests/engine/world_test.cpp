// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>
#include <engine/flight/world.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/placed_ships.h"
#include "support/untrapped.h"

namespace nearmiss::engine {
namespace {

using test::at;
using test::hostile;
using test::infinity;
using test::nan;

bool allFinite(const World& world) {
  for (const BodyState& b : world.states()) {
    const std::array values{b.pose.position.x, b.pose.position.y,   b.pose.position.z,
                            b.pose.rotation.w, b.pose.rotation.x,   b.pose.rotation.y,
                            b.pose.rotation.z, b.velocity.x,        b.velocity.y,
                            b.velocity.z,      b.accelerationBound, b.shape.radius()};
    for (const Real v : values)
      if (!std::isfinite(v)) return false;
  }
  return std::isfinite(world.time());
}

TEST(World, MovesShipsTheSameOnManyThreads) {
  WorkerPool pool(3);
  World alone, shared;
  shared.shareWork(&pool);
  SplitMix random(5);
  std::vector<ShipId> ships;
  for (int i = 0; i < 700; ++i) {
    ShipDef def = at(random.between(-20, 20), random.between(-20, 20), random.between(-20, 20));
    def.velocity = {random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)};
    def.limits = {12.0, 6.0, 1.7, 3.0};
    // One that overflows, and is stopped
    if (i == 333) def.velocity = Vec3(1e200);
    const auto id = shared.ships().create(def);
    ASSERT_EQ(alone.ships().create(def).has_value(), id.has_value());
    if (id) ships.push_back(*id);
  }
  const std::uint64_t begin = stateHash(shared.ships());
  for (int frame = 0; frame < 60; ++frame) {
    for (World* world : {&alone, &shared}) {
      SplitMix choices(static_cast<std::uint64_t>(frame));
      for (int k = 0; k < 50; ++k) {
        const std::size_t index = choices.bits() % world->states().size();
        world->ships().setControl(index,
                                  {choices.between(-1, 1), choices.between(-1, 1), 0.5, 0.1});
      }
      // Ships that come, go and jump between two predictions
      if (frame % 7 == 3) world->ships().destroy(ships[static_cast<std::size_t>(frame)]);
      world->predict(1.0 / 60.0);
      world->moveTo(world->time() + 1.0 / 120.0);
      if (frame % 9 == 4) world->ships().destroy(ships[static_cast<std::size_t>(100 + frame)]);
      if (frame % 5 == 2) (void)world->ships().setVelocity(200, Vec3(0.5));
      world->moveTo(world->predictedUntil());
    }
    ASSERT_EQ(stateHash(alone.ships()), stateHash(shared.ships())) << frame;
  }
  EXPECT_NE(stateHash(shared.ships()), begin);
  EXPECT_EQ(alone.stepsTaken(), shared.stepsTaken());
  EXPECT_EQ(alone.ships().jumps().count(), shared.ships().jumps().count());
}

TEST(World, IsSteeredTheSameOnManyThreads) {
  WorkerPool pool(3);
  World alone, shared;
  DronePilots ofAlone(7, {}), ofShared(7, {});
  SplitMix random(8);
  for (int i = 0; i < 1500; ++i) {
    ShipDef def = at(random.between(-9, 9), random.between(-9, 9), random.between(-9, 9));
    def.velocity = {random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    ofAlone.add(*alone.ships().create(def));
    ofShared.add(*shared.ships().create(def));
  }
  std::size_t broken = 0;
  for (int frame = 0; frame < 60; ++frame) {
    std::vector<BodyPair> struck;
    for (int k = 0; k < 40; ++k) {
      const auto a = static_cast<std::uint32_t>(random.bits() % 1500);
      const auto b = static_cast<std::uint32_t>(random.bits() % 1510);  // some have gone
      if (a != b) struck.push_back(pairOf(a, b));
    }
    alone.ships().forgetJumps();
    shared.ships().forgetJumps();
    ofAlone.steer(alone.ships(), struck);
    ofShared.steer(shared.ships(), struck, &pool);
    const auto jumped = alone.ships().jumps().ships(),
               sharedJumped = shared.ships().jumps().ships();
    ASSERT_TRUE(jumped && sharedJumped);
    ASSERT_TRUE(std::ranges::equal(*jumped, *sharedJumped)) << frame;
    broken += jumped->size();
    alone.integrate(0.1);
    shared.integrate(0.1);
    ASSERT_EQ(stateHash(alone.ships()), stateHash(shared.ships())) << frame;
    for (std::size_t i = 0; i < 1500; ++i) {
      ASSERT_EQ(alone.states()[i].boundHoldsUntil, shared.states()[i].boundHoldsUntil);
      ASSERT_EQ(alone.states()[i].motionEpoch, shared.states()[i].motionEpoch);
    }
  }
  EXPECT_GT(broken, 500u);
}

TEST(World, KnowsTheShortestPromiseOfItsShips) {
  World world;
  const Real longest = world.ships().shortestPromise();
  ShipDef slow = at(0), quick = at(5);
  slow.limits.turnMax = 1.0;
  quick.limits.turnMax = 4.0;
  ASSERT_TRUE(world.ships().create(slow));
  const Real ofSlow = world.ships().shortestPromise();
  const auto id = world.ships().create(quick);
  ASSERT_TRUE(id);
  const Real ofBoth = world.ships().shortestPromise();
  EXPECT_LT(ofSlow, longest);
  EXPECT_LT(ofBoth, ofSlow);
  const World same = world.copy();
  EXPECT_EQ(same.ships().shortestPromise(), ofBoth);
  world.ships().destroy(*id);
  EXPECT_EQ(world.ships().shortestPromise(), ofSlow);
  EXPECT_EQ(world.states()[0].boundHoldsUntil, ofSlow);
}

TEST(World, JumpsEndTheMotionEpoch) {
  World world;
  EXPECT_TRUE(world.ships().create(at(0)));
  const std::uint32_t epoch = world.states()[0].motionEpoch;
  world.ships().setControl(0, {.thrust = 1.0});
  world.integrate(0.5);
  EXPECT_EQ(world.states()[0].motionEpoch, epoch) << "steering is inside the certified envelope";
  EXPECT_TRUE(world.ships().setVelocity(0, {1, 0, 0}));
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1);
  EXPECT_TRUE(world.ships().setPose(0, {{3, 0, 0}, glm::identity<Quat>()}));
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 2);
}

TEST(World, ABrokenPromiseEndsTheMotionEpoch) {
  World world;
  EXPECT_TRUE(world.ships().create(at(0)));
  world.ships().setControl(0, {.thrust = 0.5}, 2.0);
  const std::uint32_t epoch = world.states()[0].motionEpoch;
  world.integrate(0.5);
  world.ships().setControl(0, {.thrust = 0.5});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch) << "the same control breaks nothing";
  world.ships().setControl(0, {.thrust = 0.6});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1);
  world.ships().setControl(0, {.thrust = 0.7});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1) << "promised nothing since";
  world.ships().setControl(0, {.thrust = 0.8}, world.time() + 0.3);
  world.integrate(0.3);
  world.ships().setControl(0, {.thrust = 0.9});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1) << "kept long enough";
}

TEST(World, NonFiniteControlsNeverSpread) {
  World world, released;
  EXPECT_TRUE(world.ships().create(at(0)));
  EXPECT_TRUE(released.ships().create(at(0)));
  for (const Real bad : {nan, infinity, -infinity}) {
    world.ships().setControl(0, {bad, bad, bad, bad});
    world.integrate(0.1);
    released.integrate(0.1);
  }
  EXPECT_EQ(stateHash(world.ships()), stateHash(released.ships()));
}

TEST(World, RefusesJumpsThatAreNotFinite) {
  World world;
  EXPECT_TRUE(world.ships().create(at(1)));
  const std::uint64_t before = stateHash(world.ships());
  for (const Real bad : hostile)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 v(0.0);
      v[axis] = bad;
      EXPECT_FALSE(world.ships().setVelocity(0, v));
      EXPECT_FALSE(world.ships().setPose(0, {v, glm::identity<Quat>()}));
      EXPECT_FALSE(world.ships().setPose(0, {Vec3(0.0), Quat(1.0, v)}));
      EXPECT_FALSE(world.ships().setPose(0, {Vec3(0.0), Quat(bad, 0.0, 0.0, 0.0)}));
    }
  EXPECT_FALSE(world.ships().setPose(0, {Vec3(0.0), Quat(0.0, 0.0, 0.0, 0.0)}));
  for (const Real bad : hostile) world.integrate(bad > 1e300 ? nan : bad);
  world.integrate(0.0);
  world.integrate(-1.0);
  EXPECT_EQ(world.ships().setVelocity(0, {0.0, nan, 0.0}).error().message,
            "ship 1: velocity.y is nan, but must be finite");
  EXPECT_EQ(world.ships().setPose(0, {{0.0, 0.0, -1e300}, glm::identity<Quat>()}).error().message,
            "ship 1: pose.position.z is -1e+300, but must be at most 1e50 in size");
  EXPECT_EQ(stateHash(world.ships()), before);
  EXPECT_EQ(world.states()[0].motionEpoch, 0u);
}

TEST(World, StaysFiniteWhateverAShipIsMadeOf) {
  const nearmiss::test::Untrapped endsOfTheRange;
  constexpr std::array values{nan, infinity, -infinity, 1e308, -1e308, 0.0, -0.0, -1.0, 5e-324};
  int refused = 0;
  for (const Real v : values) {
    for (int field = 0; field < 16; ++field) {
      ShipDef def = at(1);
      Real radius = def.shape.radius();
      const std::array<Real*, 13> fields{&def.pose.position.x,
                                         &def.pose.position.z,
                                         &def.pose.rotation.w,
                                         &def.pose.rotation.y,
                                         &def.velocity.x,
                                         &def.velocity.y,
                                         &radius,
                                         &def.mass,
                                         &def.limits.accelerationMax,
                                         &def.limits.reverseMax,
                                         &def.limits.turnMax,
                                         &def.limits.drag,
                                         &def.pose.position.y};
      Arena arena;
      const std::array<Real*, 3> ofArena{&arena.radius, &arena.rim, &arena.pushMax};
      if (field < 13)
        *fields[static_cast<std::size_t>(field)] = v;
      else
        *ofArena[static_cast<std::size_t>(field - 13)] = v;
      def.shape = ShapeRef::ofRadius(radius);
      World world(arena);
      refused += !world.ships().create(def);
      EXPECT_TRUE(world.ships().create(at(2)));
      world.ships().setControl(0, {1.0, 1.0, 1.0, 1.0});
      for (int i = 0; i < 3; ++i) world.integrate(0.05);
      ASSERT_TRUE(allFinite(world)) << "field " << field << " = " << v;
      ASSERT_GT(world.ships().definition(0).mass, 0.0);
    }
  }
  // Of 13 fields and 9 values; the others fly
  EXPECT_GT(refused, 13 * 3);
  EXPECT_LT(refused, 13 * 6);
}

TEST(StateHash, SeesEveryNumber) {
  const auto make = [] {
    World world;
    EXPECT_TRUE(world.ships().create(at(1)));
    EXPECT_TRUE(world.ships().create(at(2)));
    return world;
  };
  std::vector<std::uint64_t> hashes{stateHash(make().ships())};
  World moved = make();
  EXPECT_TRUE(moved.ships().setPose(1, {{2, 1e-300, 0}, glm::identity<Quat>()}));
  hashes.push_back(stateHash(moved.ships()));
  World faster = make();
  EXPECT_TRUE(faster.ships().setVelocity(0, {0, 0, 5e-324}));
  hashes.push_back(stateHash(faster.ships()));
  World steered = make();
  steered.ships().setControl(1, {.roll = 0.5});
  hashes.push_back(stateHash(steered.ships()));
  World later = make();
  later.integrate(1e-9);
  hashes.push_back(stateHash(later.ships()));
  World swapped;
  EXPECT_TRUE(swapped.ships().create(at(2)));
  EXPECT_TRUE(swapped.ships().create(at(1)));
  hashes.push_back(stateHash(swapped.ships()));
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t j = i + 1; j < hashes.size(); ++j) EXPECT_NE(hashes[i], hashes[j]) << i << j;
  EXPECT_EQ(stateHash(make().ships()), hashes[0]);
}

}  // namespace
}  // namespace nearmiss::engine
