// SPDX-License-Identifier: MIT
/// Ships put elsewhere by hand, and bodies that the user's ship shoots.
#include <engine/flight/hand_acts.h>
#include <engine/flight/response.h>
#include <engine/session/flight_past.h>
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <vector>

#include "engine/flying.h"
#include "support/manual_clock.h"

namespace nearmiss::engine {
namespace {

HandAct put(std::uint32_t ship, const Vec3& position, const Vec3& velocity) {
  return {HandAct::Kind::Put, ship, position, velocity};
}
HandAct shot() { return {HandAct::Kind::Shoot, 0, {}, {}}; }

std::unique_ptr<Simulation> armedFlight(Clock& clock, std::uint64_t seed = 3, int drones = 9) {
  return test::subtractStolen({.seed = seed, .drones = drones, .armed = true},
                              test::hangar().detector("sphere-tree", "space-time-queue"), clock);
}

TEST(HandActs, PutAShipWithItsVelocityOrDoNothing) {
  World world;
  ShipDef def;
  def.velocity = {1.0, 0.0, 0.0};
  (void)*world.ships().create(def);
  Ships& ships = world.ships();
  const std::uint32_t key = ships.states()[0].key;
  putShip(ships, put(key, {1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}));
  EXPECT_EQ(ships.states()[0].pose.position, Vec3(1.0, 2.0, 3.0));
  EXPECT_EQ(ships.states()[0].velocity, Vec3(4.0, 5.0, 6.0));
  const std::uint64_t before = stateHash(ships);
  constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
  putShip(ships, put(key, {none, 0.0, 0.0}, {1.0, 1.0, 1.0}));
  putShip(ships, put(key, {0.0, 0.0, 0.0}, {1e300, 0.0, 0.0}));
  putShip(ships, put(key + 7, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}));
  putShip(ships, put(0, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}));
  EXPECT_EQ(stateHash(ships), before);
}

TEST(HandActs, PushShipsByTheirKeyOrTheUsersShip) {
  World world;
  ShipDef def;
  def.velocity = {1.0, 0.0, 0.0};
  const ShipId user = *world.ships().create(def);
  (void)*world.ships().create(def);
  Ships& ships = world.ships();
  const std::uint32_t other = ships.states()[1].key;
  const auto push = [&](std::uint32_t ship, const Vec3& velocity) {
    const std::vector acts{HandAct{HandAct::Kind::Push, ship, {}, velocity}};
    Shots().act(ships, user, acts);
  };
  push(other, {0.5, 2.0, 0.0});
  EXPECT_EQ(ships.states()[1].velocity, Vec3(1.5, 2.0, 0.0));
  EXPECT_EQ(ships.states()[0].velocity, Vec3(1.0, 0.0, 0.0));
  push(0, {0.0, 0.0, -3.0});
  EXPECT_EQ(ships.states()[0].velocity, Vec3(1.0, 0.0, -3.0));
  const std::uint64_t before = stateHash(ships);
  push(other + 5, {1.0, 1.0, 1.0});
  push(other, {1e300, 0.0, 0.0});
  EXPECT_EQ(stateHash(ships), before);
}

TEST(HandActs, SteerAShipInsteadOfItsPilot) {
  WorkClock clock;
  const auto simulation = armedFlight(clock);
  const BodyState& drone = simulation->world().states()[3];
  HandAct act;
  act.kind = HandAct::Kind::Steer;
  act.ship = drone.key;
  act.control = {1.0, 0.0, 0.25, -0.5};
  const std::vector acts{act};
  const auto steered = [&](std::size_t ship) {
    const ShipControl& now = simulation->world().ships().control(ship);
    return now.thrust == act.control.thrust && now.yaw == act.control.yaw &&
           now.roll == act.control.roll;
  };
  std::size_t piloted = 0;
  for (int i = 0; i < 60; ++i) {
    FrameInput input = test::scripted(i);
    if (i < 50) input.acts = acts;
    simulation->advance(input);
    if (i < 50)
      ASSERT_TRUE(steered(3)) << i;
    else
      piloted += !steered(3);
    ASSERT_FALSE(steered(4)) << i;
  }
  EXPECT_GT(piloted, 0u) << "its pilot steers again";
}

