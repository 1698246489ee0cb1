// SPDX-License-Identifier: MIT
/// Every mode of the window without a window: entered, flown, told of keys, and left.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "app/fly/modes.h"
#include "fly/choices/detection_choice.h"
#include "fly/command/actions.h"
#include "fly/flight_context.h"
#include "fly/modes/own_flight.h"
#include "support/files.h"

namespace nearmiss::app::fly {
namespace {

TEST_F(Modes, OwnFlightPausesAndStepsByKeys) {
  fly(3);
  EXPECT_GT(time(), 0.0);
  apply(context, Action::Pause);
  const Real paused = time();
  fly(3);
  EXPECT_EQ(time(), paused);
  EXPECT_FALSE(context.times.advanced);
  apply(context, Action::Step);
  fly();
  EXPECT_TRUE(context.times.advanced);
  const Real stepped = time();
  EXPECT_GT(stepped, paused);
  fly();
  EXPECT_EQ(time(), stepped);
  // It has nothing to step back to
  apply(context, Action::StepBack);
  fly();
  EXPECT_EQ(time(), stepped);
  apply(context, Action::Restart);
  EXPECT_EQ(time(), 0.0);
}

/// What the window shows is what detection looks at first where the wall clock limits it.
TEST_F(Modes, OwnFlightPassesTheViewOfTheCamera) {
  LoadedScene timed = lamps();
  timed.scene.clock = engine::ClockKind::Wall;
  timed.scene.order = context.ui.detection.order = RefinementOrder::Eccentricity;
  auto begun = Flight::begin(std::move(timed));
  ASSERT_TRUE(begun.has_value());
  context.flightManager.flight().emplace(*std::move(begun));
  Camera& camera = context.view.camera;
  camera.pose = {{3.0, -4.0, 5.0}, glm::normalize(Quat(0.9, 0.1, 0.4, -0.1))};
  const engine::FrameInput input = frameInput(context, {0.02, 0.01});
  ASSERT_TRUE(input.view.has_value());
  EXPECT_EQ(input.view->eye, camera.pose.position);
  EXPECT_LT(glm::distance(input.view->direction, camera.pose.rotation * Vec3(0.0, 0.0, -1.0)),
            1e-12);
  EXPECT_EQ(input.order, RefinementOrder::Eccentricity);
}

TEST_F(Modes, FliesTheSameHoweverItIsWatched) {
  fly(60);
  const std::uint64_t alone = state();
  apply(context, Action::Restart);
  apply(context, Action::ExactGhost);
  fly(20);
  apply(context, Action::Photo);
  fly(5);
  apply(context, Action::Photo);
  fly(10);
  apply(context, Action::Tour);
  fly(5);
  apply(context, Action::Tour);
  fly(30);
  EXPECT_EQ(state(), alone);
}

/// One message says what U sets, how long its trees take, and what the flight keeps.
TEST_F(Modes, AsPublishedNamesWhatItSetsAndWhatItKeeps) {
  fly(2);
  apply(context, Action::AsPublished);
  const std::string& words = context.toasts.log().front().text;
  EXPECT_TRUE(words.starts_with("as published: sphere-tree-all over space-time, medial trees"));
  const std::string kept = unpublishedWords(context.flight(), context.ui.detection);
  EXPECT_NE(kept.find("the mass of your ship"), std::string::npos);
  EXPECT_NE(words.find("A flight keeps " + kept), std::string::npos) << words;
  apply(context, Action::AsPublished);
  EXPECT_TRUE(context.toasts.log().front().text.starts_with("your settings again: "));
  context.flightManager.cancel();
}

TEST_F(Modes, PhotoStandsStillAndGivesBackWhatWasBefore) {
  context.view.rig.setMode(CameraMode::Cockpit);
  context.ui.view.drawLevel = DrawLevel::Off;
  fly(3);
  const std::uint64_t before = state();
  apply(context, Action::Photo);
  ASSERT_TRUE(context.modes.photo.on());
  EXPECT_EQ(context.view.rig.mode(), CameraMode::Free);
  EXPECT_EQ(context.ui.view.overlay, OverlayMode::Off);
  EXPECT_EQ(context.ui.view.drawLevel, DrawLevel::Off) << "what is hidden stays hidden";
  EXPECT_TRUE(context.toasts.contains("photo mode"));
  fly(3);
  EXPECT_EQ(state(), before);
  apply(context, Action::Back);
  EXPECT_FALSE(context.modes.photo.on() || context.toasts.contains("photo mode"));
  EXPECT_EQ(context.view.rig.mode(), CameraMode::Cockpit);
  EXPECT_EQ(context.ui.view.overlay, OverlayMode::Full);
  EXPECT_EQ(context.ui.view.drawLevel, DrawLevel::Off);
  fly();
  EXPECT_NE(state(), before);
}

TEST_F(Modes, GhostOfAnUnlimitedFlightIsNowhereElse) {
  fly(5);
  apply(context, Action::ExactGhost);
  ASSERT_TRUE(context.modes.ghost.on());
  fly(40);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.ghost.has_value());
  EXPECT_EQ(view.modes.ghost->course.size(), 40u);
  EXPECT_EQ(view.modes.ghost->now.farthest, 0.0);
  EXPECT_TRUE(context.modes.ghost.shipsToDraw(context.flight()).empty());
  // It begins again with the flight
  apply(context, Action::NewSeed);
  fly(2);
  EXPECT_EQ(described().modes.ghost->course.size(), 2u);
  apply(context, Action::ExactGhost);
  EXPECT_FALSE(context.modes.ghost.on());
  EXPECT_FALSE(described().modes.ghost.has_value());
}

TEST_F(Modes, SplitViewFliesTwoDetectorsAndLeavesTheRightOne) {
  fly(3);
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  EXPECT_TRUE(context.ui.detection.eraMode) << "few machines are short of time";
  const Real begun = time();
  fly(20);
  EXPECT_GT(time(), begun);
  OverlayView view = described();
  ASSERT_TRUE(view.modes.halves.has_value());
  EXPECT_EQ((*view.modes.halves)[0].method, "bsp");
  EXPECT_TRUE((*view.modes.halves)[1].method.starts_with("sphere-tree"));
  apply(context, Action::NextLeftMethod);
  fly();
  view = described();
  EXPECT_NE((*view.modes.halves)[0].method, "bsp");
  // A pause stops both
  apply(context, Action::Pause);
  const std::uint64_t paused = state();
  fly(5);
  EXPECT_EQ(state(), paused);
  apply(context, Action::SplitView);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_FALSE(context.ui.detection.eraMode);
  EXPECT_EQ(state(), paused);
  EXPECT_FALSE(described().modes.halves.has_value());
}

TEST_F(Modes, TourFliesItsOwnFlight) {
  context.ui.view.drawLevel = DrawLevel::Level3;
  fly(3);
  const std::uint64_t before = state();
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  EXPECT_EQ(context.flight().scene().name, "tour");
  EXPECT_TRUE(context.ui.view.boundingSpheres) << "the first stop's key";
  fly(3);
  const std::string first(described().modes.tour->title);
  // Keys that change what a stop shows hold it; Pause goes on
  apply(context, Action::Wireframe);
  EXPECT_TRUE(described().modes.tour->held);
  apply(context, Action::Pause);
  EXPECT_NE(described().modes.tour->title, first);
  EXPECT_FALSE(described().modes.tour->held);
  // Left and right move the slider; the ships fly by themselves
  const double place = described().modes.tour->slider.place;
  context.times.turnSeconds = 0.1;
  context.steering.control.yaw = -1.0;
  context.steering.control.thrust = 1.0;
  fly();
  EXPECT_TRUE(described().modes.tour->held);
  EXPECT_GT(described().modes.tour->slider.place, place);
  EXPECT_TRUE(context.ui.pace.paused);
  EXPECT_EQ(context.steering.control.thrust, 0.0);
  // Keys for the user's own flight leave it first
  apply(context, Action::ExactGhost);
  EXPECT_FALSE(context.modes.tour.on());
  EXPECT_TRUE(context.modes.ghost.on());
  EXPECT_EQ(state(), before);
  EXPECT_EQ(context.ui.view.drawLevel, DrawLevel::Level3);
}

TEST_F(Modes, TourEndsAfterItsLastStop) {
  fly(3);
  const std::uint64_t before = state();
  apply(context, Action::Tour);
  std::size_t stops = 1;
  while (context.modes.tour.on() && stops < 100) {
    apply(context, Action::Pause);
    stops += context.modes.tour.on() ? 1 : 0;
  }
  EXPECT_EQ(stops, tourStops().size());
  EXPECT_EQ(state(), before);
}

TEST_F(Modes, RunForPointsFliesFromTheStartAtItsOwnSpeed) {
  fly(30);
  context.ui.pace.speedExponent = 2;
  apply(context, Action::Run);
  ASSERT_TRUE(context.modes.run.on());
  EXPECT_EQ(time(), 0.0);
  EXPECT_EQ(context.ui.pace.speedExponent, 0);
  apply(context, Action::Faster);
  EXPECT_EQ(context.ui.pace.speedExponent, 0);
  EXPECT_TRUE(described().modes.run.has_value());
  apply(context, Action::SplitView);
  EXPECT_FALSE(context.modes.split.on()) << "points are for one flight";
  apply(context, Action::Tour);
  EXPECT_FALSE(context.modes.tour.on());
  apply(context, Action::Run);
  EXPECT_FALSE(context.modes.run.on());
  EXPECT_FALSE(described().modes.run.has_value());
}

TEST_F(Modes, BenchTakesItsHintAlong) {
  apply(context, Action::Bench);
  EXPECT_TRUE(context.toasts.contains("the mouse orbits"));
  apply(context, Action::Bench);
  EXPECT_FALSE(context.modes.bench.on());
  EXPECT_FALSE(context.toasts.contains("the mouse orbits"));
}

TEST_F(Modes, RunForPointsEndsAndIsKept) {
  apply(context, Action::Run);
  context.steering.control = {0.6, 0.0, 0.6, 0.0};
  for (int frame = 0; frame < 20000 && context.modes.run.on(); ++frame) fly();
  EXPECT_NEAR(time(), TimedRun::length, 0.1);
  EXPECT_TRUE(context.ui.pages.runEnd && context.ui.pace.paused);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_TRUE(view.modes.runEnd->title.starts_with("The run is over"));
  EXPECT_EQ(engine::readBestRuns(engine::bestRunsFolder())->runs.size(), 1u);
  apply(context, Action::Back);
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
  // The run that has ended is flown again
  context.ui.pages.runEnd = true;
  apply(context, Action::Restart);
  EXPECT_TRUE(context.modes.run.on());
}

class ReplayModes : public Modes {
 protected:
  static constexpr int frames = 50;
  ReplayModes() {
    const auto file = folder / "flown.session";
    auto session = std::make_shared<engine::SessionWriter>();
    auto flown = Flight::begin(lamps(), nullptr, session);
    EXPECT_TRUE(flown && session->startFile(file));
    engine::FrameInput input;
    input.dt = input.detectStep = 1.0 / 50.0;
    input.detectionBudget = Clock::Duration::max();
    for (int frame = 0; frame < frames; ++frame) {
      (void)flown->advance(input);
      states.push_back(engine::stateHash(flown->world().ships()));
    }
    EXPECT_TRUE(session->close());
    auto player = playerOf(file, lamps().shapes);
    EXPECT_TRUE(player.has_value());
    (void)context.flightManager.replay(*std::move(player));
  }
  std::vector<std::uint64_t> states;
};

TEST_F(ReplayModes, FlyAsRecordedAndRefuseWhatWouldChangeThat) {
  ASSERT_TRUE(context.replays());
  fly(10);
  const std::size_t at = context.flight().player()->position();
  ASSERT_GT(at, 1u);
  EXPECT_EQ(state(), states[at - 1]);
  for (const Action action : {Action::Restart, Action::NewSeed, Action::Run, Action::SplitView,
                              Action::ExactGhost, Action::Tour, Action::NextMethod}) {
    apply(context, action);
    EXPECT_EQ(state(), states[at - 1]);
  }
  EXPECT_FALSE(context.modes.run.on() || context.modes.split.on() || context.modes.ghost.on() ||
               context.modes.tour.on());
  EXPECT_EQ(described().modes.replay->frames, static_cast<std::uint64_t>(frames));

  apply(context, Action::StepBack);
  fly();
  EXPECT_EQ(state(), states[at - 2]);
  EXPECT_TRUE(context.ui.pace.paused);
  context.modes.replay.jumpTo(40);
  fly();
  EXPECT_EQ(state(), states[39]);
}

TEST_F(ReplayModes, EndInAPauseAndAreTakenOver) {
  for (int turn = 0; turn < 1000 && !context.ui.pace.paused; ++turn) fly();
  EXPECT_TRUE(context.flight().player()->atEnd());
  EXPECT_EQ(state(), states.back());
  apply(context, Action::Confirm);
  EXPECT_FALSE(context.replays() || context.ui.pace.paused);
  EXPECT_EQ(state(), states.back()) << "nothing jumps";
  EXPECT_FALSE(described().modes.replay.has_value());
  fly();
  EXPECT_NE(state(), states.back());
}

TEST_F(ReplayModes, AreNotTakenOverFromTheBench) {
  fly(5);
  context.modes.bench.toggle(context);
  apply(context, Action::Confirm);
  EXPECT_TRUE(context.replays());
  context.modes.bench.leave(context);
  apply(context, Action::Confirm);
  EXPECT_FALSE(context.replays());
}

/// Whatever the scene's frames are meant to take.
TEST_F(ReplayModes, AreFilmedAtTheirOwnPace) {
  context.options.records.video = folder / "film.y4m";
  ASSERT_NE(engine::frameStep(context.flight().scene()), 1.0 / 50.0);
  beginRecords(context);
  ASSERT_TRUE(context.records.film.has_value());
  context.records.film.reset();
  EXPECT_NE(test::readText(folder / "film.y4m").find(" F50:1 "), std::string::npos);
}

/// Several recorded frames in a turn are measured together, and each is counted once.
TEST_F(ReplayModes, CountAllFramesOfATurn) {
  LoadedScene scene = lamps();
  scene.scene.clock = engine::ClockKind::Wall;
  scene.scene.arena.radius = 4.0;
  const auto file = folder / "crowded.session";
  auto session = std::make_shared<engine::SessionWriter>();
  auto flown = Flight::begin(scene, nullptr, session);
  ASSERT_TRUE(flown && session->startFile(file));
  engine::FrameInput input = unlimitedFrame();
  std::size_t begun = 0, detections = 0, ended = 0;
  for (int frame = 0; frame < 300; ++frame) {
    const engine::FrameOutput& output = flown->advance(input);
    begun += output.collisions.size();
    detections += output.profile.detections;
    ended += output.profile.touchesEnded;
  }
  ASSERT_TRUE(session->close());
  ASSERT_GT(begun, 5u);
  (void)context.flightManager.replay(*playerOf(file, lamps().shapes));
  int turns = 0;
  for (; turns < 300 && !context.flight().player()->atEnd(); ++turns) {
    context.times.frameSeconds = 0.1;
    fly();
    const engine::FrameProfile& turn = context.times.profile;
    for (const std::uint32_t count : turn.collisions) begun -= count;
    detections -= turn.detections;
    ended -= turn.touchesEnded;
  }
  EXPECT_LT(turns, 80);
  EXPECT_EQ(begun, 0u);
  EXPECT_EQ(detections, 0u);
  EXPECT_EQ(ended, 0u);
}

TEST_F(ReplayModes, WaitWhileHelpIsOpen) {
  fly(5);
  const std::uint64_t before = state();
  context.ui.pages.help = true;
  fly(5);
  EXPECT_EQ(state(), before);
  context.ui.pages.help = false;
  fly(2);
  EXPECT_NE(state(), before);
  selectTarget(context, 50.0);
  EXPECT_NE(targetOf(context.flight()), std::chrono::milliseconds(50)) << "cannot be changed";
}

}  // namespace
}  // namespace nearmiss::app::fly
