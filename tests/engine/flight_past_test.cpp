// SPDX-License-Identifier: MIT
/// The way back over a flight: every frame of its past is reached again, to the last bit, and the
/// flight goes on from there.
#include <engine/session/flight_past.h>
#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "engine/flying.h"
#include "support/manual_clock.h"

namespace nearmiss::engine {
namespace {

/// A flight on a clock that cuts it short anywhere, with its past and its states.
struct Remembered {
  Remembered(const test::Start& start, Response response_, bool shared, Real seconds = 60.0,
             std::size_t bytes = FlightPast::defaultBytes)
      : response(response_),
        simulation(test::subtractStolen(start, detector("sphere-tree"), clock)),
        past(seconds, bytes) {
    if (shared) simulation->shareWork(&pool);
    past.setDetector([] { return detector("sphere-tree"); });
    states.push_back(stateHash(simulation->world().ships()));
  }
  static std::unique_ptr<Detector> detector(std::string_view narrow) {
    return test::hangar().detector(narrow, "space-time-queue");
  }
  void fly(int frames) {
    for (int i = 0; i < frames; ++i) {
      FrameInput input = test::scripted(static_cast<int>(past.end()));
      input.response = response;
      input.dt = 0.05 + 0.01 * static_cast<Real>(past.end() % 7);
      input.stopShip = past.end() % 61 == 60;
      input.detectionBudget = std::chrono::nanoseconds(9 + past.end() % 7);
      past.before(*simulation);
      const FrameOutput& out = simulation->advance(input);
      past.add(input, out);
      states.push_back(stateHash(simulation->world().ships()));
      exhausted += out.profile.exhausted;
      collisions += out.collisions.size();
    }
  }
  void flyBy(std::string_view narrow, int frames) {
    simulation->setDetector(detector(narrow));
    past.setDetector([narrow] { return detector(narrow); });
    fly(frames);
  }

