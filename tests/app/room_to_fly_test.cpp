// SPDX-License-Identifier: MIT
/// Room to fly: whoever thrusts straight on keeps ships in view, and reaches a wall only after a
/// while. Without somebody who flies, scenes are as they were.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/quick_lamps.h"
#include "fly/game/timed_run.h"
#include "fly/gfx/camera.h"

namespace nearmiss::app::fly {
namespace {

engine::Scene flown(const std::string& name) {
  auto scene = engine::readScene(*engine::findScene(name));
  EXPECT_TRUE(scene.has_value());
  scene->clock = engine::ClockKind::Work;
  scene->arena.flown = true;
  return *std::move(scene);
}

engine::FrameInput fullThrust() {
  engine::FrameInput input;
  input.dt = input.detectStep = 1.0 / 60.0;
  input.detectionBudget = Clock::Duration::max();
  input.control.thrust = 1.0;
  return input;
}

int shipsInView(const Flight& flight, const Camera& camera) {
  int seen = 0;
  const auto bodies = flight.output().bodies;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    glm::vec2 at;
    if (i == flight.simulation().userIndex()) continue;
    seen += project(camera, 1280, 720, bodies[i].pose.position, at) && at.x >= 0.0f &&
            at.y >= 0.0f && at.x <= 1280.0f && at.y <= 720.0f;
  }
  return seen;
}

TEST(RoomToFly, HasShipsInViewHoweverLongOneThrusts) {
  const LoadedScene lamps = quickScene(flown("lamps"));
  int empty = 0, looked = 0, most = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    LoadedScene scene = lamps;
    scene.scene.seed = seed;
    auto flight = Flight::begin(std::move(scene));
    ASSERT_TRUE(flight.has_value());
    CameraRig rig;
    for (int frame = 0; frame < 10 * 60; ++frame) {
      (void)flight->advance(fullThrust());
      const BodyState& own = flight->output().bodies[flight->simulation().userIndex()];
      const Camera camera = rig.update(own.pose, own.shape.radius(), 1.0 / 60.0);
      if (frame < 3 * 60) continue;
      const int seen = shipsInView(*flight, camera);
      ++looked;
      empty += seen == 0;
      most = std::max(most, seen);
    }
  }
  EXPECT_EQ(empty, 0) << "of " << looked;
  EXPECT_EQ(looked, 20 * 7 * 60);
  EXPECT_GE(most, 5);
}

/// Seconds from one side of the arena to the other at full thrust.
double secondsAcross(const std::string& name) {
  engine::Scene scene = flown(name);
  scene.drones.clear();
  auto flight = Flight::begin(quickScene(scene));
  EXPECT_TRUE(flight.has_value());
  const double radius = flight->world().ships().arena().radius;
  const auto place = [&] {
    return flight->output().bodies[flight->simulation().userIndex()].pose.position;
  };
  // From the first time at the wall to the next, turned round between
  const Vec3 start = place();
  double seconds = 0.0;
  while (glm::length(place()) < radius && seconds < 200.0) {
    (void)flight->advance(fullThrust());
    seconds += 1.0 / 60.0;
  }
  return seconds * 2.0 * radius / glm::distance(start, place());
}

TEST(RoomToFly, TakesTwentySecondsToCrossAndMoreAmongTrucks) {
  const double lamps = secondsAcross("lamps"), trucks = secondsAcross("trucks");
  EXPECT_GE(lamps, 20.0);
  EXPECT_LE(lamps, 40.0);
  EXPECT_GT(trucks, lamps + 2.0);
}

/// What becomes of whoever only thrusts straight on, for a run for points.
struct StraightRun {
  int hits = 0;
  std::int64_t points = 0;
};
StraightRun straightRun(LoadedScene scene, std::uint64_t seed) {
  scene.scene.seed = seed;
  auto flight = Flight::begin(std::move(scene));
  EXPECT_TRUE(flight.has_value());
  engine::FrameInput input = fullThrust();
  input.dt = 1.0 / 30.0;
  TimedRun run;
  run.begin();
  StraightRun flown;
  for (bool over = false; !over;) {
    const engine::FrameOutput& output = flight->advance(input);
    const std::size_t own = flight->simulation().userIndex();
    for (const engine::Collision& collision : output.collisions)
      flown.hits += collision.a == own || collision.b == own;
    over = run.take(*flight, input.detectionBudget, Detector::noLevelCap);
  }
  flown.points = run.score().points();
  return flown;
}

/// Drones pass and do not ram; the first level is won by who does nothing but fly.
TEST(RoomToFly, IsSharedWithDronesThatMakeWay) {
  const LoadedScene lamps = quickScene(flown("lamps"));
  LoadedScene rude = lamps;
  rude.scene.arena.clearance = 0.0;
  int hits = 0, most = 0, rammed = 0, won = 0;
  std::vector<std::int64_t> points;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const StraightRun run = straightRun(lamps, seed);
    hits += run.hits;
    most = std::max(most, run.hits);
    won += run.points >= engine::runGoals[0];
    points.push_back(run.points);
    if (seed == 20) rammed = straightRun(rude, seed).hits;
  }
  std::ranges::sort(points);
  const double minutes = 20 * TimedRun::length / 60.0;
  RecordProperty("hits_per_minute", std::to_string(hits / minutes));
  EXPECT_LT(hits / minutes, 3.0) << "rammed " << rammed / (minutes / 20);
  EXPECT_LT(most, 10);
  EXPECT_GT(rammed / (minutes / 20), 10.0 * hits / minutes) << "without manners";
  EXPECT_GE(won, 16) << "points from " << points.front() << " by " << points[10] << " to "
                     << points.back();
}

TEST(RoomToFly, IsThereOnlyWhereSomebodyFlies) {
  engine::Scene scene = flown("lamps");
  EXPECT_EQ(engine::arenaOf(scene).radius, 42.0);
  EXPECT_EQ(engine::gatheringRadius(scene), 5.2);
  scene.arena.flown = false;
  EXPECT_EQ(engine::arenaOf(scene).radius, 5.2);
  // The same flight to the last bit as one without a wall
  auto with = Flight::begin(quickScene(scene));
  scene.arena.wall.reset();
  auto without = Flight::begin(quickScene(scene));
  ASSERT_TRUE(with && without);
  for (int frame = 0; frame < 300; ++frame) {
    (void)with->advance(fullThrust());
    (void)without->advance(fullThrust());
  }
  EXPECT_EQ(engine::stateHash(with->world().ships()), engine::stateHash(without->world().ships()));
  scene.arena.wall = 42.0;
  scene.arena.flown = true;
  auto flying = Flight::begin(quickScene(scene));
  for (int frame = 0; frame < 300; ++frame) (void)flying->advance(fullThrust());
  EXPECT_NE(engine::stateHash(flying->world().ships()), engine::stateHash(with->world().ships()));
}

}  // namespace
}  // namespace nearmiss::app::fly
