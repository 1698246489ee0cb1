// SPDX-License-Identifier: MIT
/// Tow beams: what they grab, how they pull, how they end.
#include <engine/flight/world.h>
#include <engine/game/tow_beam.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <vector>

namespace nearmiss::engine {
namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();

ShipDef defOf(const Vec3& place, Real mass, Real radius = 1.0) {
  ShipDef def;
  def.shape = ShapeRef::ofRadius(radius);
  def.pose.position = place;
  def.mass = mass;
  def.limits = {0.0, 0.0, 2.0, 0.0};
  return def;
}

/// Ships without engines and drag, and beams whose acts are performed as the simulation does it.
struct Yard {
  World world{Arena{1e6, 1.0, 0.0}};

  std::size_t add(const ShipDef& def) {
    EXPECT_TRUE(world.ships().create(def));
    return world.states().size() - 1;
  }
  [[nodiscard]] const BodyState& at(std::size_t ship) const { return world.states()[ship]; }
  [[nodiscard]] Real gap(std::size_t a, std::size_t b) const {
    return glm::distance(at(a).pose.position, at(b).pose.position) - at(a).shape.radius() -
           at(b).shape.radius();
  }
  [[nodiscard]] Vec3 momentum() const {
    Vec3 sum(0.0);
    for (std::size_t i = 0; i < world.states().size(); ++i)
      if (const Real mass = world.ships().definition(i).mass; std::isfinite(mass))
        sum += mass * at(i).velocity;
    return sum;
  }
  void perform(std::span<const HandAct> acts) { Shots().act(world.ships(), ShipId(), acts); }
  void fly(TowBeam& beam, Real dt) {
    perform(beam.pull(world.ships(), dt));
    world.integrate(dt);
  }
};

TEST(TowBeam, TakesTheNearestBodyInFrontOnly) {
  Yard yard;
  const std::size_t ship = yard.add(defOf({0.0, 0.0, 0.0}, 1.0));
  (void)yard.add(defOf({0.0, 0.0, 2.5}, 1.0));   // behind
  (void)yard.add(defOf({2.5, 0.0, -0.5}, 1.0));  // beside
  (void)yard.add(defOf({0.0, 0.0, -2.2}, infinite));
  TowBeam beam;
  EXPECT_FALSE(beam.attach(yard.world.ships(), ship));
  EXPECT_FALSE(beam.on());
  (void)yard.add(defOf({0.0, 0.0, -6.1}, 1.0));  // beyond reach by 0.1 m
  EXPECT_FALSE(beam.attach(yard.world.ships(), ship));
  const std::size_t far = yard.add(defOf({0.5, 0.0, -5.5}, 1.0));
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  EXPECT_EQ(beam.body(), yard.at(far).key);
  EXPECT_EQ(beam.ship(), yard.at(ship).key);
  // A large body is near by its sphere, not by its centre
  const std::size_t large = yard.add(defOf({1.0, -3.0, -5.5}, 3.0, 4.0));
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  EXPECT_EQ(beam.body(), yard.at(large).key);
  const std::vector excluded{yard.at(large).key};
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship, excluded));
  EXPECT_EQ(beam.body(), yard.at(far).key);
  beam.release();
  EXPECT_EQ(beam.state(), TowBeam::State::Off);
  EXPECT_TRUE(beam.pull(yard.world.ships(), 0.1).empty());
  EXPECT_TRUE(beam.throwAhead(yard.world.ships()).empty());
}

TEST(TowBeam, ConservesMomentum) {
  Yard yard;
  ShipDef moving = defOf({0.0, 0.0, 0.0}, 2.0);
  moving.velocity = {0.4, 0.1, -1.0};
  const std::size_t ship = yard.add(moving);
  const std::size_t body = yard.add(defOf({0.8, 0.3, -5.0}, 0.7));
  const Vec3 before = yard.momentum();
  TowBeam beam;
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  for (int i = 0; i < 200; ++i) {
    yard.fly(beam, 1.0 / 60.0);
    ASSERT_LT(glm::distance(yard.momentum(), before), 1e-12) << i;
  }
  EXPECT_GT(glm::distance(yard.at(ship).velocity, moving.velocity), 0.05);
  yard.perform(beam.throwAhead(yard.world.ships()));
  EXPECT_FALSE(beam.on());
  EXPECT_LT(glm::distance(yard.momentum(), before), 1e-12);
  const Vec3 nose = yard.at(ship).pose.rotation * Vec3(0.0, 0.0, -1.0);
  EXPECT_NEAR(glm::dot(yard.at(body).velocity - yard.at(ship).velocity, nose), TowBeam::throwSpeed,
              0.1);
}

