// SPDX-License-Identifier: MIT
#include <engine/flight/world.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace nearmiss::engine {
namespace {

constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
constexpr Real infinity = std::numeric_limits<Real>::infinity();
constexpr std::array hostile{nan, infinity, -infinity, 1e308, -1e308};

ShipDef at(Real x, Real y = 0.0, Real z = 0.0) {
  ShipDef def;
  def.pose.position = {x, y, z};
  return def;
}

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

TEST(World, NamesShipsForLife) {
  World world;
  const ShipId a = *world.create(at(1));
  const ShipId b = *world.create(at(2));
  const ShipId c = *world.create(at(3));
  EXPECT_FALSE(world.contains(ShipId{}));
  world.destroy(b);
  EXPECT_FALSE(world.contains(b));
  EXPECT_EQ(world.states().size(), 2u);
  EXPECT_EQ(world.states()[world.indexOf(a)].pose.position.x, 1.0);
  EXPECT_EQ(world.states()[world.indexOf(c)].pose.position.x, 3.0);

  // The slot is used again, the name is not
  const ShipId d = *world.create(at(4));
  EXPECT_EQ(d.index, b.index);
  EXPECT_NE(d, b);
  EXPECT_FALSE(world.contains(b));
  EXPECT_TRUE(world.contains(d));
  world.destroy(b);
  EXPECT_TRUE(world.contains(d));
  EXPECT_FALSE(world.contains(ShipId{99, 1}));
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
    const auto id = shared.create(def);
    ASSERT_EQ(alone.create(def).has_value(), id.has_value());
    if (id) ships.push_back(*id);
  }
  const std::uint64_t begin = stateHash(shared);
  for (int frame = 0; frame < 60; ++frame) {
    for (World* world : {&alone, &shared}) {
      SplitMix choices(static_cast<std::uint64_t>(frame));
      for (int k = 0; k < 50; ++k) {
        const std::size_t index = choices.bits() % world->states().size();
        world->setControl(index, {choices.between(-1, 1), choices.between(-1, 1), 0.5, 0.1});
      }
      // Ships that come, go and jump between two predictions
      if (frame % 7 == 3) world->destroy(ships[static_cast<std::size_t>(frame)]);
      world->predict(1.0 / 60.0);
      world->moveTo(world->time() + 1.0 / 120.0);
      if (frame % 9 == 4) world->destroy(ships[static_cast<std::size_t>(100 + frame)]);
      if (frame % 5 == 2) (void)world->setVelocity(200, Vec3(0.5));
      world->moveTo(world->predictedUntil());
    }
    ASSERT_EQ(stateHash(alone), stateHash(shared)) << frame;
  }
  EXPECT_NE(stateHash(shared), begin);
  EXPECT_EQ(alone.stepsTaken(), shared.stepsTaken());
  EXPECT_EQ(alone.jumps(), shared.jumps());
}

TEST(World, SurvivesRandomComingAndGoing) {
  struct Known {
    ShipId id;
    Real x;
    std::uint32_t key;
  };
  World world;
  std::vector<Known> alive;
  std::vector<ShipId> dead;
  SplitMix random(3);
  Real next = 1.0;
  for (int i = 0; i < 5000; ++i) {
    if (alive.empty() || random.unit() < 0.52) {
      const ShipId id = *world.create(at(next));
      alive.push_back({id, next, world.states()[world.indexOf(id)].key});
      next += 1.0;
    } else {
      const auto which = random.bits() % alive.size();
      world.destroy(alive[which].id);
      dead.push_back(alive[which].id);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_EQ(world.states().size(), alive.size());
  }
  // Order of creation is kept, and every name leads to its ship
  for (std::size_t p = 0; p < alive.size(); ++p) {
    ASSERT_TRUE(world.contains(alive[p].id));
    ASSERT_EQ(world.indexOf(alive[p].id), p);
    ASSERT_EQ(world.states()[p].pose.position.x, alive[p].x);
    ASSERT_EQ(world.states()[p].key, alive[p].key);
  }
  for (const ShipId id : dead) ASSERT_FALSE(world.contains(id));
  EXPECT_GT(dead.size(), 1000u);
}

TEST(World, JumpsEndTheMotionEpoch) {
  World world;
  EXPECT_TRUE(world.create(at(0)));
  const std::uint32_t epoch = world.states()[0].motionEpoch;
  world.setControl(0, {.thrust = 1.0});
  world.integrate(0.5);
  EXPECT_EQ(world.states()[0].motionEpoch, epoch) << "steering is inside the certified envelope";
  EXPECT_TRUE(world.setVelocity(0, {1, 0, 0}));
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1);
  EXPECT_TRUE(world.setPose(0, {{3, 0, 0}, glm::identity<Quat>()}));
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 2);
}

