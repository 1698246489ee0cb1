// SPDX-License-Identifier: MIT
/// Missions as rules: gates, survival, docking and salvage, from made-up frames.
#include <engine/game/mission.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <vector>

#include "engine/made_up_mission.h"

namespace nearmiss::engine {
namespace {

constexpr Real dt = 1.0 / 60.0;

using test::sphereAt;
using Stage = test::MadeUpMission;

TEST(Gate, IsPassedInsideItsRingOnly) {
  const Gate gate{{1.0, 2.0, 3.0}, {0.0, 0.0, -1.0}, 2.5};
  const auto through = [&](Real aside, Real from, Real to) {
    return leadsThrough(gate, gate.centre + Vec3(aside, 0.0, from),
                        gate.centre + Vec3(aside, 0.0, to));
  };
  EXPECT_TRUE(through(0.0, 1.0, -1.0));
  EXPECT_TRUE(through(0.0, -1.0, 1.0)) << "either direction counts";
  EXPECT_TRUE(through(2.4, 0.1, -0.1));
  EXPECT_FALSE(through(2.6, 0.1, -0.1));
  EXPECT_FALSE(through(0.0, 2.0, 1.0));
  EXPECT_FALSE(through(0.0, -1.0, -2.0));
  // Slanting: what counts is where the way meets the plane
  EXPECT_TRUE(
      leadsThrough(gate, gate.centre + Vec3(-4.0, 0.0, 1.0), gate.centre + Vec3(4.0, 0.0, -1.0)));
  EXPECT_FALSE(
      leadsThrough(gate, gate.centre + Vec3(0.0, 0.0, 0.1), gate.centre + Vec3(8.0, 0.0, -0.1)));
}

TEST(Gates, AreClearOfAsteroidsAndApart) {
  std::vector<BodyState> bodies{sphereAt({0.0, 0.0, 20.0})};
  for (int i = 0; i < 60; ++i)
    bodies.push_back(
        sphereAt({7.0 * (i % 5 - 2), 6.0 * (i / 5 % 3 - 1), 9.0 * (i / 15 - 1.5)}, 2.0));
  const std::vector<Gate> gates = layGates(bodies, 0, Mission::gateCount);
  ASSERT_EQ(gates.size(), Mission::gateCount);
  for (std::size_t i = 0; i < gates.size(); ++i) {
    EXPECT_NEAR(glm::length(gates[i].axis), 1.0, 1e-12);
    EXPECT_LT(glm::length(gates[i].centre), 24.0);
    for (std::size_t b = 1; b < bodies.size(); ++b)
      EXPECT_GT(glm::distance(gates[i].centre, bodies[b].pose.position), 2.0 + gates[i].radius)
          << i;
    if (i > 0) {
      EXPECT_GT(glm::distance(gates[i].centre, gates[i - 1].centre), 4.0) << i;
    }
  }
}

TEST(Slalom, IsWonByItsGatesInOrder) {
  Stage stage;
  stage.begin(MissionKind::Slalom);
  const std::vector<Gate> gates(stage.mission.gatesLeft().begin(), stage.mission.gatesLeft().end());
  ASSERT_EQ(*stage.mission.goal(), gates[0].centre);
  const auto pass = [&](const Gate& gate) {
    (void)stage.fly(gate.centre - 1.0 * gate.axis);
    return stage.fly(gate.centre + 1.0 * gate.axis);
  };
  // A later gate does not count
  (void)pass(gates[3]);
  EXPECT_EQ(stage.mission.gatesPassed(), 0u);
  for (std::size_t i = 0; i + 1 < gates.size(); ++i)
    EXPECT_EQ(pass(gates[i]), MissionState::Flying);
  EXPECT_EQ(stage.mission.points(), Mission::gatePoints * (Mission::gateCount - 1));
  EXPECT_EQ(pass(gates.back()), MissionState::Won);
  const auto left = static_cast<std::int64_t>(stage.mission.left());
  EXPECT_GT(left, 100);
  EXPECT_EQ(stage.mission.points(),
            Mission::gatePoints * Mission::gateCount + Mission::secondPoints * left);
  EXPECT_EQ(stage.mission.goal(), nullptr);
  // It is over: nothing changes any more
  EXPECT_EQ(stage.fly({0.0, 0.0, 0.0}, {Hit{}}), MissionState::Won);
  EXPECT_EQ(stage.mission.hits(), 0u);
}

TEST(Slalom, EndsByTimeOrByHits) {
  Stage late;
  late.begin(MissionKind::Slalom);
  EXPECT_EQ(late.fly({0.0, 0.0, 20.0}, {}, 119.9), MissionState::Flying);
  EXPECT_EQ(late.fly({0.0, 0.0, 20.0}, {}, 0.1), MissionState::OutOfTime);
  Stage broken;
  broken.begin(MissionKind::Slalom);
  for (std::uint32_t hit = 1; hit < broken.mission.rules().hull; ++hit)
    EXPECT_EQ(broken.fly({0.0, 0.0, 20.0}, {Hit{}}), MissionState::Flying);
  EXPECT_EQ(broken.fly({0.0, 0.0, 20.0}, {Hit{}}), MissionState::Broken);
  EXPECT_EQ(broken.mission.points(), 0);
}

TEST(Escape, IsWonByTimeAndPaysEverySecond) {
  Stage stage;
  stage.begin(MissionKind::Escape);
  const auto seconds = static_cast<int>(stage.mission.rules().seconds);
  for (int i = 0; i + 1 < 60 * seconds; ++i)
    ASSERT_EQ(stage.fly({0.0, 0.0, 20.0}), MissionState::Flying) << i;
  EXPECT_EQ(stage.mission.points(), Mission::secondPoints * (seconds - 1));
  EXPECT_EQ(stage.fly({0.0, 0.0, 20.0}), MissionState::Won);
  EXPECT_EQ(stage.mission.points(), Mission::secondPoints * seconds);
}

/// Flies into the bay along its axis and touches its back at a speed.
MissionState dockAt(Stage& stage, Real speed, const Vec3& inBay = {0.0, 0.0, -0.9}) {
  Hit touch;
  touch.ship = Bay::station;
  const Pose& station = stage.bodies[Bay::station].pose;
  const Vec3 place = transformed(station, inBay);
  const Vec3 back = station.rotation * Vec3(0.0, 0.0, speed * dt);
  (void)stage.fly(place + 2.0 * back);
  (void)stage.fly(place + back);
  return stage.fly(place, {touch});
}

TEST(Docking, WantsAGentleTouchInsideTheBay) {
  const auto stage = [] {
    Stage made;
    made.bodies.push_back(sphereAt({5.0, 1.0, -3.0}, 6.0));
    made.bodies[Bay::station].pose.rotation = glm::normalize(Quat(0.8, 0.1, 0.5, -0.2));
    made.begin(MissionKind::Docking);
    return made;
  };
  Stage gentle = stage();
  EXPECT_NEAR(glm::distance(*gentle.mission.goal(), gentle.bodies[1].pose.position), Bay::mouth,
              1e-9);
  EXPECT_EQ(dockAt(gentle, 0.45), MissionState::Won);
  EXPECT_NEAR(gentle.mission.touchSpeed(), 0.45, 1e-6);
  EXPECT_EQ(gentle.mission.hits(), 0u);
  EXPECT_GE(gentle.mission.points(), Mission::dockingPoints);

  Stage hard = stage();
  EXPECT_EQ(dockAt(hard, 0.55), MissionState::Flying);
  EXPECT_NEAR(hard.mission.touchSpeed(), 0.55, 1e-6);
  EXPECT_EQ(hard.mission.hits(), 1u);
  // Gentle, but at the outside
  Stage outside = stage();
  EXPECT_EQ(dockAt(outside, 0.1, {4.0, 0.0, 0.0}), MissionState::Flying);
  EXPECT_EQ(dockAt(outside, 0.1, {0.0, 0.0, 3.5}), MissionState::Flying);
  EXPECT_EQ(outside.mission.hits(), 2u);
}

/// A station at an angle, four pieces of wreck with keys 11 to 14 on the x axis, and a rock.
Stage salvage() {
  Stage made;
  made.bodies.push_back(sphereAt({5.0, 1.0, -3.0}, 6.0));
  made.bodies[Bay::station].pose.rotation = glm::normalize(Quat(0.8, 0.1, 0.5, -0.2));
  for (std::uint32_t piece = 0; piece < Wreck::count; ++piece)
    made.bodies.push_back(sphereAt({20.0 + 4.0 * piece, 0.0, 0.0}));
  made.bodies.push_back(sphereAt({-20.0, 0.0, 0.0}, 3.0));
  for (std::size_t i = 0; i < made.bodies.size(); ++i)
    made.bodies[i].key = static_cast<std::uint32_t>(i) + 9;
  made.begin(MissionKind::Salvage);
  return made;
}
Vec3 inBay(const Stage& stage, Real z) {
  return transformed(stage.bodies[Bay::station].pose, Vec3(0.0, 0.0, z));
}

TEST(Salvage, LeadsToTheNearestPieceAndWithItToTheBay) {
  Stage stage = salvage();
  ASSERT_EQ(*stage.mission.goal(), Vec3(20.0, 0.0, 0.0));
  EXPECT_FALSE(stage.mission.tows());
  // From the other end another piece is nearer
  (void)stage.fly({40.0, 0.0, 0.0});
  (void)stage.fly({40.0, 0.0, 0.0});
  EXPECT_EQ(*stage.mission.goal(), Vec3(32.0, 0.0, 0.0));
  stage.mission.setTowed(14);
  EXPECT_TRUE(stage.mission.tows());
  EXPECT_NEAR(glm::distance(*stage.mission.goal(), inBay(stage, Bay::mouth)), 0.0, 1e-12);
  // The goal follows a piece that drifts
  stage.mission.setTowed(0);
  stage.bodies[Wreck::first + 3].pose.position = {33.0, 1.0, 0.0};
  (void)stage.fly({40.0, 0.0, 0.0});
  EXPECT_EQ(*stage.mission.goal(), Vec3(33.0, 1.0, 0.0));
}

TEST(Salvage, CountsEachPieceOnceItsCentreIsInTheBay) {
  Stage stage = salvage();
  const Vec3 far(40.0, 0.0, 0.0);
  BodyState& piece = stage.bodies[Wreck::first + 2];
  stage.mission.setTowed(piece.key);
  piece.pose.position = inBay(stage, Bay::mouth + 0.1);
  EXPECT_EQ(stage.fly(far), MissionState::Flying);
  EXPECT_TRUE(stage.mission.delivered().empty());
  piece.pose.position = inBay(stage, Bay::mouth - 0.1);
  EXPECT_EQ(stage.fly(far), MissionState::Flying);
  ASSERT_EQ(stage.mission.delivered().size(), 1u);
  EXPECT_EQ(stage.mission.delivered()[0], piece.key);
  EXPECT_EQ(stage.mission.points(), Mission::dockingPoints);
  EXPECT_FALSE(stage.mission.tows()) << "its way is over";
  // It stays counted, and is no goal, wherever it drifts
  piece.pose.position = far;
  EXPECT_EQ(stage.fly(far), MissionState::Flying);
  EXPECT_EQ(stage.mission.points(), Mission::dockingPoints);
  EXPECT_NE(*stage.mission.goal(), far);
  // The rock in the bay is no piece
  stage.bodies.back().pose.position = inBay(stage, 0.0);
  EXPECT_EQ(stage.fly(far), MissionState::Flying);
  EXPECT_EQ(stage.mission.delivered().size(), 1u);
  stage.bodies[Wreck::first].pose.position = stage.bodies[Wreck::first + 1].pose.position =
      inBay(stage, 0.5);
  EXPECT_EQ(stage.fly(far), MissionState::Flying);
  EXPECT_EQ(stage.mission.delivered().size(), 3u);
  stage.bodies[Wreck::first + 3].pose.position = inBay(stage, 2.0);
  EXPECT_EQ(stage.fly(far), MissionState::Won);
  EXPECT_EQ(stage.mission.goal(), nullptr);
  EXPECT_EQ(stage.mission.points(),
            4 * Mission::dockingPoints +
                Mission::secondPoints * static_cast<std::int64_t>(stage.mission.left()));
}

TEST(Salvage, BreaksTheHullByRocksAndHardTouchesOfTheStationOnly) {
  Stage stage = salvage();
  const auto touch = [&](std::size_t ship, const Vec3& by = Vec3(0.0)) {
    Hit hit;
    hit.ship = static_cast<std::uint32_t>(ship);
    const Vec3 place = stage.bodies[0].pose.position;
    (void)stage.fly(place + by);
    return stage.fly(place + by, {hit});
  };
  for (std::size_t piece = 0; piece < Wreck::count; ++piece) touch(Wreck::first + piece);
  touch(Bay::station, {0.4 * dt, 0.0, 0.0});
  EXPECT_EQ(stage.mission.hits(), 0u);
  EXPECT_EQ(touch(Bay::station, {0.0, 0.6 * dt, 0.0}), MissionState::Flying);
  EXPECT_EQ(stage.mission.hits(), 1u);
  for (std::uint32_t hit = 2; hit < stage.mission.rules().hull; ++hit)
    EXPECT_EQ(touch(Wreck::first + Wreck::count), MissionState::Flying);
  EXPECT_EQ(touch(Wreck::first + Wreck::count), MissionState::Broken);
}

TEST(Salvage, PaysPassesOfRocksButNotOfPieces) {
  const auto pointsOf = [](std::uint32_t ship) {
    Stage stage = salvage();
    NearMiss pass;
    pass.ship = ship;
    pass.ownSpeed = 2.0;
    stage.output.bodies = stage.bodies;
    stage.output.profile.simTime = dt;
    (void)stage.mission.take(stage.output, 0, {&pass, 1}, {});
    return stage.mission.points();
  };
  for (std::uint32_t piece = 0; piece < Wreck::count; ++piece)
    EXPECT_EQ(pointsOf(Wreck::first + piece), 0);
  EXPECT_GT(pointsOf(Wreck::first + Wreck::count), 0);
}

TEST(Salvage, EndsByTimeAndIsNotWonWithoutPieces) {
  Stage late = salvage();
  EXPECT_EQ(late.fly({40.0, 0.0, 0.0}, {}, late.mission.rules().seconds), MissionState::OutOfTime);
  Stage empty;
  empty.bodies.push_back(sphereAt({5.0, 1.0, -3.0}, 6.0));
  empty.begin(MissionKind::Salvage);
  EXPECT_EQ(empty.fly({0.0, 0.0, 20.0}), MissionState::Flying);
  EXPECT_EQ(empty.mission.goal(), nullptr);
}

TEST(Missions, AreFoundByTheirScenes) {
  for (const MissionRules& rules : missions) EXPECT_EQ(missionOf(rules.name), &rules);
  EXPECT_EQ(missionOf("lamps"), nullptr);
}

}  // namespace
}  // namespace nearmiss::engine
