// SPDX-License-Identifier: MIT
/// Limits of missions: where the gates are, the edges of rings and bay, and the events that count.
#include <engine/game/mission.h>
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/made_up_mission.h"

namespace nearmiss::engine {
namespace {

using test::sphereAt;
using MadeUp = test::MadeUpMission;

Hit hitOf(std::uint32_t ship) {
  Hit hit;
  hit.ship = ship;
  return hit;
}

TEST(Course, TurnsByTheSameAngleAndAlternatesInDistanceAndHeight) {
  const std::vector<BodyState> bodies{sphereAt({0.0, 0.0, 20.0})};
  const auto gates = layGates(bodies, 0, 10);
  Real angle = 0.0;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    angle += std::acos(0.8);
    const Real across = i % 2 == 0 ? 12.0 : 17.0;
    const Real height = i % 3 == 0 ? 4.0 : i % 3 == 1 ? 0.0 : -4.0;
    const Vec3 expected(across * std::sin(angle), height, across * std::cos(angle));
    EXPECT_NEAR(glm::distance(gates[i].centre, expected), 0.0, 1e-9) << i;
    // Each looks from the gate before to the one after
    const Vec3 before = i > 0 ? gates[i - 1].centre : bodies[0].pose.position;
    const Vec3 along = gates[std::min<std::size_t>(i + 1, gates.size() - 1)].centre - before;
    EXPECT_NEAR(glm::distance(gates[i].axis, glm::normalize(along)), 0.0, 1e-12) << i;
  }
  // It begins where the ship is: its height is kept in proportion
  const auto high = layGates(std::vector{sphereAt({0.0, 10.0, 0.0})}, 0, 2);
  EXPECT_NEAR(glm::distance(high[0].centre, Vec3(0.0, 8.0, 0.0)), 0.0, 1e-9);
  EXPECT_NEAR(glm::distance(high[1].centre, Vec3(0.0, 8.5, 0.0)), 0.0, 1e-9);
  // Without a direction from the centre
  for (const Gate& gate : layGates(std::vector{sphereAt(Vec3(0.0))}, 0, 3)) {
    EXPECT_EQ(gate.centre, Vec3(0.0));
    EXPECT_EQ(gate.axis, Gate().axis);
  }
  const auto aside = layGates(std::vector{sphereAt({5.0, 0.0, 0.0})}, 0, 1);
  EXPECT_NEAR(aside[0].centre.x, 0.6 * 5.0 * 0.8, 1e-9);
  EXPECT_NEAR(aside[0].centre.z, -0.6 * 5.0 * 0.6, 1e-9);
}

TEST(Course, MovesRingsStraightOutOfBodiesButNotOfTheUsersShip) {
  std::vector<BodyState> bodies{sphereAt({0.0, 0.0, 20.0})};
  const auto free = layGates(bodies, 0, 4);
  constexpr Real room = 0.6;
  const Vec3 aside(0.3, 0.1, -0.2);
  bodies.push_back(sphereAt(free[1].centre + aside, 2.0));
  const Real enough = 3.0 + free[3].radius + room;
  bodies.push_back(sphereAt(free[3].centre + Vec3(0.0, 0.0, enough + 1e-9), 3.0));
  const auto gates = layGates(bodies, 0, 4);
  EXPECT_EQ(gates[0].centre, free[0].centre);
  const Vec3 out = bodies[1].pose.position - (2.0 + free[1].radius + room) * glm::normalize(aside);
  EXPECT_NEAR(glm::distance(gates[1].centre, out), 0.0, 1e-9);
  // Upwards from the middle of a body
  const std::vector<BodyState> around{bodies[0], sphereAt(free[2].centre, 1.5)};
  const Vec3 above = free[2].centre + Vec3(0.0, 1.5 + free[2].radius + room, 0.0);
  EXPECT_NEAR(glm::distance(layGates(around, 0, 4)[2].centre, above), 0.0, 1e-9);
  EXPECT_EQ(gates[3].centre, free[3].centre) << "clear already";
  // The user's ship flies away
  bodies.resize(1);
  bodies[0].shape = ShapeRef::ofRadius(50.0);
  EXPECT_EQ(layGates(bodies, 0, 1)[0].centre, free[0].centre);
  // Out of one body into another: both are left
  bodies[0].shape = ShapeRef::ofRadius(1.0);
  bodies.push_back(sphereAt(free[0].centre - Vec3(0.0, 0.5, 0.0), 2.0));
  bodies.push_back(sphereAt(free[0].centre + Vec3(1.0, 6.0, 0.0), 2.0));
  const Vec3 clear = layGates(bodies, 0, 1)[0].centre;
  for (std::size_t i = 1; i < bodies.size(); ++i)
    EXPECT_GT(glm::distance(clear, bodies[i].pose.position), 2.0 + free[0].radius + 0.3) << i;
}

TEST(Gate, IncludesItsEdgeAndEndsAtItsPlane) {
  const Gate gate{{0.0, 0.0, 0.0}, {0.0, 0.0, -1.0}, 2.5};
  EXPECT_TRUE(leadsThrough(gate, {2.5, 0.0, 1.0}, {2.5, 0.0, -1.0}));
  EXPECT_TRUE(leadsThrough(gate, {0.0, 2.5, 1.0}, {0.0, 2.5, -1.0}));
  EXPECT_FALSE(leadsThrough(gate, {1.8, 1.8, 1.0}, {1.8, 1.8, -1.0}));
  // The plane itself belongs to one side: a way that ends there and goes on counts once
  const Vec3 before{0.0, 0.0, 1.0}, on{0.0, 0.0, 0.0}, behind{0.0, 0.0, -1.0};
  EXPECT_EQ(leadsThrough(gate, before, on) + leadsThrough(gate, on, behind), 1);
  EXPECT_EQ(leadsThrough(gate, behind, on) + leadsThrough(gate, on, before), 1);
  EXPECT_FALSE(leadsThrough(gate, on, on));
  // At a third of the way
  EXPECT_TRUE(leadsThrough(gate, {0.0, 0.0, 1.0}, {7.4, 0.0, -2.0}));
  EXPECT_FALSE(leadsThrough(gate, {0.0, 0.0, 1.0}, {7.6, 0.0, -2.0}));
}

TEST(Bay, IncludesItsEnds) {
  EXPECT_TRUE(Bay::holds({0.0, 0.0, Bay::back}));
  EXPECT_TRUE(Bay::holds({0.0, 0.0, Bay::mouth}));
  EXPECT_FALSE(Bay::holds({0.0, 0.0, Bay::back - 1e-9}));
  EXPECT_FALSE(Bay::holds({0.0, 0.0, Bay::mouth + 1e-9}));
  EXPECT_TRUE(Bay::holds({Bay::radius, 0.0, 0.0}));
  EXPECT_TRUE(Bay::holds({0.0, -Bay::radius, 0.0}));
  EXPECT_TRUE(Bay::holds({1.8, 1.8, 0.0}));
  EXPECT_FALSE(Bay::holds({1.9, 1.9, 0.0}));
  EXPECT_FALSE(Bay::holds({1.9, -1.9, 0.0}));
}

TEST(Mission, CountsPassesAndHitsOfEachFrame) {
  MadeUp flight;
  flight.bodies[0].shape = ShapeRef::ofRadius(0.5);
  flight.begin(MissionKind::Escape);
  const NearMiss pass{1, 0.02, 0.8, 0.4};
  Score score;
  const std::int64_t points = score.take(pass, 0.5);
  ASSERT_GT(points, 0);
  EXPECT_EQ(flight.at(0.5, {0.0, 0.0, 20.0}, {}, {pass}), MissionState::Flying);
  EXPECT_EQ(flight.mission.points(), points);
  EXPECT_EQ(flight.mission.flown(), 0.5);
  EXPECT_EQ(flight.mission.left(), flight.mission.rules().seconds - 0.5);
  Hit falseHit = hitOf(1);
  falseHit.gap = 0.1;
  (void)flight.at(0.6, {0.0, 0.0, 20.0}, {falseHit, hitOf(2)});
  EXPECT_EQ(flight.mission.hits(), 2u);
  EXPECT_EQ(flight.mission.score().hits().count, 1u);
  EXPECT_EQ(flight.mission.score().falseHits().count, 1u);
}

TEST(Mission, ForgivesRoundingOfItsTime) {
  for (const MissionKind kind : {MissionKind::Slalom, MissionKind::Escape}) {
    MadeUp early, due;
    early.begin(kind);
    due.begin(kind);
    const Real end = early.mission.rules().seconds;
    EXPECT_EQ(early.at(end - 3e-6, {0.0, 0.0, 20.0}), MissionState::Flying);
    EXPECT_NE(due.at(end - 5e-7, {0.0, 0.0, 20.0}), MissionState::Flying);
    if (kind != MissionKind::Escape) continue;
    EXPECT_EQ(early.mission.points(), Mission::secondPoints * static_cast<int>(end - 1));
    EXPECT_EQ(due.mission.points(), Mission::secondPoints * static_cast<int>(end));
  }
  // Seconds are paid once, when they are full
  MadeUp flight;
  flight.begin(MissionKind::Escape);
  const Vec3 here{0.0, 0.0, 20.0};
  (void)flight.at(0.99, here);
  EXPECT_EQ(flight.mission.points(), 0);
  (void)flight.at(1.0 - 5e-7, here);
  EXPECT_EQ(flight.mission.points(), Mission::secondPoints);
  (void)flight.at(1.5, here);
  EXPECT_EQ(flight.mission.points(), Mission::secondPoints);
  (void)flight.at(4.0, here);
  EXPECT_EQ(flight.mission.points(), 4 * Mission::secondPoints);
}

/// A ring that lies between the undone place and the one after it was not flown through.
TEST(Slalom, CountsNoRingOfAWayThatWasUndone) {
  MadeUp flight;
  flight.begin(MissionKind::Slalom);
  const Gate gate = flight.mission.gatesLeft()[0];
  (void)flight.at(1.0, gate.centre - 2.0 * gate.axis);
  (void)flight.at(0.5, gate.centre + 2.0 * gate.axis);
  EXPECT_EQ(flight.mission.gatesPassed(), 0u);
  (void)flight.at(0.6, gate.centre - 2.0 * gate.axis);
  EXPECT_EQ(flight.mission.gatesPassed(), 1u);
  // Hits that end it leave no ring to pass in the same frame
  MadeUp broken;
  broken.begin(MissionKind::Slalom);
  (void)broken.at(0.1, gate.centre - 2.0 * gate.axis);
  const std::vector<Hit> hits(broken.mission.rules().hull, hitOf(1));
  EXPECT_EQ(broken.at(0.2, gate.centre + 2.0 * gate.axis, hits), MissionState::Broken);
  EXPECT_EQ(broken.mission.gatesPassed(), 0u);
}

/// The first frame counts from where the ship was at the start.
TEST(Slalom, BeginsWhereTheShipIs) {
  MadeUp flight;
  flight.begin(MissionKind::Slalom);
  const Gate gate = flight.mission.gatesLeft()[0];
  flight.bodies[0].pose.position = gate.centre - 1.0 * gate.axis;
  flight.begin(MissionKind::Slalom);
  const Gate first = flight.mission.gatesLeft()[0];
  const Vec3 start = flight.bodies[0].pose.position;
  const Vec3 mirrored = 2.0 * first.centre - start;
  (void)flight.at(0.1, mirrored);
  EXPECT_EQ(flight.mission.gatesPassed(), leadsThrough(first, start, mirrored) ? 1u : 0u);
  EXPECT_EQ(flight.mission.gatesPassed(), 1u);
  // Another mission starts from the beginning
  (void)flight.at(0.2, mirrored, {hitOf(1)});
  flight.begin(MissionKind::Slalom);
  EXPECT_EQ(flight.mission.hits(), 0u);
  EXPECT_EQ(flight.mission.gatesPassed(), 0u);
  EXPECT_EQ(flight.mission.points(), 0);
}

class Dock : public testing::Test {
 protected:
  Dock() {
    flight.bodies.push_back(sphereAt({0.0, 0.0, 0.0}, 6.0));
    flight.bodies.push_back(sphereAt({50.0, 0.0, 0.0}));
    flight.bodies[0].pose.position = {0.0, 0.0, 2.0};
    flight.begin(MissionKind::Docking);
  }
  MadeUp flight;
};

/// The speed is that of the frame before the touch, relative to the station.
TEST_F(Dock, JudgesTheSpeedBeforeTheTouch) {
  (void)flight.at(0.5, {0.0, 0.0, 1.875});
  EXPECT_EQ(flight.at(1.0, {0.0, 0.0, -3.0}, {hitOf(Bay::station)}), MissionState::Flying);
  EXPECT_EQ(flight.mission.touchSpeed(), 0.25) << "from the start of the mission";
  EXPECT_EQ(flight.mission.hits(), 1u) << "outside of the bay";
  // The station moves along: no speed at all
  flight.bodies[Bay::station].pose.position = {0.0, 0.0, 10.0};
  (void)flight.at(1.5, {0.0, 0.0, 7.0});
  EXPECT_EQ(*flight.mission.goal(), Vec3(0.0, 0.0, 10.0 + Bay::mouth));
  (void)flight.at(2.0, {0.0, 0.0, 9.0}, {hitOf(Bay::station)});
  EXPECT_EQ(flight.mission.touchSpeed(), 0.0);
  EXPECT_EQ(flight.mission.state(), MissionState::Won);
}

TEST_F(Dock, WantsLessThanTheLimit) {
  (void)flight.at(0.5, {0.0, 0.0, 1.75});
  EXPECT_EQ(flight.at(1.0, {0.0, 0.0, 1.5}, {hitOf(Bay::station)}), MissionState::Flying);
  EXPECT_EQ(flight.mission.touchSpeed(), Bay::dockingSpeed);
}

TEST_F(Dock, PaysForDockingAndForTheTimeLeft) {
  (void)flight.at(10.0, {0.0, 0.0, 1.75});
  // The touch of the station costs nothing, another one does
  EXPECT_EQ(flight.at(20.25, {0.0, 0.0, 1.5}, {hitOf(2), hitOf(Bay::station)}), MissionState::Won);
  EXPECT_EQ(flight.mission.hits(), 1u);
  const auto left = static_cast<std::int64_t>(flight.mission.rules().seconds - 20.25);
  EXPECT_EQ(flight.mission.points(), flight.mission.score().points() + Mission::dockingPoints +
                                         Mission::secondPoints * left);
}

/// A frame without time has no speed of its own.
TEST_F(Dock, KeepsTheSpeedInAFrameWithoutTime) {
  (void)flight.at(0.5, {0.0, 0.0, 1.875});
  (void)flight.at(0.5, {0.0, 0.0, 1.875});
  (void)flight.at(1.0, {0.0, 0.0, 1.8}, {hitOf(Bay::station)});
  EXPECT_EQ(flight.mission.touchSpeed(), 0.25);
}

TEST(Docking, NeedsAStation) {
  MadeUp alone;
  alone.begin(MissionKind::Docking);
  EXPECT_EQ(alone.at(0.5, {0.0, 0.0, 0.0}, {hitOf(Bay::station)}), MissionState::Flying);
  EXPECT_EQ(alone.mission.touchSpeed(), 0.0);
  EXPECT_EQ(alone.mission.hits(), 1u);
  // Touching it is no docking in another mission
  MadeUp escape;
  escape.bodies.push_back(sphereAt(Vec3(0.0), 6.0));
  escape.begin(MissionKind::Escape);
  EXPECT_EQ(escape.mission.goal(), nullptr);
  EXPECT_EQ(escape.at(0.5, {0.0, 0.0, 1.0}, {hitOf(Bay::station)}), MissionState::Flying);
  EXPECT_EQ(escape.mission.hits(), 1u);
  EXPECT_EQ(Mission().goal(), nullptr);
}

}  // namespace
}  // namespace nearmiss::engine
