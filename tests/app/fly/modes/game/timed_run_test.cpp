// SPDX-License-Identifier: MIT
/// A run for points without its window: its clock, its score, and the same again from its session.
#include "fly/modes/game/timed_run.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/quick_lamps.h"
#include "fly/gfx/camera.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

const LoadedScene& runLamps() {
  static const LoadedScene loaded = [] {
    // A flight reads its models again
    static const nearmiss::test::TemporaryFolder folder;
    engine::Scene scene;
    scene.playerModel = nearmiss::test::writeText(
        folder / "star.obj", nearmiss::test::asObj(nearmiss::test::spikyStar(3, 6, 8)));
    scene.drones[0].model = scene.playerModel;
    scene.drones[0].count = 30;
    scene.arena.radius = 5.2;
    scene.clock = engine::ClockKind::Work;
    scene.tree = "octree";
    engine::ShapeOptions options;
    options.treeBuilder = scene.tree;
    options.cacheFolder = folder / "cache";
    auto shapes = engine::buildShapeSet(*engine::modelFilesOf(scene), options);
    EXPECT_TRUE(shapes.has_value());
    return LoadedScene{scene, *std::move(shapes)};
  }();
  return loaded;
}

engine::FrameInput inputOf(int frame) {
  engine::FrameInput input;
  input.dt = 1.0 / 30.0;
  input.detectStep = 1.0 / 60.0;
  input.control.thrust = 1.0;
  input.control.yaw = frame % 90 < 60 ? 0.9 : -0.4;
  input.levelCap = frame % 600 < 150 ? 2 : Detector::noLevelCap;
  input.detectionBudget = std::chrono::microseconds(20000 + frame % 100);
  return input;
}

struct RunFlown {
  std::vector<std::string> events;
  engine::BestRun result;
  int frames = 0;
};

/// A whole run, recorded to `file`.
RunFlown fly(const std::filesystem::path& file) {
  auto session = std::make_shared<engine::SessionWriter>();
  auto flight = Flight::begin(runLamps(), nullptr, session);
  EXPECT_TRUE(flight.has_value());
  TimedRun run;
  // What flew before has no part in it
  for (int frame = 0; frame < 20; ++frame) (void)flight->advance(inputOf(7 * frame));
  EXPECT_TRUE(flight->restart(5));
  run.begin();
  RunFlown flown;
  for (bool over = false; !over;) {
    const engine::FrameInput input = inputOf(flown.frames++);
    (void)flight->advance(input);
    over = run.take(*flight, input.detectionBudget, input.levelCap);
    for (const std::string& event : run.events()) flown.events.push_back(event);
    EXPECT_NEAR(run.view().left, TimedRun::length - flight->world().time(), 1e-6);
    if (flown.frames > 3000) ADD_FAILURE() << "the run does not end";
    if (flown.frames > 3000) break;
  }
  EXPECT_FALSE(run.running());
  flown.result = run.result(flight->scene());
  EXPECT_EQ(flown.result.points, run.score().points());
  EXPECT_TRUE(session->saveCopy(file));
  return flown;
}

int countOf(const std::vector<std::string>& events, std::string_view what) {
  int count = 0;
  for (const std::string& event : events) count += event.starts_with(what);
  return count;
}

TEST(TimedRun, EndsInTimeAndIsReplayedFromItsSession) {
  const nearmiss::test::TemporaryFolder folder;
  const RunFlown flown = fly(folder / "run.session");
  EXPECT_EQ(flown.frames, 2700);
  EXPECT_EQ(flown.result.seed, 5u);
  EXPECT_EQ(flown.result.minBudget, std::chrono::microseconds(20000));
  EXPECT_EQ(flown.result.maxBudget, std::chrono::microseconds(20099));
  EXPECT_EQ(countOf(flown.events, "near miss: "), static_cast<int>(flown.result.nearMisses));
  EXPECT_EQ(countOf(flown.events, "hit: "), static_cast<int>(flown.result.hits));
  EXPECT_EQ(countOf(flown.events, "false hit: the"), static_cast<int>(flown.result.falseHits));
  EXPECT_GT(flown.result.nearMisses, 2u);
  EXPECT_GT(flown.result.hits, 2u);
  EXPECT_GT(flown.result.falseHits, 2u);

  // A replay flies the run and nothing else, and has the same near misses and false hits
  auto player = playerOf(folder / "run.session", runLamps().shapes);
  ASSERT_TRUE(player.has_value());
  Flight replay = Flight::replay(*std::move(player), nullptr, nullptr);
  ASSERT_EQ(replay.player()->session().frames(), 2700u);
  TimedRun watch;
  watch.begin();
  std::vector<std::string> seen;
  for (std::uint64_t frame = 1; frame <= 2700; ++frame) {
    ASSERT_TRUE(replay.replayTo(frame));
    (void)watch.take(replay, {}, inputOf(static_cast<int>(frame) - 1).levelCap);
    for (const std::string& event : watch.events()) seen.push_back(event);
  }
  EXPECT_FALSE(replay.player()->difference());
  EXPECT_EQ(seen, flown.events);
}