  Response response;
  ManualClock clock{std::chrono::nanoseconds(1)};
  WorkerPool pool{3};
  std::unique_ptr<Simulation> simulation;
  FlightPast past;
  std::vector<std::uint64_t> states;  ///< by position
  std::size_t exhausted = 0, collisions = 0;
};

TEST(FlightPast, LeadsBackToEveryFrameOfAnyFlight) {
  SplitMix random(4);
  for (const Response response :
       {Response::Bounce, Response::Tumble, Response::PublishedBounce, Response::Teleport})
    for (const bool joints : {false, true}) {
      Remembered flown({.seed = 3 + random.bits() % 90, .drones = 14, .joints = joints}, response,
                       joints);
      flown.fly(70);
      flown.flyBy("obb-tree", 35);
      flown.flyBy("sphere-tree", 50);
      EXPECT_GT(flown.collisions, 10u);
      EXPECT_GT(flown.exhausted, 10u);
      auto way = Rewinder::begin(flown.past, *flown.simulation);
      ASSERT_TRUE(way) << way.error().message;
      // Straight back, then to and fro
      for (std::uint64_t to = flown.past.end() + 1; to-- > 0;) {
        ASSERT_TRUE(way->goTo(to));
        ASSERT_EQ(stateHash(way->simulation().world().ships()), flown.states[to]) << to;
      }
      for (int leap = 0; leap < 40; ++leap) {
        const std::uint64_t to = random.bits() % (flown.past.end() + 1);
        ASSERT_TRUE(way->goTo(to));
        ASSERT_EQ(way->position(), to);
        ASSERT_EQ(stateHash(way->simulation().world().ships()), flown.states[to]) << to;
      }
    }
}

TEST(FlightPast, ShowsTheFramesBetweenTwoPositions) {
  Remembered flown({.seed = 9, .drones = 14}, Response::Bounce, false);
  flown.fly(60);
  flown.flyBy("obb-tree", 40);
  auto way = Rewinder::begin(flown.past, *flown.simulation);
  ASSERT_TRUE(way);
  std::size_t frames = 0, collisions = 0;
  ASSERT_TRUE(way->fly(0, 100, [&](const FlownFrame& frame, const FrameOutput& output) {
    EXPECT_EQ(frame.budget, std::chrono::nanoseconds(9 + frames % 7));
    EXPECT_EQ(stateHash(way->simulation().world().ships()), flown.states[++frames]);
    collisions += output.collisions.size();
  }));
  EXPECT_EQ(frames, 100u);
  EXPECT_EQ(collisions, flown.collisions);
}

/// As if what came after had never been.
TEST(FlightPast, IsTakenUpAnywhere) {
  for (const std::uint64_t at : {0u, 1u, 17u, 60u, 61u, 99u, 120u}) {
    Remembered flown({.seed = 5, .drones = 14, .joints = true}, Response::Tumble, false);
    flown.fly(120);
    {
      auto way = Rewinder::begin(flown.past, *flown.simulation);
      ASSERT_TRUE(way && way->goTo(at));
      flown.simulation->restore(way->simulation().snapshot());
    }
    flown.past.cut(at);
    EXPECT_EQ(flown.past.end(), at);
    flown.simulation->setDetector(Remembered::detector("sphere-tree"));
    flown.past.setDetector([] { return Remembered::detector("sphere-tree"); });

    Remembered alone({.seed = 5, .drones = 14, .joints = true}, Response::Tumble, false);
    alone.fly(static_cast<int>(at));
    EXPECT_EQ(stateHash(alone.simulation->world().ships()),
              stateHash(flown.simulation->world().ships()));
    // Without a limit both go on alike
    for (int i = 0; i < 30; ++i)
      for (Remembered* each : {&flown, &alone}) {
        FrameInput input = test::scripted(i);
        input.response = Response::Tumble;
        each->past.before(*each->simulation);
        each->past.add(input, each->simulation->advance(input));
      }
    EXPECT_EQ(stateHash(alone.simulation->world().ships()),
              stateHash(flown.simulation->world().ships()))
        << at;
    // And the new frames are gone back over in their turn
    auto again = Rewinder::begin(flown.past, *flown.simulation);
    ASSERT_TRUE(again && again->goTo(at));
    EXPECT_EQ(stateHash(again->simulation().world().ships()), flown.states[at]);
  }
}

TEST(FlightPast, IsBoundedInTimeAndMemory) {
  Remembered brief({.seed = 2, .drones = 9}, Response::Bounce, false, 3.0);
  brief.fly(400);
  EXPECT_GE(brief.past.seconds(), 3.0);
  EXPECT_LT(brief.past.seconds(), 4.3);
  EXPECT_GT(brief.past.begin(), 300u);
  auto way = Rewinder::begin(brief.past, *brief.simulation);
  ASSERT_TRUE(way && way->goTo(brief.past.begin()));
  EXPECT_EQ(stateHash(way->simulation().world().ships()), brief.states[brief.past.begin()]);

  constexpr std::size_t most = 100'000;
  Remembered small({.seed = 2, .drones = 9}, Response::Bounce, false, 60.0, most);
  Remembered large({.seed = 2, .drones = 9}, Response::Bounce, false, 60.0);
  small.fly(500);
  large.fly(500);
  EXPECT_LT(small.past.bytes(), most + most / 2);
  EXPECT_GT(large.past.bytes(), 2 * most);
  EXPECT_EQ(large.past.begin(), 0u);
  EXPECT_GT(small.past.begin(), 0u);
}

TEST(FlightPast, HasNoWayBackWhereNothingIsKept) {
  Remembered flown({.seed = 2, .drones = 3}, Response::Bounce, false);
  EXPECT_FALSE(Rewinder::begin(flown.past, *flown.simulation));
  flown.fly(5);
  EXPECT_TRUE(Rewinder::begin(flown.past, *flown.simulation));
  flown.past.clear();
  EXPECT_EQ(flown.past.begin(), flown.past.end());
  const auto none = Rewinder::begin(flown.past, *flown.simulation);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().message, "nothing earlier to rewind to");
}

}  // namespace
}  // namespace nearmiss::engine