TEST(World, ABrokenPromiseEndsTheMotionEpoch) {
  World world;
  EXPECT_TRUE(world.create(at(0)));
  world.setControl(0, {.thrust = 0.5}, 2.0);
  const std::uint32_t epoch = world.states()[0].motionEpoch;
  world.integrate(0.5);
  world.setControl(0, {.thrust = 0.5});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch) << "the same control breaks nothing";
  world.setControl(0, {.thrust = 0.6});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1);
  world.setControl(0, {.thrust = 0.7});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1) << "promised nothing since";
  world.setControl(0, {.thrust = 0.8}, world.time() + 0.3);
  world.integrate(0.3);
  world.setControl(0, {.thrust = 0.9});
  EXPECT_EQ(world.states()[0].motionEpoch, epoch + 1) << "kept long enough";
}

TEST(World, PlanesStayWithTheirShips) {
  World world;
  std::vector<ShipId> ids;
  for (int i = 0; i < 40; ++i) {
    ShipDef def;
    def.pose.position = Vec3(i, 0.0, 0.0);
    def.pose.rotation = glm::angleAxis(0.1 * i, Vec3(0.0, 1.0, 0.0));
    ids.push_back(*world.create(def));
  }
  for (int i = 0; i < 40; i += 3) world.destroy(ids[static_cast<std::size_t>(i)]);
  const World moved = std::move(world);
  for (const BodyState& body : moved.states()) {
    ASSERT_EQ(body.planes.size(), 1u);
    const Vec3 ahead = body.pose.rotation * Vec3(0.0, 0.0, -1.0);
    EXPECT_GT(glm::dot(body.planes[0].direction, ahead), 0.999999);
    EXPECT_GE(body.planes[0].reverse, ShipLimits{}.reverseMax);
  }
}

TEST(World, BoundsGrowTowardsTheRimAndWithSpeed) {
  World world(Arena{9.0, 3.0, 0.6});
  EXPECT_TRUE(world.create(at(0)));
  EXPECT_TRUE(world.create(at(8.9)));
  EXPECT_TRUE(world.create(at(0)));
  EXPECT_TRUE(world.setVelocity(2, {0, 2, 0}));
  const auto states = world.states();
  EXPECT_GT(states[1].accelerationBound, states[0].accelerationBound);
  EXPECT_GT(states[2].accelerationBound, states[0].accelerationBound);
  EXPECT_GE(states[0].accelerationBound, ShipLimits{}.accelerationMax);
  EXPECT_GT(states[0].boundHoldsUntil, world.time());
}

TEST(World, ClampsSticks) {
  World world;
  EXPECT_TRUE(world.create(at(0)));
  world.setControl(0, {7.0, -3.0, 0.25, nan});
  const ShipControl& control = world.control(0);
  EXPECT_EQ(control.thrust, 1.0);
  EXPECT_EQ(control.pitch, -1.0);
  EXPECT_EQ(control.yaw, 0.25);
  EXPECT_EQ(control.roll, 0.0);
}

TEST(World, NonFiniteControlsNeverSpread) {
  World world, released;
  EXPECT_TRUE(world.create(at(0)));
  EXPECT_TRUE(released.create(at(0)));
  for (const Real bad : {nan, infinity, -infinity}) {
    world.setControl(0, {bad, bad, bad, bad});
    world.integrate(0.1);
    released.integrate(0.1);
  }
  EXPECT_EQ(stateHash(world), stateHash(released));
}

TEST(World, RefusesJumpsThatAreNotFinite) {
  World world;
  EXPECT_TRUE(world.create(at(1)));
  const std::uint64_t before = stateHash(world);
  for (const Real bad : hostile)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3 v(0.0);
      v[axis] = bad;
      EXPECT_FALSE(world.setVelocity(0, v));
      EXPECT_FALSE(world.setPose(0, {v, glm::identity<Quat>()}));
      EXPECT_FALSE(world.setPose(0, {Vec3(0.0), Quat(1.0, v)}));
      EXPECT_FALSE(world.setPose(0, {Vec3(0.0), Quat(bad, 0.0, 0.0, 0.0)}));
    }
  EXPECT_FALSE(world.setPose(0, {Vec3(0.0), Quat(0.0, 0.0, 0.0, 0.0)}));
  for (const Real bad : hostile) world.integrate(bad > 1e300 ? nan : bad);
  world.integrate(0.0);
  world.integrate(-1.0);
  EXPECT_EQ(world.setVelocity(0, {0.0, nan, 0.0}).error().message,
            "ship 1: velocity.y is nan, but must be finite");
  EXPECT_EQ(world.setPose(0, {{0.0, 0.0, -1e300}, glm::identity<Quat>()}).error().message,
            "ship 1: pose.position.z is -1e+300, but must be at most 1e50 in size");
  EXPECT_EQ(stateHash(world), before);
  EXPECT_EQ(world.states()[0].motionEpoch, 0u);
}

