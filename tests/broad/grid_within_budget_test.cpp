// SPDX-License-Identifier: MIT
/// A broad phase that is short of time: it lists the bodies that it leaves out, and leaves none out
/// for long.
#include <gtest/gtest.h>
#include <nearmiss/advanced/broad_phase.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "rivals/promised_flight.h"
#include "support/allocations.h"
#include "support/campaign.h"
#include "support/manual_clock.h"

namespace nearmiss {
namespace {

using std::chrono::nanoseconds;
using test::FlightSettings;
using test::framesOf;
using test::jumpsSince;
using test::PromisedFlight;

FlightSettings crowd(bool jumps) {
  FlightSettings settings;
  settings.count = 150;
  settings.arena = 4.0;
  settings.jumpRate = jumps ? 0.3 : 0.0;
  return settings;
}

/// Plays a flight and checks every answer against all pairs.
class WithinBudget : public testing::TestWithParam<bool> {
 protected:
  /// `slices`: looks at the clock before time is over, at most.
  void play(std::uint64_t seed, int slices, int calls) {
    PromisedFlight flight(seed, crowd(GetParam()));
    test::Random random(~seed);
    for (BodyState& body : flight.change())
      body.importance =
          random.chance(0.1) ? fullImportance : static_cast<std::uint32_t>(random.whole(0, 1000));
    const auto made = makeSpaceTimeGridBroadPhase();
    StoppableBroadPhase* const grid = made->stoppable();
    grid->setResolution(0.02);
    std::vector<BodyState> before;
    waits_.assign(flight.bodies().size(), Wait{});
    for (int call = 0; call < calls; ++call) {
      flight.advance(0.02);
      ManualClock clock(nanoseconds(1));
      const TimeBudget budget(clock, nanoseconds(random.whole(0, slices)));
      if (GetParam() || random.chance(0.7))
        grid->announceJumps(jumpsSince(before, flight.bodies()));
      before.assign(flight.bodies().begin(), flight.bodies().end());
      const Real noContactBefore =
          grid->findPairsWithin(flight.bodies(), flight.time(), budget, found_);
      check(*grid, flight, noContactBefore);
      if (HasFatalFailure()) return;
    }
  }

