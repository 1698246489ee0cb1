// SPDX-License-Identifier: MIT
/// Room to fly: whoever thrusts straight on keeps ships in view, and reaches a wall only after a
/// while. Without somebody who flies, scenes are as they were.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>

#include "app/fly/quick_lamps.h"
#include "fly/flight/wall_assist.h"
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

/// Full thrust in any direction, for a minute: the ship is turned before the wall and never pushed.
TEST(RoomToFly, BendsTheShipBackBeforeTheWall) {
  engine::Scene scene = flown("lamps");
  scene.drones.clear();
  auto flight = Flight::begin(quickScene(scene));
  ASSERT_TRUE(flight.has_value());
  const double radius = flight->world().ships().arena().radius;
  const std::size_t user = flight->simulation().userIndex();
  SplitMix random(3);
  for (int attempt = 0; attempt < 12; ++attempt) {
    ASSERT_TRUE(flight->restart(1));
    Real yaw = random.between(-1.0, 1.0), pitch = random.between(-1.0, 1.0);
    double farthest = 0.0;
    for (int frame = 0; frame < 30 * 60; ++frame) {
      engine::FrameInput input = fullThrust();
      input.dt = 1.0 / 30.0;
      if (frame < 60) {
        input.control.yaw = yaw;
        input.control.pitch = pitch;
      } else if (attempt % 3 == 2) {
        // A user who keeps turning a little
        input.control.yaw = 0.2 * yaw;
      }
      input.control = steerAwayFromWall(input.control, flight->world().states()[user], radius);
      (void)flight->advance(input);
      farthest = std::max(farthest, glm::length(flight->world().states()[user].pose.position));
    }
    EXPECT_LT(farthest, radius) << attempt;
    if (attempt % 3 != 2) {
      EXPECT_GT(farthest, radius - bendingRoom) << attempt;
    }
  }
}

TEST(RoomToFly, LeavesTheSteeringAloneAwayFromTheWall) {
  BodyState ship;
  ship.shape = ShapeRef::ofRadius(1.0);
  const engine::ShipControl control{1.0, 0.3, -0.2, 0.5};
  const auto same = [&](const engine::ShipControl& other) {
    return other.thrust == control.thrust && other.pitch == control.pitch &&
           other.yaw == control.yaw && other.roll == control.roll;
  };
  ship.pose.position = {0.0, 0.0, -31.9};
  EXPECT_TRUE(same(steerAwayFromWall(control, ship, 42.0)));
  ship.pose.position.z = -36.0;
  EXPECT_FALSE(same(steerAwayFromWall(control, ship, 42.0)));
  // Inwards
  ship.pose.position.z = 41.0;
  EXPECT_TRUE(same(steerAwayFromWall(control, ship, 42.0)));
  // Backwards into the wall behind
  engine::ShipControl back;
  back.thrust = -1.0;
  const engine::ShipControl bent = steerAwayFromWall(back, ship, 42.0);
  EXPECT_NE(bent.yaw * bent.yaw + bent.pitch * bent.pitch, 0.0);
  EXPECT_EQ(bent.thrust, -1.0);
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
  const std::size_t own = flight->simulation().userIndex();
  while (flight->world().time() < seconds - 1e-6) {
    // As the window does
    const engine::Ships& ships = flight->world().ships();
    input.control =
        steerAwayFromWall(fullThrust().control, ships.states()[own], ships.arena().radius);
    const engine::FrameOutput& output = flight->advance(input);
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

/// Pushing at the wall, without the turn that the window adds, earns nothing.
TEST(RoomToFly, PaysNothingForPushingAtTheWall) {
  LoadedScene lamps = quickScene(flown("lamps"));
  lamps.scene.arena.wall = 8.0;
  std::int64_t atWall = 0;
  std::size_t passes = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    LoadedScene scene = lamps;
    scene.scene.seed = seed;
    auto flight = Flight::begin(std::move(scene));
    ASSERT_TRUE(flight.has_value());
    const std::size_t user = flight->simulation().userIndex();
    TimedRun run;
    run.begin();
    for (int frame = 0; frame < 60 * 30; ++frame) {
      engine::FrameInput input = fullThrust();
      input.dt = 1.0 / 30.0;
      const engine::FrameOutput& output = flight->advance(input);
      (void)run.take(*flight, input.detectionBudget, Detector::noLevelCap);
      if (glm::length(output.bodies[user].pose.position) < 8.0) continue;
      EXPECT_TRUE(run.passes().empty());
      passes += run.events().size();
      for (const TimedRun::Earned& each : run.earned())
        atWall += std::max<std::int64_t>(each.points, 0);
    }
  }
  EXPECT_GT(passes, 10u);
  EXPECT_EQ(atWall, 0);
}

/// Who does nothing but fly wins the first level, and not the last one.
TEST(RoomToFly, LetsABeginnerWinTheFirstLevel) {
  const LoadedScene lamps = quickScene(flown("lamps"));
  int won = 0;
  std::string all;
  for (const std::uint64_t seed : {1u, 2u, 3u, 42u}) {
    const std::int64_t points = straightRun(lamps, seed, TimedRun::length).points;
    won += points >= engine::runGoals.front();
    all += std::to_string(points) + " ";
    EXPECT_LT(points, engine::runGoals.back()) << seed;
  }
  EXPECT_GE(won, 3) << all;
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
