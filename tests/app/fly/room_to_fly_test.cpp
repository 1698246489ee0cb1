// SPDX-License-Identifier: MIT
/// Room to fly: whoever thrusts straight on keeps ships in view, and reaches a wall only after a
/// while. Without somebody who flies, scenes are as they were.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>

#include "app/fly/quick_lamps.h"
#include "fly/gfx/camera.h"
#include "fly/modes/game/timed_run.h"

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

/// What happens to a pilot who only thrusts straight on, for some seconds of a run for points.
struct StraightRun {
  int hits = 0;
  std::int64_t points = 0;
};
StraightRun straightRun(LoadedScene scene, std::uint64_t seed, double seconds) {
  scene.scene.seed = seed;
  auto flight = Flight::begin(std::move(scene));
  EXPECT_TRUE(flight.has_value());
  engine::FrameInput input = fullThrust();
  input.dt = 1.0 / 30.0;
  TimedRun run;
  run.begin();
  StraightRun done;
  while (flight->world().time() < seconds - 1e-6) {
    const engine::FrameOutput& output = flight->advance(input);
    const std::size_t own = flight->simulation().userIndex();
    for (const engine::Collision& collision : output.collisions)
      done.hits += collision.a == own || collision.b == own;
    (void)run.take(*flight, input.detectionBudget, Detector::noLevelCap);
  }
  done.points = run.score().points();
  return done;
}

/// Drones pass and do not ram.
TEST(RoomToFly, IsSharedWithDronesThatMakeWay) {
  constexpr double seconds = 20.0;
  constexpr std::uint64_t flights = 10;
  const LoadedScene lamps = quickScene(flown("lamps"));
  int hits = 0, most = 0;
  for (std::uint64_t seed = 1; seed <= flights; ++seed) {
    const int own = straightRun(lamps, seed, seconds).hits;
    hits += own;
    most = std::max(most, own);
  }
  const double perMinute = hits / (static_cast<double>(flights) * seconds / 60.0);
  EXPECT_LT(perMinute, 3.0);
  EXPECT_LE(most, 4);
  LoadedScene rude = lamps;
  rude.scene.arena.clearance = 0.0;
  const double rammed = straightRun(rude, 7, seconds).hits / (seconds / 60.0);
  EXPECT_GT(rammed, 10.0 * perMinute) << perMinute << " with manners";
}

/// Who does nothing but fly wins the first level, and not the last one.
TEST(RoomToFly, LetsABeginnerWinTheFirstLevel) {
  const LoadedScene lamps = quickScene(flown("lamps"));
  int won = 0;
  for (const std::uint64_t seed : {1u, 2u, 3u, 42u}) {
    const std::int64_t points = straightRun(lamps, seed, TimedRun::length).points;
    won += points >= engine::runGoals.front();
    EXPECT_LT(points, engine::runGoals.back()) << seed;
  }
  EXPECT_GE(won, 3);
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