  void check(const StoppableBroadPhase& grid, const PromisedFlight& flight, Real noContactBefore) {
    reference_->findPairs(flight.bodies(), flight.time(), truth_);
    ASSERT_TRUE(std::is_sorted(found_.begin(), found_.end()));
    ASSERT_EQ(std::adjacent_find(found_.begin(), found_.end()), found_.end());
    ASSERT_TRUE(std::includes(truth_.begin(), truth_.end(), found_.begin(), found_.end()));

    const auto postponed = grid.postponedBodies();
    ASSERT_TRUE(std::is_sorted(postponed.begin(), postponed.end(),
                               [](const PostponedBody& p, const PostponedBody& q) {
                                 return p.wait.detections > q.wait.detections;
                               }))
        << "those that wait longest come first";
    std::vector<Wait> still(waits_.size());
    for (const PostponedBody& waiting : postponed) {
      const Wait& known = waits_[waiting.body];
      ASSERT_NE(flight.bodies()[waiting.body].importance, fullImportance);
      ASSERT_EQ(waiting.wait.detections, known.detections + 1);
      ASSERT_EQ(waiting.wait.since, known.detections == 0 ? flight.time() : known.since);
      ASSERT_LE(waiting.wait.detections, maxBodyWait);
      still[waiting.body] = waiting.wait;
      longest_ = std::max(longest_, waiting.wait.detections);
      ++postponed_;
    }
    for (std::uint32_t i = 0; i < waits_.size(); ++i) {
      const bool looked = waits_[i].detections > 0 && still[i].detections == 0;
      ASSERT_EQ(grid.waitBefore(i).detections, looked ? waits_[i].detections : 0u);
      if (looked) {
        ASSERT_EQ(grid.waitBefore(i).since, waits_[i].since);
      }
    }
    waits_ = still;

    // Whatever is not named was found
    for (const BodyPair& pair : truth_) {
      if (std::binary_search(found_.begin(), found_.end(), pair)) continue;
      ASSERT_TRUE(still[pair.a].detections > 0 || still[pair.b].detections > 0)
          << pair.a << ' ' << pair.b << " at " << flight.time();
      ++unknown_;
    }
    const bool all = postponed.empty();
    if (!all) {
      ASSERT_EQ(noContactBefore, flight.time());
    }
    complete_ += all;
    pairs_ += found_.size();
  }

  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, truth_;
  std::vector<Wait> waits_;
  std::uint32_t longest_ = 0;
  std::size_t postponed_ = 0, unknown_ = 0, complete_ = 0, pairs_ = 0;
};

TEST_P(WithinBudget, WhatItDoesNotNameItHasFound) {
  for (int seed = 1; seed <= test::cases(6); ++seed)
    ASSERT_NO_FATAL_FAILURE(play(static_cast<std::uint64_t>(seed), 12, 300));
  EXPECT_GT(postponed_, 3000u);
  EXPECT_GT(unknown_, 100u);
  EXPECT_GT(complete_, 100u);
  EXPECT_GT(pairs_, 5000u);
}

TEST_P(WithinBudget, NobodyWaitsLongerThanStatedThoughThereIsNoTime) {
  for (int seed = 1; seed <= test::cases(3); ++seed)
    ASSERT_NO_FATAL_FAILURE(play(static_cast<std::uint64_t>(seed), 0, 300));
  EXPECT_GE(longest_, maxBodyWait - 1);
  EXPECT_GT(pairs_, 2000u);
}

INSTANTIATE_TEST_SUITE_P(Flights, WithinBudget, testing::Bool(), [](const auto& tested) {
  return tested.param ? "Jumping" : "NotJumping";
});

TEST(GridWithinBudget, SpreadsWhatMustBeDoneOverTheCalls) {
  // All bounds are void at the start, and there is never time: still no call does much more than
  // its share
  PromisedFlight flight(7, crowd(false));
  for (BodyState& body : flight.change()) body.importance = 1;
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  std::vector<BodyPair> found;
  std::size_t before = flight.bodies().size(), most = 0;
  for (std::uint32_t call = 0; call < maxBodyWait; ++call) {
    ManualClock clock;
    grid->announceJumps({});
    grid->findPairsWithin(flight.bodies(), 0.0, TimeBudget(clock, nanoseconds(0)), found);
    const std::size_t left = grid->postponedBodies().size();
    most = std::max(most, before - left);
    before = left;
  }
  EXPECT_LE(most, flight.bodies().size() / maxBodyWait + 2);
  // First bounds are of all lengths: those that are hardly any come round again
  EXPECT_LT(before, flight.bodies().size() / 3);
}

/// Bodies come, go and change their indices at every call: those that wait are found by their keys,
/// and none waits the longer for it.
TEST(GridWithinBudget, FollowsThoseThatWaitToTheirNewPlaces) {
  PromisedFlight flight(11, crowd(true));
  test::Random random(11);
  for (BodyState& body : flight.change())
    body.importance = random.chance(0.05) ? fullImportance : 1;
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  const auto reference = makeAllPairsBroadPhase();
  std::vector<BodyPair> found, truth;
  std::map<std::uint32_t, Wait> waits;  // by key
  std::uint32_t longest = 0;
  std::size_t followed = 0;
  for (int call = 0; call < 400; ++call) {
    flight.advance(0.02);
    // As many as before in every third call, in another order
    std::vector<BodyState> bodies(flight.bodies().begin(), flight.bodies().end());
    std::rotate(bodies.begin(), bodies.begin() + random.whole(0, 20), bodies.end());
    bodies.resize(bodies.size() - (call % 3 == 2 ? 3 : 20));
    const Real time = call == 200 ? 1e-3 : flight.time();
    if (call == 200) waits.clear();
    ManualClock clock(nanoseconds(1));
    const TimeBudget budget(clock, nanoseconds(random.chance(0.95) ? 0 : 8));
    const Real noContactBefore = grid->findPairsWithin(bodies, time, budget, found);
    ASSERT_GE(noContactBefore, time);

    std::map<std::uint32_t, Wait> still;
    std::vector<char> named(bodies.size(), false);
    for (const PostponedBody& waiting : grid->postponedBodies()) {
      ASSERT_LT(waiting.body, bodies.size());
      const BodyState& body = bodies[waiting.body];
      ASSERT_NE(body.importance, fullImportance);
      const auto known = waits.find(body.key);
      const Wait before = known == waits.end() ? Wait{} : known->second;
      ASSERT_EQ(waiting.wait.detections, before.detections + 1);
      ASSERT_EQ(waiting.wait.since, before.detections == 0 ? time : before.since);
      ASSERT_LE(waiting.wait.detections, maxBodyWait);
      followed += before.detections > 0;
      longest = std::max(longest, waiting.wait.detections);
      still[body.key] = waiting.wait;
      named[waiting.body] = true;
    }
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      const auto known = waits.find(bodies[i].key);
      const bool looked = known != waits.end() && !named[i];
      ASSERT_EQ(grid->waitBefore(i).detections, looked ? known->second.detections : 0u);
    }
    waits = std::move(still);

    reference->findPairs(bodies, time, truth);
    ASSERT_TRUE(std::includes(truth.begin(), truth.end(), found.begin(), found.end()));
    for (const BodyPair& pair : truth)
      ASSERT_TRUE(named[pair.a] || named[pair.b] ||
                  std::binary_search(found.begin(), found.end(), pair));
  }
  EXPECT_GT(followed, 1000u);
  EXPECT_GE(longest, maxBodyWait - 1);
}

/// Meanwhile another body waits at its index: there a bound ends, and pairs are forgotten.
TEST(GridWithinBudget, BelievesNoBoundOfABodyThatReturnsToItsIndex) {
  FlightSettings settings = crowd(true);
  settings.count = 80;
  settings.arena = 3.0;
  settings.speed = 4.0;
  const auto reference = makeAllPairsBroadPhase();
  std::vector<BodyPair> found, truth;
  for (int seed = 1; seed <= test::cases(5); ++seed) {
    PromisedFlight flight(static_cast<std::uint64_t>(seed), settings);
    for (BodyState& body : flight.change()) body.importance = 1;
    const auto made = makeSpaceTimeGridBroadPhase();
    StoppableBroadPhase* const grid = made->stoppable();
    for (int call = 0; call < 100; ++call) {
      flight.advance(0.02);
      std::vector<BodyState> bodies(flight.bodies().begin(), flight.bodies().end());
      std::rotate(bodies.begin(), bodies.begin() + call / 7 % 5, bodies.end());
      ManualClock clock;
      grid->findPairsWithin(bodies, flight.time(), TimeBudget(clock, nanoseconds(0)), found);
      std::vector<char> named(bodies.size(), false);
      for (const PostponedBody& waiting : grid->postponedBodies()) named[waiting.body] = true;
      reference->findPairs(bodies, flight.time(), truth);
      for (const BodyPair& pair : truth)
        ASSERT_TRUE(named[pair.a] || named[pair.b] ||
                    std::binary_search(found.begin(), found.end(), pair))
            << pair.a << ' ' << pair.b << " in call " << call << " of " << seed;
    }
  }
}

/// Bounds that end at once, of bodies that leave them at every call, are no reason to do the same
/// again and again.
TEST(GridWithinBudget, LooksOnceAtThoseThatWaitWithoutAPromise) {
  constexpr std::size_t count = 1000;
  std::vector<BodyState> bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    bodies[i].key = static_cast<std::uint32_t>(i + 1);
    bodies[i].shape = ShapeRef::ofRadius(0.1);
    bodies[i].pose.position = 10.0 * Vec3(i % 10, i / 10 % 10, i / 100);
    bodies[i].boundHoldsUntil = -1.0;
  }
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  std::vector<BodyPair> found;
  for (std::size_t call = 1; call <= 20; ++call) {
    for (std::size_t i = 0; i < count; ++i)
      bodies[i].pose.position.y += (i + call) % 2 == 0 ? 0.05 : -0.05;
    ManualClock clock(nanoseconds(1));
    (void)grid->findPairsWithin(bodies, 0.02 * static_cast<Real>(call),
                                TimeBudget(clock, nanoseconds(0)), found);
    if (call > 1) {
      EXPECT_LT(grid->work().boundTests, 6 * count) << "call " << call;
    }
  }
}

