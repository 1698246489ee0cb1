// SPDX-License-Identifier: MIT
/// What one mode of the window leaves to the next, to the files of the flight and to what is
/// remembered.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>

#include "app/fly/modes.h"
#include "fly/choices/detection_choice.h"
#include "fly/flight_context.h"
#include "support/files.h"

namespace nearmiss::app::fly {
namespace {

class ModeChanges : public Modes {
 protected:
  [[nodiscard]] bool said(std::string_view words) const { return context.toasts.contains(words); }
  /// The report on the picked pair, once its truth is known.
  std::optional<PairReport> truthOfPair() {
    for (int i = 0; i < 2000; ++i) {
      auto report = context.inspection.report(context.flight(), context.ui);
      if (!report || report->truth) return report;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return std::nullopt;
  }
  void pickFirstTwo() {
    const auto bodies = context.flight().output().bodies;
    context.ui.view.picked = {bodies[0].key, bodies[1].key};
  }
};

TEST_F(ModeChanges, WhatPhotoModeSetsIsNotRemembered) {
  context.remembered.memory.file = folder / "window.toml";
  context.view.rig.setMode(CameraMode::Orbit);
  apply(context, Action::Photo);
  remember(context);
  const WindowSettings kept = loadSettings(folder / "window.toml").settings;
  EXPECT_EQ(kept.overlay, OverlayMode::Full);
  EXPECT_EQ(kept.camera, CameraMode::Orbit);
  EXPECT_EQ(kept.spheres, DrawLevel::Contact);
}

TEST_F(ModeChanges, ATourFromPhotoModeGivesThePanelsBack) {
  apply(context, Action::Photo);
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  EXPECT_FALSE(context.modes.photo.on());
  apply(context, Action::Tour);
  EXPECT_EQ(context.ui.view.overlay, OverlayMode::Full);
  EXPECT_FALSE(context.ui.pace.paused);
}

TEST_F(ModeChanges, PicturesThatAreStillToComeAreNotFlownPast) {
  EXPECT_FALSE(needsEveryPicture(context));
  context.options.records.screenshot = folder / "p.png";
  EXPECT_TRUE(needsEveryPicture(context));
  context.records.pictureTaken = true;
  EXPECT_FALSE(needsEveryPicture(context));
  auto film = Film::begin(folder / "f%d.png", 8, 8, 0.04);
  ASSERT_TRUE(film.has_value());
  context.records.film.emplace(*std::move(film));
  EXPECT_TRUE(needsEveryPicture(context));
}

TEST_F(ModeChanges, SettingsThatCannotBeReadAreNotWrittenOver) {
  // Nobody reads a folder as a file, whoever they are
  restoreSettings(context, {folder.path(), false});
  EXPECT_TRUE(context.remembered.memory.file.empty());
  EXPECT_TRUE(said("it stays as it is"));
  restoreSettings(context, {folder / "window.toml", false});
  EXPECT_EQ(context.remembered.memory.file, folder / "window.toml");
}

TEST_F(ModeChanges, ASplitViewThatIsAwaitedWaitsForThePictureAsWell) {
  apply(context, Action::Photo);
  context.modes.split.await();
  context.modes.split.pursue(context);
  EXPECT_FALSE(context.modes.split.on());
  apply(context, Action::Photo);
  context.modes.split.pursue(context);
  EXPECT_TRUE(context.modes.split.on());
  apply(context, Action::SplitView);
  // Its key leaves photo mode, as that leaves a split view
  apply(context, Action::Photo);
  apply(context, Action::SplitView);
  EXPECT_TRUE(context.modes.split.on());
  EXPECT_FALSE(context.modes.photo.on() || context.ui.pace.paused);
}

TEST_F(ModeChanges, AFilmIsOfTheOneFlight) {
  auto film = Film::begin(folder / "f%d.png", 8, 8, 0.04);
  ASSERT_TRUE(film.has_value());
  context.records.film.emplace(*std::move(film));
  apply(context, Action::SplitView);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_TRUE(said("a film is being made"));
  apply(context, Action::Tour);
  EXPECT_FALSE(context.modes.tour.on());
}

TEST_F(ModeChanges, ATourFliesIntoNoFileOfAnOption) {
  for (std::filesystem::path RecordFiles::*file :
       {&RecordFiles::profile, &RecordFiles::trace, &RecordFiles::summary}) {
    Options recorded;
    recorded.records.*file = folder / "record";
    ASSERT_TRUE(context.records.recorder.begin(recorded, {}));
    apply(context, Action::Tour);
    EXPECT_FALSE(context.modes.tour.on());
    EXPECT_TRUE(context.records.recorder.finish(recorded, {}, 0));
    context.records.recorder = {};
  }
  apply(context, Action::Tour);
  EXPECT_TRUE(context.modes.tour.on());
}

TEST_F(ModeChanges, FrameTimesAreOfTheOneFlight) {
  Options recorded;
  recorded.records.profile = folder / "record.csv";
  ASSERT_TRUE(context.records.recorder.begin(recorded, {}));
  apply(context, Action::SplitView);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_TRUE(said("frame times are being recorded"));
  context.modes.split.await();
  context.modes.split.pursue(context);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_TRUE(context.records.recorder.finish(recorded, {}, 0));
  context.records.recorder = {};

  context.modes.split.pursue(context);
  ASSERT_TRUE(context.modes.split.on()) << "it has waited for the end of that";
  toggleRecording(context);
  EXPECT_FALSE(context.records.recorder.recording());
  EXPECT_TRUE(said("in one view only"));
}

/// Its own trees never have those that BSP needs, where the flight had none when it began.
TEST_F(ModeChanges, TheLeftHalfReachesEveryMethodThatItsTreesSuffice) {
  engine::ShapeOptions shapes;
  shapes.treeBuilder = "octree";
  shapes.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-quick-lamps";
  shapes.bspTrees = engine::BspTrees::None;
  auto bare = engine::buildShapeSet(*engine::modelFilesOf(lamps().scene), shapes);
  ASSERT_TRUE(bare.has_value());
  takeOffRecorded({lamps().scene, *bare});
  context.options.cacheFolder = shapes.cacheFolder;
  context.options.leftHalf = HalfChoice{"sphere-tree", "octree", defaultBudget("sphere-tree")};
  apply(context, Action::SplitView);
  context.modes.split.pursue(context);
  ASSERT_TRUE(context.modes.split.on());
  shapes.bspTrees = engine::BspTrees::Build;
  auto whole = engine::withTrees(**bare, shapes);
  ASSERT_TRUE(whole.has_value());
  ASSERT_TRUE(context.flight().changeTrees({lamps().scene, *whole}));
  ASSERT_TRUE(context.flight().shapes().hasBspTrees());
  std::set<std::string_view> reached;
  for (std::size_t press = 0; press < narrowPhaseCatalog().size(); ++press) {
    apply(context, Action::NextLeftMethod);
    for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
      if (said(fmt::format("left: {};", entry.name))) reached.insert(entry.name);
  }
  for (const NarrowPhaseEntry& entry : narrowPhaseCatalog())
    EXPECT_EQ(reached.contains(entry.name), !entry.needsBspTrees) << entry.name;
}

TEST_F(ModeChanges, TheTruthAboutAPairIsOfTheMethodThatIsShown) {
  apply(context, Action::Pause);
  pickFirstTwo();
  const auto before = truthOfPair();
  ASSERT_TRUE(before && before->truth && before->truth->times);
  selectNarrowPhase(context, *findNarrowPhase("obb-tree"));
  const auto after = truthOfPair();
  ASSERT_TRUE(after && after->truth && after->truth->times);
  EXPECT_EQ(after->truth->distance.upper, before->truth->distance.upper);
  EXPECT_NE(after->truth->times->level, before->truth->times->level) << "times of the old method";
}

TEST_F(ModeChanges, AnotherSceneEndsTheTour) {
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  selectScene(context, "lamps");
  EXPECT_FALSE(context.modes.tour.on());
  EXPECT_EQ(context.flightManager.worker().what(), "Loading lamps");
}

TEST_F(ModeChanges, TheTruthAboutAPairIsOfTheFlightThatIsSeen) {
  apply(context, Action::Pause);
  pickFirstTwo();
  const auto before = truthOfPair();
  ASSERT_TRUE(before && before->truth);
  // The same keys at the same time
  apply(context, Action::NewSeed);
  pickFirstTwo();
  const auto after = truthOfPair();
  ASSERT_TRUE(after && after->truth);
  EXPECT_NE(after->centreDistance, before->centreDistance);
  EXPECT_NE(after->truth->distance.upper, before->truth->distance.upper);
}

TEST_F(ModeChanges, MarksOfImportanceAreForOneFlightAlone) {
  pickFirstTwo();
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  apply(context, Action::MarkUnimportant);
  EXPECT_TRUE(said("the mark would apply to one flight only"));
  for (const BodyState& ship : context.flight().world().states()) EXPECT_FALSE(ship.unimportant);
  apply(context, Action::SplitView);
  apply(context, Action::MarkUnimportant);
  EXPECT_TRUE(context.flight().world().states()[0].unimportant ||
              context.flight().world().states()[1].unimportant);
}

TEST_F(ModeChanges, TheRecordingOfTheCommandLineIsNamedWhereItEnds) {
  takeOffRecorded(lamps());
  context.options.records.session = folder / "mine.session";
  ASSERT_TRUE(context.flightManager.session().startFile(context.options.records.session));
  fly(3);
  toggleSession(context);
  EXPECT_TRUE(said("3 frames recorded; nearmiss replay " + (folder / "mine.session").string()));
}

TEST_F(ModeChanges, APictureOfTheCommandLineThatFailsIsNoSuccess) {
  context.options.records.screenshot = folder / "no" / "a.png";
  ScreenshotWorker& pictures = context.records.screenshots;
  pictures.write(context.options.records.screenshot, 1, 1, {0, 0, 0});
  pictures.write(folder / "b.png", 1, 1, {0, 0, 0});
  pictures.wait();
  reportScreenshots(context);
  EXPECT_EQ(context.ending.exitCode, Environment);
  EXPECT_TRUE(said("a.png") && said("b.png")) << "none is forgotten for the next";
}

TEST_F(ModeChanges, AnErrorWithoutWordsIsSaid) {
  context.fail({ErrorCode::OutOfMemory, {}});
  EXPECT_EQ(context.ending.exitCode, Environment);
  EXPECT_EQ(context.ending.failure, "not enough memory");
  context.warn({});
  EXPECT_TRUE(said("not enough memory"));
}

TEST_F(ModeChanges, AsManyDronesFlyAsAreChosen) {
  LoadedScene groups = lamps();
  groups.scene.drones.assign(3, groups.scene.drones[0]);
  for (engine::DroneGroup& group : groups.scene.drones) group.count = 2;
  const LoadedScene none = [&] {
    LoadedScene alone = groups;
    alone.scene.drones.clear();
    return alone;
  }();
  for (const LoadedScene& scene : {groups, none}) {
    takeOffRecorded(scene);
    selectDroneCount(context, 1);
    std::optional<Change> change;
    // What is still growing for the flight before ends first
    for (int i = 0; i < 20000 && !(change && change->flight); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      change = context.flightManager.poll();
    }
    ASSERT_TRUE(change && change->flight);
    EXPECT_EQ(shipsOf(context.flight()).size(), 2u);
  }
}

TEST_F(ModeChanges, OfferedModelsStayWhileTheyAreShown) {
  const auto named = [this](const char* name) { nearmiss::test::writeText(folder / name, ""); };
  for (const char* name : {"b.obj", "a.stl", "c.png"}) named(name);
  ModelFolder models(folder.path());
  EXPECT_EQ(models.look(0.0), (std::vector{folder / "a.stl", folder / "b.obj"}));
  named("d.off");
  double now = 0.0;
  for (int picture = 0; picture < 40; ++picture) EXPECT_EQ(models.look(now += 0.1).size(), 2u);
  EXPECT_EQ(models.offered().size(), 2u);
  EXPECT_EQ(models.look(now + 2.0).size(), 3u);
  for (int i = 0; i < 60; ++i) named(("m" + std::to_string(i + 100) + ".ply").c_str());
  const auto& most = models.look(now + 4.0);
  ASSERT_EQ(most.size(), ModelFolder::maxOffered);
  EXPECT_EQ(most.front(), folder / "a.stl");
  EXPECT_EQ(most.back(), folder / "m136.ply");
}

}  // namespace
}  // namespace nearmiss::app::fly
