// SPDX-License-Identifier: MIT
/// Ships that are flown have mass: they gain and lose speed over seconds, and a boost is short.
#include "fly/flight/throttle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <optional>

#include "app/fly/modes.h"
#include "fly/modes/own_flight.h"

namespace nearmiss::app::fly {
namespace {

/// A lone ship with those limits.
class LoneShip {
 public:
  explicit LoneShip(const engine::ShipLimits& limits) {
    LoadedScene scene = quickLamps(1);
    scene.scene.drones.clear();
    scene.scene.arena.radius = 500.0;
    scene.scene.playerLimits = limits;
    flight_.emplace(*Flight::begin(std::move(scene)));
  }
  [[nodiscard]] const BodyState& ship() const {
    return flight_->output().bodies[flight_->simulation().userIndex()];
  }
  [[nodiscard]] double speed() const { return glm::length(ship().velocity); }
  /// Flies with that stick; returns the greatest speed.
  double fly(double seconds, double stick, bool boost = false, bool assist = true,
             double yaw = 0.0) {
    double most = 0.0;
    for (int frame = 0; frame < static_cast<int>(60.0 * seconds); ++frame) {
      engine::FrameInput input;
      input.dt = input.detectStep = 1.0 / 60.0;
      input.control.thrust = throttle.apply(stick, boost, assist, ship(), input.dt);
      input.control.yaw = yaw;
      (void)flight_->advance(input);
      most = std::max(most, speed());
    }
    return most;
  }
  Throttle throttle;

 private:
  std::optional<Flight> flight_;
};

TEST(Throttle, MakesAccelerationLastLongEnoughToBeFelt) {
  LoneShip heavy(heavyLimits);
  heavy.fly(0.5, 1.0);
  EXPECT_GT(heavy.speed(), 1.2);
  EXPECT_LT(heavy.speed(), 0.5 * Throttle::cruiseSpeed);
  heavy.fly(3.0, 1.0);
  EXPECT_NEAR(heavy.speed(), Throttle::cruiseSpeed, 0.1) << "the assist holds the speed";
}

TEST(Throttle, BrakesWithAssistAndDriftsWithout) {
  LoneShip braked(heavyLimits), drifting(heavyLimits);
  braked.fly(4.0, 1.0);
  drifting.fly(4.0, 1.0);
  braked.fly(2.0, 0.0);
  drifting.fly(2.0, 0.0, false, false);
  EXPECT_LT(braked.speed(), 0.15);
  EXPECT_GT(drifting.speed(), 1.2);
  braked.fly(2.0, 0.0);
  EXPECT_EQ(braked.throttle.apply(0.0, false, true, braked.ship(), 0.1), 0.0)
      << "a ship at rest uses no thrust";
}

TEST(Throttle, LetsAShipThatTurnsDriftAside) {
  LoneShip heavy(heavyLimits);
  heavy.fly(3.0, 1.0);
  heavy.fly(0.7, 1.0, false, true, 1.0);
  const Vec3 nose = heavy.ship().pose.rotation * Vec3(0.0, 0.0, -1.0);
  const Vec3 aside = heavy.ship().velocity - glm::dot(heavy.ship().velocity, nose) * nose;
  EXPECT_GT(glm::length(aside), 1.0);
}

TEST(Throttle, BoostsWhileTheReserveLasts) {
  LoneShip heavy(heavyLimits);
  heavy.fly(3.0, 1.0);
  const double boosted = heavy.fly(0.9 * Throttle::boostSeconds, 1.0, true);
  EXPECT_GT(boosted, 1.5 * Throttle::cruiseSpeed);
  EXPECT_TRUE(heavy.throttle.boosting());
  heavy.fly(2.0, 1.0, true);
  EXPECT_FALSE(heavy.throttle.boosting()) << "empty until the key is released";
  EXPECT_LT(heavy.speed(), 1.1 * Throttle::cruiseSpeed);
  heavy.fly(1.01 * Throttle::refillSeconds, 0.0);
  EXPECT_EQ(heavy.throttle.reserve(), 1.0);
}

TEST(Throttle, LeavesTheReserveWithoutThrust) {
  LoneShip heavy(heavyLimits);
  heavy.fly(2.0, 0.0, true);
  EXPECT_EQ(heavy.throttle.reserve(), 1.0);
  EXPECT_FALSE(heavy.throttle.boosting());
}

TEST(HeavyShips, AreThoseOfScenesThatSetNoLimits) {
  engine::Scene usual, own;
  own.playerLimits.drag = 2.0;
  makeHeavy(usual);
  makeHeavy(own);
  EXPECT_TRUE(isHeavy(usual));
  EXPECT_FALSE(isHeavy(own));
  EXPECT_EQ(own.playerLimits.drag, 2.0);
  EXPECT_FALSE(isHeavy(engine::Scene())) << "files keep their default";
}

class HeavyFlight : public Modes {};

TEST_F(HeavyFlight, SteersByTheThrottleAndOthersByTheStick) {
  context.steering.control.thrust = 1.0;
  context.steering.boosts = true;
  EXPECT_EQ(frameInput(context, {0.02, 0.01}).control.thrust, 1.0);
  EXPECT_EQ(context.steering.throttle.reserve(), 1.0) << "only heavy ships boost";
  LoadedScene scene = lamps();
  makeHeavy(scene.scene);
  context.flightManager.flight().emplace(*Flight::begin(scene));
  EXPECT_EQ(frameInput(context, {0.02, 0.01}).control.thrust, 1.0);
  EXPECT_LT(context.steering.throttle.reserve(), 1.0);
  ASSERT_TRUE(context.restart(7));
  EXPECT_EQ(context.steering.throttle.reserve(), 1.0) << "a new flight has a full reserve";
  context.steering.boosts = false;
  EXPECT_EQ(frameInput(context, {0.02, 0.01}).control.thrust, Throttle::cruiseShare);
  context.steering.control.thrust = 0.5;
  context.ui.steering.assist = false;
  EXPECT_EQ(frameInput(context, {0.02, 0.01}).control.thrust, 0.5 * Throttle::cruiseShare);
}

/// A pilot who holds the thrust stays among the drones.
TEST_F(HeavyFlight, KeepsPaceWithDrones) {
  LoadedScene scene = lamps();
  makeHeavy(scene.scene);
  scene.scene.arena.flown = true;
  scene.scene.arena.wall = 42.0;
  context.flightManager.flight().emplace(*Flight::begin(scene));
  context.steering.control.thrust = 1.0;
  double nearest = 1e9;
  for (int frame = 0; frame < 600; ++frame) {
    engine::FrameInput input = frameInput(context, {1.0 / 60.0, 1.0 / 60.0});
    (void)context.flight().advance(input);
    if (frame < 400) continue;
    const auto bodies = context.flight().output().bodies;
    const std::size_t own = context.flight().simulation().userIndex();
    for (std::size_t i = 0; i < bodies.size(); ++i)
      if (i != own)
        nearest =
            std::min(nearest, glm::distance(bodies[i].pose.position, bodies[own].pose.position));
  }
  EXPECT_LT(nearest, 6.0);
}

}  // namespace
}  // namespace nearmiss::app::fly