/// Each field in turn: refused in one sentence that names ship and field, and nothing is changed.
TEST(World, RefusesShipsThatItCannotHold) {
  struct Bad {
    const char* field;
    Real ShipDef::*own;
    Real ShipLimits::*limit;
    std::vector<Real> values;
  };
  const std::vector<Real> magnitudes{nan, infinity, -infinity, -1.0, -5e-324};
  const std::vector<Bad> fields{
      {"mass", &ShipDef::mass, nullptr, {nan, -infinity, -1.0, 0.0, -0.0}},
      {"limits.accelerationMax", nullptr, &ShipLimits::accelerationMax, magnitudes},
      {"limits.reverseMax", nullptr, &ShipLimits::reverseMax, magnitudes},
      {"limits.turnMax", nullptr, &ShipLimits::turnMax, magnitudes},
      {"limits.drag", nullptr, &ShipLimits::drag, magnitudes}};
  World world;
  EXPECT_TRUE(world.create(at(1)));
  const std::uint64_t before = stateHash(world), jumps = world.jumps();
  const auto expectRefused = [&](const ShipDef& def, const std::string& start) {
    const auto refused = world.create(def);
    ASSERT_FALSE(refused) << start;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().message.rfind("ship 2: " + start + " is ", 0), 0u)
        << refused.error().message;
  };
  for (const Real value : magnitudes) {
    ShipDef def = at(2);
    def.shape = ShapeRef::ofRadius(value);
    expectRefused(def, "shape.radius");
  }
  for (const Bad& bad : fields)
    for (const Real value : bad.values) {
      ShipDef def = at(2);
      (bad.own ? def.*bad.own : def.limits.*bad.limit) = value;
      expectRefused(def, bad.field);
    }
  for (const Real value : hostile)
    for (int axis = 0; axis < 3; ++axis) {
      const std::string letter(1, "xyz"[axis]);
      ShipDef def = at(2);
      def.pose.position[axis] = value;
      expectRefused(def, "pose.position." + letter);
      def = at(2);
      def.velocity[axis] = value;
      expectRefused(def, "velocity." + letter);
    }
  ShipDef turned = at(2);
  turned.pose.rotation = Quat(0.0, 0.0, 0.0, 0.0);
  expectRefused(turned, "the length of pose.rotation");

  // As if nothing had been asked for: the next ship has the next key
  EXPECT_EQ(stateHash(world), before);
  EXPECT_EQ(world.jumps(), jumps);
  ShipDef heavy = at(3);
  heavy.mass = infinity;
  EXPECT_TRUE(world.create(heavy));
  EXPECT_EQ(world.states()[1].key, 2u);
}

TEST(World, StaysFiniteWhateverAShipIsMadeOf) {
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
      refused += !world.create(def);
      EXPECT_TRUE(world.create(at(2)));
      world.setControl(0, {1.0, 1.0, 1.0, 1.0});
      for (int i = 0; i < 3; ++i) world.integrate(0.05);
      ASSERT_TRUE(allFinite(world)) << "field " << field << " = " << v;
      ASSERT_GT(world.mass(0), 0.0);
    }
  }
  // Of 13 fields and 9 values; the others fly
  EXPECT_GT(refused, 13 * 3);
  EXPECT_LT(refused, 13 * 6);
}

TEST(World, KeepsUnitRotationsToTheBitAndMendsOthers) {
  World world;
  const Quat unit = glm::normalize(Quat(0.3, 0.1, -0.7, 0.2));
  ShipDef def;
  def.pose.rotation = unit;
  EXPECT_TRUE(world.create(def));
  EXPECT_EQ(world.states()[0].pose.rotation, unit);
  def.pose.rotation = unit * 3.0;
  EXPECT_TRUE(world.create(def));
  const Quat& mended = world.states()[1].pose.rotation;
  EXPECT_NEAR(glm::dot(mended, mended), 1.0, 1e-15);
}

TEST(StateHash, SeesEveryNumber) {
  const auto make = [] {
    World world;
    EXPECT_TRUE(world.create(at(1)));
    EXPECT_TRUE(world.create(at(2)));
    return world;
  };
  std::vector<std::uint64_t> hashes{stateHash(make())};
  World moved = make();
  EXPECT_TRUE(moved.setPose(1, {{2, 1e-300, 0}, glm::identity<Quat>()}));
  hashes.push_back(stateHash(moved));
  World faster = make();
  EXPECT_TRUE(faster.setVelocity(0, {0, 0, 5e-324}));
  hashes.push_back(stateHash(faster));
  World steered = make();
  steered.setControl(1, {.roll = 0.5});
  hashes.push_back(stateHash(steered));
  World later = make();
  later.integrate(1e-9);
  hashes.push_back(stateHash(later));
  World swapped;
  EXPECT_TRUE(swapped.create(at(2)));
  EXPECT_TRUE(swapped.create(at(1)));
  hashes.push_back(stateHash(swapped));
  for (std::size_t i = 0; i < hashes.size(); ++i)
    for (std::size_t j = i + 1; j < hashes.size(); ++j) EXPECT_NE(hashes[i], hashes[j]) << i << j;
  EXPECT_EQ(stateHash(make()), hashes[0]);
}

}  // namespace
}  // namespace nearmiss::engine