TEST(GridWithinBudget, ChargesAllItsWorkOnce) {
  PromisedFlight flight(9, crowd(true));
  for (BodyState& body : flight.change()) body.importance = 1;
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  std::vector<BodyPair> found;
  std::size_t stopped = 0, wentOn = 0;
  for (int call = 0; call < 100; ++call) {
    flight.advance(0.02);
    WorkClock clock;
    const TimeBudget some(clock, WorkClock::boundTestPrice * 200);
    grid->findPairsWithin(flight.bodies(), flight.time(),
                          call % 10 == 0 ? some.withoutDeadline() : some, found);
    ASSERT_EQ(clock.now(), WorkClock::boundTestPrice * grid->work().boundTests);
    (grid->postponedBodies().empty() ? wentOn : stopped) += 1;
  }
  EXPECT_GT(stopped, 10u);
  EXPECT_GT(wentOn, 10u);
}

TEST(GridWithinBudget, CatchesUpWhenThereIsNoLimit) {
  PromisedFlight flight(3, crowd(true));
  for (BodyState& body : flight.change()) body.importance = 1;
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  const auto reference = makeAllPairsBroadPhase();
  std::vector<BodyPair> found, truth;
  std::size_t pairs = 0;
  for (int call = 0; call < 200; ++call) {
    flight.advance(0.02);
    if (call % 3 != 0) {
      ManualClock clock;
      grid->findPairsWithin(flight.bodies(), flight.time(), TimeBudget(clock, nanoseconds(0)),
                            found);
      EXPECT_FALSE(call < 3 && grid->postponedBodies().empty());
      continue;
    }
    grid->findPairs(flight.bodies(), flight.time(), found);
    reference->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_EQ(found, truth);
    EXPECT_TRUE(grid->postponedBodies().empty());
    pairs += truth.size();
  }
  EXPECT_GT(pairs, 500u);
}

