// SPDX-License-Identifier: MIT
/// Missions in the window: scenes, start and restart, the end card and its advice.
#include "fly/modes/game/mission_mode.h"

#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <array>
#include <glm/geometric.hpp>
#include <string>

#include "app/fly/modes.h"
#include "fly/modes/game/player_face.h"

namespace nearmiss::app::fly {
namespace {

class MissionFlight : public Modes {
 protected:
  void take(const LoadedScene& scene) {
    auto begun = Flight::begin(scene);
    ASSERT_TRUE(begun.has_value());
    context.flightManager.flight().emplace(*std::move(begun));
    context.modes.mission.beginAgain(context);
  }
  void put(const Vec3& place) {
    engine::HandAct act;
    act.ship = context.flight().output().bodies[context.flight().simulation().userIndex()].key;
    act.position = place;
    context.flight().acts().add(act);
    fly();
  }
};

TEST_F(MissionFlight, EndsTheLessonsOfTheFirstFlight) {
  take(flownScene("slalom"));
  context.ui.view.overlay = OverlayMode::Player;
  context.modes.first.begin();
  EXPECT_NE(playerView(context).line.find("to thrust"), std::string::npos);
  ASSERT_TRUE(context.restart(context.flight().scene().seed));
  EXPECT_FALSE(context.modes.first.on());
  EXPECT_NE(playerView(context).line.find("ring 1 of 10"), std::string::npos);
}

TEST_F(MissionFlight, LeadsThroughTheRingsOfTheSlalom) {
  take(flownScene("slalom"));
  MissionMode& mode = context.modes.mission;
  ASSERT_TRUE(mode.on());
  context.ui.view.overlay = OverlayMode::Player;
  EXPECT_NE(playerView(context).line.find("ring 1 of 10"), std::string::npos);
  while (!mode.gates().empty()) {
    const engine::Gate gate = mode.gates()[0];
    const std::size_t left = mode.gates().size();
    put(gate.centre - 0.4 * gate.axis);
    put(gate.centre + 0.4 * gate.axis);
    ASSERT_TRUE(mode.gates().size() == left - 1 || mode.ended()) << left;
  }
  ASSERT_TRUE(mode.ended());
  EXPECT_EQ(mode.mission()->state(), engine::MissionState::Won);
  EXPECT_TRUE(context.ui.pages.runEnd && context.ui.pace.paused);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_NE(view.modes.runEnd->title.find("slalom: won"), std::string::npos);
  ASSERT_GE(view.modes.runEnd->groups.size(), 3u);
  EXPECT_EQ(view.modes.runEnd->groups[1].heading, "Next time");
  EXPECT_FALSE(view.modes.runEnd->groups[1].rows[0].right.empty());
  // It is among the best runs
  EXPECT_EQ(engine::readBestRuns(engine::bestRunsFolder())->runs.at(0).scene, "slalom");
  // The next flight of this seed races against it
  EXPECT_TRUE(mode.ghostShips(context.flight()).empty());
  const std::uint64_t seed = context.flight().scene().seed;
  EXPECT_TRUE(context.restart(seed));
  fly(5);
  ASSERT_EQ(mode.ghostShips(context.flight()).size(), 1u);
  EXPECT_LT(glm::distance(mode.ghostShips(context.flight())[0].pose.position,
                          context.flight().output().bodies[0].pose.position),
            40.0);
  // Again, on another course
  EXPECT_TRUE(context.restart(7));
  fly(5);
  EXPECT_TRUE(mode.ghostShips(context.flight()).empty());
  EXPECT_TRUE(mode.on());
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
  EXPECT_EQ(mode.gates().size(), engine::Mission::gateCount);
  EXPECT_FALSE(context.modes.run.on());
}

/// A pilot that steers straight for the next ring at full thrust passes most of the rings.
TEST_F(MissionFlight, CanBeFlown) {
  take(flownScene("slalom"));
  MissionMode& mode = context.modes.mission;
  for (int frame = 0; mode.on() && frame < 121 * 60; ++frame) {
    const BodyState& own =
        context.flight().output().bodies[context.flight().simulation().userIndex()];
    const Vec3 way =
        glm::conjugate(own.pose.rotation) * (mode.gates()[0].centre - own.pose.position);
    engine::ShipControl& control = context.steering.control;
    control = {};
    control.thrust = way.z < 0.0 ? 1.0 : 0.2;
    control.yaw = std::clamp(-way.x, -1.0, 1.0);
    control.pitch = std::clamp(way.y, -1.0, 1.0);
    fly();
  }
  EXPECT_TRUE(mode.ended());
  EXPECT_GE(mode.mission()->gatesPassed(), 5u);
}

/// Who waits for the hunters loses; who keeps moving lives longer.
TEST_F(MissionFlight, EscapeRewardsMoving) {
  const LoadedScene scene = flownScene("escape");
  std::array<double, 2> survived{};
  std::array<std::uint32_t, 2> hits{};
  for (const bool moves : {false, true})
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      LoadedScene seeded = scene;
      seeded.scene.seed = seed;
      take(seeded);
      engine::ShipControl& control = context.steering.control;
      control = {};
      for (int frame = 0; context.modes.mission.on() && frame < 61 * 60; ++frame) {
        if (moves) {
          control.thrust = 1.0;
          control.yaw = frame % 240 < 120 ? 0.3 : -0.3;
          control.pitch = frame % 300 < 150 ? 0.2 : -0.2;
        }
        fly();
      }
      survived[moves] += context.modes.mission.mission()->flown() / 4.0;
      hits[moves] += context.modes.mission.mission()->hits();
      context.ui.pages.runEnd = context.ui.pace.paused = false;
    }
  EXPECT_LT(survived[0], 40.0) << hits[0];
  EXPECT_GT(survived[1], survived[0] + 10.0) << hits[1];
}

TEST_F(MissionFlight, StartsOnlyWhereSomebodyFliesItsScene) {
  EXPECT_EQ(context.modes.mission.mission(), nullptr);
  LoadedScene scene = flownScene("escape");
  scene.scene.arena.flown = false;
  take(scene);
  EXPECT_EQ(context.modes.mission.mission(), nullptr);
  scene.scene.arena.flown = true;
  take(scene);
  ASSERT_TRUE(context.modes.mission.on());
  EXPECT_NE(context.modes.mission.line().find("hunters"), std::string::npos);
  // The key of runs restarts it
  fly(10);
  apply(context, Action::Run);
  EXPECT_FALSE(context.modes.run.on());
  ASSERT_TRUE(context.modes.mission.on());
  EXPECT_LT(context.modes.mission.mission()->flown(), 0.01);
}

TEST_F(MissionFlight, TheStationHasItsBayWhereTheRulesSay) {
  take(flownScene("station"));
  ASSERT_TRUE(context.modes.mission.on());
  const Flight& flight = context.flight();
  const BodyState& station = flight.output().bodies[engine::Bay::station];
  EXPECT_GT(station.shape.radius(), 5.0);
  // A ship inside the bay touches nothing
  put(transformed(station.pose, Vec3(0.0, 0.0, 1.0)));
  fly(5);
  EXPECT_EQ(context.modes.mission.mission()->hits(), 0u);
  // Then it drifts to the back wall
  engine::HandAct act;
  act.ship = flight.output().bodies[flight.simulation().userIndex()].key;
  act.position = transformed(station.pose, Vec3(0.0, 0.0, 0.0));
  bool won = false;
  for (int frame = 0; frame < 600 && !won; ++frame) {
    act.position -= station.pose.rotation * Vec3(0.0, 0.0, 0.3 / 60.0);
    act.velocity = station.pose.rotation * Vec3(0.0, 0.0, -0.3);
    context.flight().acts().add(act);
    fly();
    won = context.modes.mission.ended();
  }
  ASSERT_TRUE(won);
  EXPECT_EQ(context.modes.mission.mission()->state(), engine::MissionState::Won);
}

TEST(MissionAdvice, IsOneSentence) {
  const std::vector<BodyState> bodies(2);
  engine::FrameOutput output;
  output.bodies = bodies;
  for (const engine::MissionRules& rules : engine::missions)
    for (const bool hit : {false, true}) {
      engine::Mission mission;
      mission.begin(rules, bodies, 0);
      const std::vector<engine::Hit> hits(hit ? rules.hull : 0);
      output.profile.simTime = rules.seconds;
      EXPECT_NE(mission.take(output, 0, {}, hits), engine::MissionState::Flying);
      const std::string advice = missionAdvice(mission);
      EXPECT_TRUE(advice.ends_with(".")) << advice;
      EXPECT_EQ(advice.find(". "), std::string::npos) << advice;
    }
}

}  // namespace
}  // namespace nearmiss::app::fly