/// What is earned floats where it was earned, once, and adds up.
TEST(TimedRun, SaysWherePointsWereEarned) {
  auto flight = Flight::begin(runLamps());
  ASSERT_TRUE(flight.has_value());
  TimedRun run;
  run.begin();
  std::int64_t sum = 0;
  std::size_t gains = 0, losses = 0;
  for (int frame = 0; frame < 2600; ++frame) {
    (void)flight->advance(inputOf(frame));
    (void)run.take(*flight, {}, Detector::noLevelCap);
    const Vec3& own = flight->output().bodies[flight->simulation().userIndex()].pose.position;
    for (const TimedRun::Earned& each : run.earned()) {
      sum += each.points;
      ++(each.points > 0 ? gains : losses);
      EXPECT_LT(glm::distance(each.place, own), 2.5 * shipRadius(*flight));
    }
    ASSERT_EQ(sum, run.score().points());
    ASSERT_GE(sum, 0);
  }
  EXPECT_GT(gains, 2u);
  EXPECT_GT(losses, 2u);
}

TEST(FloatingPoints, RiseWhereTheyWereEarnedAndFade) {
  DrawnText type(1280.0f, 720.0f, 1.0f);
  Camera camera;
  camera.pose.position = {0.0, 0.0, 10.0};
  FloatingPoints floating;
  floating.add(81, {0.0, 0.0, 0.0}, 5.0);
  floating.add(-300, {0.0, 0.0, 20.0}, 5.0);  // behind the eye
  float before = 1e9f;
  for (const double age : {0.0, 0.5, 1.0, 1.5}) {
    type.next();
    floating.draw(Ink(), camera, {1280.0f, 720.0f}, 5.0 + age);
    const std::string text = type.text();
    EXPECT_NE(text.find("+81"), std::string::npos) << age;
    EXPECT_EQ(text.find("300"), std::string::npos);
    ASSERT_FALSE(type.letters().empty());
    const Rect last = type.letters().back();
    EXPECT_NEAR(last.x, 640.0f, 40.0f);
    EXPECT_LT(last.y, 360.0f);
    EXPECT_LT(last.y, before);
    before = last.y;
  }
  type.next();
  floating.draw(Ink(), camera, {1280.0f, 720.0f}, 5.1 + FloatingPoints::seconds);
  EXPECT_TRUE(type.letters().empty());
  EXPECT_EQ(floating.count(), 0u);
  for (int i = 0; i < 30; ++i) floating.add(i, {}, 5.0);
  EXPECT_EQ(floating.count(), FloatingPoints::most);
}

TEST(TimedRun, TellsWhatHappensInAFreeFlightWithoutPoints) {
  auto flight = Flight::begin(runLamps());
  ASSERT_TRUE(flight.has_value());
  TimedRun run;
  std::size_t told = 0;
  for (int frame = 0; frame < 2000; ++frame) {
    (void)flight->advance(inputOf(frame));
    EXPECT_FALSE(run.take(*flight, {}, 2));
    for (const std::string& event : run.events()) {
      ++told;
      EXPECT_TRUE(event.ends_with(" cm")) << event;
    }
  }
  EXPECT_GT(told, 5u);
  EXPECT_EQ(run.score().points(), 0);
}

}  // namespace
}  // namespace nearmiss::app::fly