TEST(Shots, AreShotByTheShipThatTheActNames) {
  WorkClock clock;
  const auto simulation = armedFlight(clock);
  const BodyState from = simulation->world().states()[5];
  HandAct act = shot();
  act.ship = from.key;
  const std::vector acts{act};
  FrameInput input;
  input.dt = input.detectStep = 1e-3;
  input.acts = acts;
  const FrameOutput& out = simulation->advance(input);
  ASSERT_EQ(out.shots, 1u);
  const Vec3 way = out.bodies.back().pose.position - from.pose.position;
  EXPECT_GT(glm::dot(glm::normalize(way), from.pose.rotation * Vec3(0.0, 0.0, -1.0)), 0.99);
  EXPECT_LT(glm::length(way), 3.0 * from.shape.radius());
}

/// Seen at once while nothing flies, and recorded with the next frame.
TEST(HandActs, DoneTwiceAreDoneOnce) {
  WorkClock clock;
  const auto once = armedFlight(clock), twice = armedFlight(clock);
  for (int i = 0; i < 60; ++i) {
    FrameInput input = test::scripted(i);
    const std::vector acts{put(2 + i % 8, {0.1 * i, 2.0, -1.0}, {0.0, 0.5, 0.1 * (i % 3)})};
    input.acts = acts;
    twice->put(acts[0]);
    once->advance(input);
    twice->advance(input);
    ASSERT_EQ(stateHash(once->world().ships()), stateHash(twice->world().ships())) << i;
  }
}

TEST(Shots, FlyAheadAndTheOldestVanishes) {
  WorkClock clock;
  const auto simulation = armedFlight(clock);
  const std::size_t ships = simulation->world().states().size();
  std::set<std::uint32_t> keys;
  for (int i = 0; i < 40; ++i) {
    const std::vector acts{shot()};
    FrameInput input;
    input.acts = acts;
    const std::size_t expected = simulation->shots().countAfter(acts);
    const BodyState own = simulation->world().states()[simulation->userIndex()];
    const FrameOutput& out = simulation->advance(input);
    EXPECT_EQ(simulation->shots().count(), expected);
    EXPECT_EQ(out.shots, expected);
    EXPECT_EQ(out.bodies.size(), ships + expected);
    EXPECT_EQ(expected, std::min<std::size_t>(Shots::most, static_cast<std::size_t>(i) + 1));
    // The newest is before the bow
    const std::size_t newest = ships + static_cast<std::size_t>(i) % Shots::most;
    const Vec3 way = out.bodies[newest].pose.position - own.pose.position;
    EXPECT_GT(glm::dot(glm::normalize(way), own.pose.rotation * Vec3(0.0, 0.0, -1.0)), 0.5);
    for (std::size_t k = ships; k < out.bodies.size(); ++k) keys.insert(out.bodies[k].key);
  }
  EXPECT_EQ(keys.size(), Shots::most);
}

TEST(Shots, AreNoneOfAShipThatIsNotArmed) {
  WorkClock clock;
  const auto simulation =
      test::subtractStolen({.seed = 3}, test::hangar().detector("sphere-tree"), clock);
  const std::size_t ships = simulation->world().states().size();
  const std::vector acts{shot(), shot()};
  FrameInput input;
  input.acts = acts;
  EXPECT_EQ(simulation->shots().countAfter(acts), 0u);
  EXPECT_EQ(simulation->advance(input).bodies.size(), ships);
}

/// One after another, so that each place among them is taken again in turn.
TEST(Shots, HaveTheShipsVelocityAsWellAndTakeTheOldestsPlace) {
  WorkClock clock;
  const auto simulation = armedFlight(clock, 3, 1);
  const std::vector acts{shot()};
  Real fastest = 0.0;
  for (std::size_t number = 0; number < Shots::most + 3; ++number)
    for (int i = 0; i < 12; ++i) {
      const BodyState own = simulation->world().states()[simulation->userIndex()];
      const Vec3 ahead = own.pose.rotation * Vec3(0.0, 0.0, -1.0);
      FrameInput input;
      input.dt = input.detectStep = 1.0 / 60.0;
      input.control.thrust = 1.0;
      if (i == 0) input.acts = acts;
      const FrameOutput& out = simulation->advance(input);
      if (i > 0) continue;
      const BodyState& body = out.bodies[out.bodies.size() - out.shots + number % Shots::most];
      EXPECT_LT(glm::distance(body.velocity, own.velocity + Shots::speed * ahead), 0.1) << number;
      EXPECT_LT(glm::distance(body.pose.position, own.pose.position), 3.0) << number;
      fastest = std::max(fastest, glm::length(own.velocity));
    }
  EXPECT_GT(fastest, 0.3);
}