TEST(TowBeam, DoesNotPushAShipOfInfiniteMass) {
  Yard yard;
  const std::size_t ship = yard.add(defOf({0.0, 0.0, 0.0}, infinite));
  const std::size_t body = yard.add(defOf({0.0, 0.0, -5.0}, 2.0));
  TowBeam beam;
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  for (int i = 0; i < 300; ++i) yard.fly(beam, 1.0 / 60.0);
  yard.perform(beam.throwAhead(yard.world.ships()));
  EXPECT_EQ(yard.at(ship).velocity, Vec3(0.0));
  EXPECT_NEAR(yard.at(body).velocity.z, -TowBeam::throwSpeed, 0.1);
}

/// The mass that carries the potential energy of the spring, at most.
Real energyOf(const Yard& yard, std::size_t ship, std::size_t body, Real mass) {
  const Vec3 speed = yard.at(body).velocity - yard.at(ship).velocity;
  const Real length = yard.at(ship).shape.radius() + yard.at(body).shape.radius() + TowBeam::gap;
  const Vec3 place =
      yard.at(ship).pose.position + yard.at(ship).pose.rotation * Vec3(0.0, 0.0, -length);
  const Vec3 stretch = yard.at(body).pose.position - place;
  return 0.5 * mass *
         (glm::dot(speed, speed) + TowBeam::rate * TowBeam::rate * glm::dot(stretch, stretch));
}

TEST(TowBeam, SettlesWithoutTouchingAtEveryFrameRate) {
  for (const Real dt : {1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0, 0.2, 1.0})
    for (const Real shipMass : {1.0, 4.0, infinite})
      for (const Real mass : {0.1, 1.0, 3.0, 12.0})
        for (const Vec3& start :
             {Vec3(0.0, 0.0, -5.9), Vec3(1.8, 0.0, -3.0), Vec3(0.9, 0.7, -2.0)}) {
          Yard yard;
          const std::size_t ship = yard.add(defOf(Vec3(0.0), shipMass));
          const std::size_t body = yard.add(defOf(start, mass));
          TowBeam beam;
          ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
          const Real reduced = std::isfinite(shipMass) ? mass * shipMass / (mass + shipMass) : mass;
          const Real before = energyOf(yard, ship, body, reduced);
          const Real least = std::min(yard.gap(ship, body), 0.0);
          for (Real time = 0.0; time < 20.0; time += dt) {
            yard.fly(beam, dt);
            ASSERT_TRUE(beam.on()) << dt << ", " << mass << ", " << shipMass;
            ASSERT_LT(energyOf(yard, ship, body, reduced), 1.0001 * before)
                << dt << ", " << mass << ", " << shipMass << " at " << time;
            ASSERT_GT(yard.gap(ship, body), least - 1e-9)
                << dt << ", " << mass << ", " << shipMass << " at " << time;
          }
          EXPECT_NEAR(yard.gap(ship, body), TowBeam::gap, 0.01)
              << dt << ", " << mass << ", " << shipMass;
          EXPECT_LT(energyOf(yard, ship, body, reduced), 1e-3 * before)
              << dt << ", " << mass << ", " << shipMass;
        }
}

TEST(TowBeam, CarriesTheBodyAroundTurnsWithoutTouching) {
  for (const Real dt : {1.0 / 144.0, 1.0 / 60.0, 1.0 / 30.0, 0.1})
    for (const Real mass : {0.3, 1.0, 2.0}) {
      Yard yard;
      ShipDef def = defOf(Vec3(0.0), 2.0);
      def.limits = {7.2, 7.2, 1.68, 0.5};
      const std::size_t ship = yard.add(def);
      const std::size_t body = yard.add(defOf({0.0, 0.0, -4.0}, mass));
      TowBeam beam;
      ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
      Real nearest = 1e3, travelled = 0.0;
      for (Real time = 0.0; time < 24.0; time += dt) {
        // Thrust, turn to either side, brake
        ShipControl control;
        const Real phase = time - 8.0 * std::floor(time / 8.0);
        control.thrust = phase < 3.0 ? 0.55 : phase < 6.0 ? 0.3 : -0.55;
        control.yaw = phase < 2.0 ? 0.0 : phase < 4.0 ? 1.0 : phase < 6.0 ? -1.0 : 0.0;
        yard.world.ships().setControl(ship, control);
        yard.fly(beam, dt);
        ASSERT_TRUE(beam.on()) << dt << ", " << mass << " at " << time;
        nearest = std::min(nearest, yard.gap(ship, body));
        travelled = std::max(travelled, glm::length(yard.at(body).pose.position));
      }
      EXPECT_GT(nearest, 0.0) << dt << ", " << mass;
      EXPECT_GT(travelled, 10.0) << dt << ", " << mass;
    }
}