/// What a body expected before it jumped is forgotten, though no tick passes.
TEST(GridWithinBudget, TakesNoMoreMemoryWhileTimeStands) {
  for (const bool limited : {false, true}) {
    PromisedFlight flight(11, crowd(false));
    for (BodyState& body : flight.change()) body.importance = 1;
    std::vector<BodyState> bodies(flight.bodies().begin(), flight.bodies().end());
    const auto made = makeSpaceTimeGridBroadPhase(), reference = makeAllPairsBroadPhase();
    std::vector<BodyPair> found, truth;
    const auto detect = [&](int calls) {
      for (int call = 0; call < calls; ++call) {
        for (std::size_t i = 0; i < 15; ++i)
          ++bodies[(static_cast<std::size_t>(call) * 15 + i) % bodies.size()].motionEpoch;
        ManualClock clock;
        const TimeBudget none(clock, nanoseconds(0));
        made->stoppable()->findPairsWithin(bodies, 0.0, limited ? none : TimeBudget::unlimited(),
                                           found);
      }
    };
    detect(500);
    EXPECT_EQ(test::allocationsIn([&] { detect(1000); }), 0u);
    made->findPairs(bodies, 0.0, found);
    reference->findPairs(bodies, 0.0, truth);
    EXPECT_EQ(found, truth);
    EXPECT_FALSE(truth.empty());
  }
}

TEST(GridWithinBudget, TakesNoMemoryOnceItIsWarm) {
  PromisedFlight flight(5, crowd(true));
  const auto frames = framesOf(flight, 100, 0.02, 1);
  const auto made = makeSpaceTimeGridBroadPhase();
  StoppableBroadPhase* const grid = made->stoppable();
  std::vector<BodyPair> found;
  std::size_t postponed = 0;
  const auto playAll = [&] {
    Real time = 0.0;
    for (const auto& frame : frames) {
      ManualClock clock(nanoseconds(1));
      grid->findPairsWithin(frame, time += 0.02, TimeBudget(clock, nanoseconds(3)), found);
      postponed += grid->postponedBodies().size();
    }
  };
  EXPECT_GT(test::allocationsIn(playAll), 0u);
  // Each time begins with what the one before has left waiting
  for (int again = 0; again < 3; ++again) playAll();
  EXPECT_EQ(test::allocationsIn(playAll), 0u);
  EXPECT_GT(postponed, 500u);
}

}  // namespace
}  // namespace nearmiss