TEST(Shots, ReturnToWhereTheyWereShotNotWhereTheOldestWas) {
  World world;
  Ships& ships = world.ships();
  ShipDef def;
  const ShipId user = *ships.create(def);
  const std::uint32_t key = ships.states()[0].key;
  Shots shots(def);
  for (std::size_t number = 0; number < 2 * Shots::most + 1; ++number) {
    const std::vector acts{put(key, {10.0 * static_cast<Real>(number), 0.0, 0.0}, {}), shot()};
    shots.act(ships, user, acts);
    const auto index = static_cast<std::uint32_t>(1 + number % Shots::most);
    const Vec3 start = ships.states()[index].pose.position;
    world.integrate(0.1);
    ASSERT_NE(ships.states()[index].pose.position, start);
    teleport(ships, {0, index});
    EXPECT_EQ(ships.states()[index].pose.position, start) << number;
  }
}

/// What is shot throws whom it hits, as every ship does.
TEST(Shots, HitWhatIsBeforeTheShip) {
  WorkClock clock;
  const auto simulation = armedFlight(clock, 3, 1);
  const BodyState& own = simulation->world().states()[simulation->userIndex()];
  const Vec3 ahead = own.pose.rotation * Vec3(0.0, 0.0, -1.0);
  const std::uint32_t drone = simulation->world().states()[1].key;
  const std::vector acts{put(drone, own.pose.position + 5.0 * ahead, Vec3(0.0)), shot()};
  std::size_t hits = 0;
  Real pushed = 0.0;
  for (int i = 0; i < 40; ++i) {
    FrameInput input;
    input.dt = 1.0 / 60.0;
    input.detectStep = 1.0 / 60.0;
    if (i == 0) input.acts = acts;
    const FrameOutput& out = simulation->advance(input);
    for (const Collision& collision : out.collisions) hits += collision.a == 1 && collision.b == 2;
    pushed = std::max(pushed, glm::dot(out.bodies[1].velocity, ahead));
  }
  EXPECT_EQ(hits, 1u);
  EXPECT_GT(pushed, 0.5);
}

/// With everything that hands do at random, every frame is reached again.
TEST(HandActs, AreRepeatedOnTheWayBack) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    ManualClock clock(std::chrono::nanoseconds(1));
    const auto simulation = armedFlight(clock, seed, 12);
    FlightPast past;
    past.setDetector([] { return test::hangar().detector("sphere-tree"); });
    SplitMix random(seed);
    std::vector<std::uint64_t> states{stateHash(simulation->world().ships())};
    std::size_t collisions = 0, shots = 0;
    for (int i = 0; i < 200; ++i) {
      std::vector<HandAct> acts;
      if (random.bits() % 6 == 0) acts.push_back(shot());
      while (random.bits() % 3 == 0)
        acts.push_back(put(2 + static_cast<std::uint32_t>(random.bits() % 14),
                           {random.between(-3, 3), random.between(-3, 3), random.between(-3, 3)},
                           {random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)}));
      FrameInput input = test::scripted(i);
      input.acts = acts;
      input.response = i % 2 ? Response::Tumble : Response::Bounce;
      input.detectionBudget = std::chrono::nanoseconds(9 + i % 7);
      past.before(*simulation);
      const FrameOutput& out = simulation->advance(input);
      past.add(input, out);
      collisions += out.collisions.size();
      shots = out.shots;
      states.push_back(stateHash(simulation->world().ships()));
    }
    EXPECT_GT(collisions, 30u);
    EXPECT_EQ(shots, Shots::most);
    auto way = Rewinder::begin(past, *simulation);
    ASSERT_TRUE(way);
    for (std::uint64_t to = past.end() + 1; to-- > 0;) {
      ASSERT_TRUE(way->goTo(to));
      ASSERT_EQ(stateHash(way->simulation().world().ships()), states[to]) << to;
    }
  }
}

}  // namespace
}  // namespace nearmiss::engine
