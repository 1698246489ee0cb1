// SPDX-License-Identifier: MIT
#include <engine/flight/ships.h>
#include <engine/scene/scene_settings.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <array>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/placed_ships.h"

namespace nearmiss::engine {
namespace {

using test::at;
using test::hostile;
using test::nan;

TEST(Ships, NamesShipsForLife) {
  Ships ships;
  const ShipId a = *ships.create(at(1));
  const ShipId b = *ships.create(at(2));
  const ShipId c = *ships.create(at(3));
  EXPECT_FALSE(ships.ids().contains(ShipId{}));
  ships.destroy(b);
  EXPECT_FALSE(ships.ids().contains(b));
  EXPECT_EQ(ships.states().size(), 2u);
  EXPECT_EQ(ships.states()[ships.ids().indexOf(a)].pose.position.x, 1.0);
  EXPECT_EQ(ships.states()[ships.ids().indexOf(c)].pose.position.x, 3.0);

  // The slot is used again, the name is not
  const ShipId d = *ships.create(at(4));
  EXPECT_EQ(d.index, b.index);
  EXPECT_NE(d, b);
  EXPECT_FALSE(ships.ids().contains(b));
  EXPECT_TRUE(ships.ids().contains(d));
  ships.destroy(b);
  EXPECT_TRUE(ships.ids().contains(d));
  EXPECT_FALSE(ships.ids().contains(ShipId{99, 1}));
}

TEST(Ships, SurvivesRandomComingAndGoing) {
  struct Known {
    ShipId id;
    Real x;
    std::uint32_t key;
  };
  Ships ships;
  std::vector<Known> alive;
  std::vector<ShipId> dead;
  SplitMix random(3);
  Real next = 1.0;
  for (int i = 0; i < 5000; ++i) {
    if (alive.empty() || random.unit() < 0.52) {
      const ShipId id = *ships.create(at(next));
      alive.push_back({id, next, ships.states()[ships.ids().indexOf(id)].key});
      next += 1.0;
    } else {
      const auto which = random.bits() % alive.size();
      ships.destroy(alive[which].id);
      dead.push_back(alive[which].id);
      alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(which));
    }
    ASSERT_EQ(ships.states().size(), alive.size());
  }
  // Order of creation is kept, and every name leads to its ship
  for (std::size_t p = 0; p < alive.size(); ++p) {
    ASSERT_TRUE(ships.ids().contains(alive[p].id));
    ASSERT_EQ(ships.ids().indexOf(alive[p].id), p);
    ASSERT_EQ(ships.states()[p].pose.position.x, alive[p].x);
    ASSERT_EQ(ships.states()[p].key, alive[p].key);
  }
  for (const ShipId id : dead) ASSERT_FALSE(ships.ids().contains(id));
  EXPECT_GT(dead.size(), 1000u);
}

TEST(Ships, PlanesStayWithTheirShips) {
  Ships ships;
  std::vector<ShipId> ids;
  for (int i = 0; i < 40; ++i) {
    ShipDef def;
    def.pose.position = Vec3(i, 0.0, 0.0);
    def.pose.rotation = glm::angleAxis(0.1 * i, Vec3(0.0, 1.0, 0.0));
    ids.push_back(*ships.create(def));
  }
  for (int i = 0; i < 40; i += 3) ships.destroy(ids[static_cast<std::size_t>(i)]);
  const Ships copied = ships;
  const Ships moved = std::move(ships);
  for (const Ships* const flown : {&copied, &moved})
    for (const BodyState& body : flown->states()) {
      ASSERT_EQ(body.planes.size(), 1u);
      const Vec3 ahead = body.pose.rotation * Vec3(0.0, 0.0, -1.0);
      EXPECT_GT(glm::dot(body.planes[0].direction, ahead), 0.999999);
      EXPECT_GE(body.planes[0].reverse, ShipLimits{}.reverseMax);
    }
  for (std::size_t i = 0; i < copied.states().size(); ++i)
    EXPECT_NE(copied.states()[i].planes.data(), moved.states()[i].planes.data());
}

TEST(Ships, BoundsGrowTowardsTheRimAndWithSpeed) {
  Ships ships(Arena{9.0, 3.0, 0.6});
  EXPECT_TRUE(ships.create(at(0)));
  EXPECT_TRUE(ships.create(at(8.9)));
  EXPECT_TRUE(ships.create(at(0)));
  EXPECT_TRUE(ships.setVelocity(2, {0, 2, 0}));
  const auto states = ships.states();
  EXPECT_GT(states[1].accelerationBound, states[0].accelerationBound);
  EXPECT_GT(states[2].accelerationBound, states[0].accelerationBound);
  EXPECT_GE(states[0].accelerationBound, ShipLimits{}.accelerationMax);
  EXPECT_GT(states[0].boundHoldsUntil, ships.time());
}

TEST(Ships, ClampsSticks) {
  Ships ships;
  EXPECT_TRUE(ships.create(at(0)));
  ships.setControl(0, {7.0, -3.0, 0.25, nan});
  const ShipControl& control = ships.control(0);
  EXPECT_EQ(control.thrust, 1.0);
  EXPECT_EQ(control.pitch, -1.0);
  EXPECT_EQ(control.yaw, 0.25);
  EXPECT_EQ(control.roll, 0.0);
}

/// Each field in turn: refused in one sentence that names ship and field, and nothing is changed.
TEST(Ships, RefusesShipsThatItCannotHold) {
  struct Bad {
    const char* field;
    Real ShipDef::*own;
    Real ShipLimits::*limit;
    std::vector<Real> values;
  };
  const std::vector<Real> magnitudes{nan, test::infinity, -test::infinity, -1.0, -5e-324};
  const std::vector<Bad> fields{
      {"mass", &ShipDef::mass, nullptr, {nan, -test::infinity, -1.0, 0.0, -0.0}},
      {"limits.accelerationMax", nullptr, &ShipLimits::accelerationMax, magnitudes},
      {"limits.reverseMax", nullptr, &ShipLimits::reverseMax, magnitudes},
      {"limits.turnMax", nullptr, &ShipLimits::turnMax, magnitudes},
      {"limits.drag", nullptr, &ShipLimits::drag, magnitudes}};
  Ships ships;
  EXPECT_TRUE(ships.create(at(1)));
  const std::uint64_t before = stateHash(ships), jumps = ships.jumps().count();
  const auto expectRefused = [&](const ShipDef& def, const std::string& start) {
    const auto refused = ships.create(def);
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
  // A sphere that does not hold the ship would miss what meets it
  for (const Real value : {std::nextafter(1e12, test::infinity), 1e300}) {
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
  EXPECT_EQ(stateHash(ships), before);
  EXPECT_EQ(ships.jumps().count(), jumps);
  ShipDef heavy = at(3);
  heavy.mass = test::infinity;
  EXPECT_TRUE(ships.create(heavy));
  EXPECT_EQ(ships.states()[1].key, 2u);
}

TEST(Ships, KeepsUnitRotationsToTheBitAndMendsOthers) {
  Ships ships;
  const Quat unit = glm::normalize(Quat(0.3, 0.1, -0.7, 0.2));
  ShipDef def;
  def.pose.rotation = unit;
  EXPECT_TRUE(ships.create(def));
  EXPECT_EQ(ships.states()[0].pose.rotation, unit);
  def.pose.rotation = unit * 3.0;
  EXPECT_TRUE(ships.create(def));
  const Quat& mended = ships.states()[1].pose.rotation;
  EXPECT_NEAR(glm::dot(mended, mended), 1.0, 1e-15);
}

TEST(Ships, FlyByWhateverLimitsASceneMayHave) {
  Ships ships;
  ShipDef def = at(1);
  for (const Setting<ShipLimits>& setting : limitSettings) {
    const auto& value = std::get<RealValue<ShipLimits>>(setting.value);
    value.set(def.limits, value.max);
  }
  ASSERT_TRUE(ships.create(def));
  for (const Setting<ShipLimits>& setting : limitSettings) {
    const auto& value = std::get<RealValue<ShipLimits>>(setting.value);
    EXPECT_EQ(value.get(ships.definition(0).limits), value.max) << setting.key;
  }
}

}  // namespace
}  // namespace nearmiss::engine
