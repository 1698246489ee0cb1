// SPDX-License-Identifier: MIT
/// A flight that a clock cut short somewhere is flown again by the work that was granted, without a
/// clock, and from any snapshot on.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "engine/flying.h"
#include "support/manual_clock.h"

namespace nearmiss::engine {
namespace {

constexpr int framesFlown = 120;

/// The work granted in each frame, and the state after it.
struct Flown {
  std::vector<std::vector<GrantedWork>> granted;
  std::vector<std::uint64_t> states;
  std::size_t exhausted = 0, collisions = 0, postponed = 0, waitedBodies = 0;
};

std::unique_ptr<Simulation> begin(const test::Start& start, std::string_view narrow,
                                  std::string_view broad, Clock& clock) {
  return test::subtractStolen(start, test::hangar().detector(narrow, broad), clock);
}

/// On a clock that advances whenever it is read, so that time runs out anywhere.
Flown flyShort(const test::Start& start, std::string_view narrow, std::string_view broad,
               Response response, bool shared, int budget) {
  ManualClock clock(std::chrono::nanoseconds(1));
  const auto simulation = begin(start, narrow, broad, clock);
  WorkerPool pool(3);
  if (shared) simulation->shareWork(&pool);
  Flown flown;
  for (int i = 0; i < framesFlown; ++i) {
    FrameInput input = test::scripted(i);
    input.response = response;
    input.detectionBudget = std::chrono::nanoseconds(budget + i % 7);
    const FrameOutput& out = simulation->advance(input);
    flown.granted.emplace_back(out.granted.begin(), out.granted.end());
    flown.states.push_back(stateHash(simulation->world().ships()));
    flown.exhausted += out.profile.exhausted;
    flown.collisions += out.collisions.size();
    flown.postponed += out.profile.pairsPostponed;
    flown.waitedBodies += out.profile.bodiesPostponed;
  }
  return flown;
}

FrameInput repeated(const Flown& flown, int i, Response response) {
  FrameInput input = test::scripted(i);
  input.response = response;
  input.repeated = flown.granted[static_cast<std::size_t>(i)];
  return input;
}

void expectRepeated(const test::Start& start, std::string_view narrow, std::string_view broad,
                    Response response, const Flown& flown) {
  SteadyClock clock;
  // Whatever finds pairs has no part in it
  const auto simulation =
      begin(start, narrow, broad == "all-pairs" ? "space-time-queue" : "all-pairs", clock);
  for (int i = 0; i < framesFlown; ++i) {
    simulation->advance(repeated(flown, i, response));
    ASSERT_EQ(stateHash(simulation->world().ships()), flown.states[static_cast<std::size_t>(i)])
        << narrow << " " << broad << " frame " << i;
  }
}

TEST(RepeatedWork, OfEveryNarrowPhaseLeadsToTheSameStates) {
  for (const NarrowPhaseEntry& narrow : narrowPhaseCatalog()) {
    if (narrow.needsBspTrees) continue;
    const test::Start start{.seed = 5, .drones = 14};
    const Flown flown =
        flyShort(start, narrow.name, "space-time-queue", Response::Bounce, false, 9);
    EXPECT_GT(flown.collisions, 10u) << narrow.name;
    EXPECT_GT(flown.exhausted, narrow.interruptible ? 10u : 0u) << narrow.name;
    expectRepeated(start, narrow.name, "space-time-queue", Response::Bounce, flown);
  }
}

TEST(RepeatedWork, OfEveryResponseWithJointsOnManyThreads) {
  for (const Response response :
       {Response::Bounce, Response::Tumble, Response::PublishedBounce, Response::Teleport}) {
    const test::Start start{.seed = 9, .drones = 14, .joints = true};
    const Flown flown = flyShort(start, "sphere-tree", "all-pairs", response, true, 12);
    EXPECT_GT(flown.collisions, 10u);
    EXPECT_GT(flown.exhausted, 10u);
    expectRepeated(start, "sphere-tree", "all-pairs", response, flown);
  }
}

TEST(RepeatedWork, OfPairsAndShipsThatHadToWait) {
  const test::Start start{.seed = 3, .drones = 14};
  const Flown flown = flyShort(start, "sphere-tree", "space-time-grid", Response::Bounce, false, 2);
  EXPECT_GT(flown.postponed, 20u);
  EXPECT_GT(flown.waitedBodies, 20u);
  EXPECT_GT(flown.collisions, 5u);
  expectRepeated(start, "sphere-tree", "space-time-grid", Response::Bounce, flown);
}

TEST(RepeatedWork, IsNotWhatAnUnlimitedFlightDoes) {
  const test::Start start{.seed = 5, .drones = 14};
  const Flown flown =
      flyShort(start, "sphere-tree", "space-time-queue", Response::Bounce, false, 9);
  SteadyClock clock;
  const auto simulation = begin(start, "sphere-tree", "space-time-queue", clock);
  for (int i = 0; i < framesFlown; ++i) simulation->advance(test::scripted(i));
  EXPECT_NE(stateHash(simulation->world().ships()), flown.states.back());
}

TEST(RepeatedWork, GoesOnFromEverySnapshot) {
  const test::Start start{.seed = 7, .drones = 14, .joints = true};
  const Flown flown =
      flyShort(start, "sphere-tree", "space-time-queue", Response::Tumble, false, 9);
  SteadyClock clock;
  const auto simulation = begin(start, "sphere-tree", "space-time-queue", clock);
  std::vector<Snapshot> past;
  for (int i = 0; i < framesFlown; ++i) {
    past.push_back(simulation->snapshot());
    simulation->advance(repeated(flown, i, Response::Tumble));
  }
  for (int from = framesFlown - 1; from >= 0; from -= 17) {
    simulation->restore(past[static_cast<std::size_t>(from)]);
    for (int i = from; i < std::min(framesFlown, from + 20); ++i) {
      simulation->advance(repeated(flown, i, Response::Tumble));
      ASSERT_EQ(stateHash(simulation->world().ships()), flown.states[static_cast<std::size_t>(i)])
          << "frame " << i << " from " << from;
    }
  }
}

TEST(RepeatedWork, OfAnotherSimulationFitsASnapshotToo) {
  const test::Start start{.seed = 7, .drones = 14};
  const Flown flown =
      flyShort(start, "sphere-tree", "space-time-queue", Response::Bounce, false, 9);
  SteadyClock clock;
  const auto one = begin(start, "sphere-tree", "space-time-queue", clock);
  for (int i = 0; i < framesFlown / 2; ++i) one->advance(repeated(flown, i, Response::Bounce));
  const auto other = begin(start, "sphere-tree", "space-time-queue", clock);
  other->restore(one->snapshot());
  for (int i = framesFlown / 2; i < framesFlown; ++i)
    other->advance(repeated(flown, i, Response::Bounce));
  EXPECT_EQ(stateHash(other->world().ships()), flown.states.back());
}

TEST(GrantedWork, FitsOnlyWhereItsBodiesExistInOrder) {
  GrantedWork work;
  work.pairs = {{{0, 1}, 1}, {{0, 2}, 1}, {{1, 2}, 1}};
  work.postponed = {{{0, 3}, {}}};
  work.postponedBodies = {{3, {}}};
  EXPECT_TRUE(check(work, 4));
  EXPECT_FALSE(check(work, 3));
  GrantedWork turned = work;
  turned.pairs[1].bodies = {2, 0};
  EXPECT_FALSE(check(turned, 4));
  GrantedWork twice = work;
  twice.pairs[1].bodies = {0, 1};
  EXPECT_FALSE(check(twice, 4));
  GrantedWork far = work;
  far.postponedBodies[0].body = 4;
  EXPECT_FALSE(check(far, 4));
}

}  // namespace
}  // namespace nearmiss::engine