TEST(TowBeam, SlowsItsShipDown) {
  const auto speedAfter = [](bool tows) {
    Yard yard;
    ShipDef def = defOf(Vec3(0.0), 2.0);
    def.limits = {4.0, 4.0, 1.0, 0.0};
    const std::size_t ship = yard.add(def);
    (void)yard.add(defOf({0.0, 0.0, -2.5}, 2.0));
    TowBeam beam;
    if (tows) (void)beam.attach(yard.world.ships(), ship);
    ShipControl control;
    control.thrust = 1.0;
    yard.world.ships().setControl(ship, control);
    for (int i = 0; i < 60; ++i) yard.fly(beam, 1.0 / 60.0);
    return -yard.at(ship).velocity.z;
  };
  EXPECT_NEAR(speedAfter(false), 4.0, 0.05);
  EXPECT_NEAR(speedAfter(true), 2.0, 0.25);
}

TEST(TowBeam, BreaksIfStretchedAndEndsWithItsBody) {
  Yard yard;
  const std::size_t ship = yard.add(defOf(Vec3(0.0), 1.0));
  ShipDef def = defOf({0.0, 0.0, -4.0}, 1.0);
  const ShipId id = *yard.world.ships().create(def);
  TowBeam beam;
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  HandAct put;
  put.ship = beam.body();
  put.position = {0.0, 0.0, -(2.0 + TowBeam::breakGap - 0.01)};
  putShip(yard.world.ships(), put);
  EXPECT_FALSE(beam.pull(yard.world.ships(), 0.01).empty());
  put.position = {0.0, 0.0, -(2.0 + TowBeam::breakGap + 0.01)};
  putShip(yard.world.ships(), put);
  EXPECT_TRUE(beam.pull(yard.world.ships(), 0.01).empty());
  EXPECT_EQ(beam.state(), TowBeam::State::Broken);
  EXPECT_EQ(beam.body(), 0u);

  put.position = {0.0, 0.0, -4.0};
  putShip(yard.world.ships(), put);
  ASSERT_TRUE(beam.attach(yard.world.ships(), ship));
  EXPECT_TRUE(beam.pull(yard.world.ships(), 0.0).empty());
  EXPECT_TRUE(beam.on()) << "no time has passed";
  yard.world.ships().destroy(id);
  EXPECT_TRUE(beam.pull(yard.world.ships(), 0.01).empty());
  EXPECT_EQ(beam.state(), TowBeam::State::Gone);
}

TEST(TowBeam, WorksForASecondShip) {
  Yard yard;
  (void)yard.add(defOf({0.0, 30.0, 0.0}, 1.0));
  const std::size_t body = yard.add(defOf({0.0, 0.0, 5.0}, 1.0));
  ShipDef def = defOf(Vec3(0.0), 3.0);
  def.pose.rotation = Quat(0.0, 0.0, 1.0, 0.0);  // nose to +z
  const std::size_t second = yard.add(def);
  TowBeam beam;
  ASSERT_TRUE(beam.attach(yard.world.ships(), second));
  EXPECT_EQ(beam.ship(), yard.at(second).key);
  for (int i = 0; i < 600; ++i) yard.fly(beam, 1.0 / 60.0);
  EXPECT_NEAR(yard.gap(second, body), TowBeam::gap, 0.01);
  EXPECT_EQ(yard.at(0).velocity, Vec3(0.0));
  yard.perform(beam.throwAhead(yard.world.ships()));
  EXPECT_GT(yard.at(body).velocity.z, 4.0);
  EXPECT_LT(yard.at(second).velocity.z, -1.0);
}

}  // namespace
}  // namespace nearmiss::engine
