// SPDX-License-Identifier: MIT
/// A broad phase that is short of time: whom it leaves out is said, and nobody is for long.
#include <gtest/gtest.h>
#include <nearmiss/broad_phases.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "broad/promised_flight.h"
#include "support/allocations.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using std::chrono::nanoseconds;
using test::FlightSettings;
using test::PromisedFlight;

FlightSettings crowd(bool jumps) {
  FlightSettings settings;
  settings.count = 150;
  settings.arena = 4.0;
  settings.jumpRate = jumps ? 0.3 : 0.0;
  return settings;
}

/// Who has broken a promise since `before`, as the application would know.
std::vector<std::uint32_t> jumpsSince(const std::vector<BodyState>& before,
                                      std::span<const BodyState> now) {
  std::vector<std::uint32_t> jumped;
  for (std::uint32_t i = 0; i < now.size(); ++i)
    if (i >= before.size() || before[i].motionEpoch != now[i].motionEpoch) jumped.push_back(i);
  return jumped;
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
    const auto grid = makeSpaceTimeGridBroadPhase();
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
      const Real quiet = grid->findPairsWithin(flight.bodies(), flight.time(), budget, found_);
      check(*grid, flight, quiet);
      if (testing::Test::HasFatalFailure()) return;
    }
  }

  void check(const BroadPhase& grid, const PromisedFlight& flight, Real quiet) {
    judge_->findPairs(flight.bodies(), flight.time(), truth_);
    ASSERT_TRUE(std::is_sorted(found_.begin(), found_.end()));
    ASSERT_EQ(std::adjacent_find(found_.begin(), found_.end()), found_.end());
    ASSERT_TRUE(std::includes(truth_.begin(), truth_.end(), found_.begin(), found_.end()));

    std::vector<Wait> still(waits_.size());
    for (const PostponedBody& waiting : grid.postponedBodies()) {
      const Wait& known = waits_[waiting.body];
      ASSERT_NE(flight.bodies()[waiting.body].importance, fullImportance);
      ASSERT_EQ(waiting.wait.detections, known.detections + 1);
      ASSERT_EQ(waiting.wait.since, known.detections == 0 ? flight.time() : known.since);
      ASSERT_LE(waiting.wait.detections, mostBodyWait);
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
    const bool all = grid.postponedBodies().empty();
    if (!all) {
      ASSERT_EQ(quiet, flight.time());
    }
    complete_ += all;
    pairs_ += found_.size();
  }

  std::unique_ptr<BroadPhase> judge_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, truth_;
  std::vector<Wait> waits_;
  std::uint32_t longest_ = 0;
  std::size_t postponed_ = 0, unknown_ = 0, complete_ = 0, pairs_ = 0;
};

TEST_P(WithinBudget, WhatItDoesNotNameItHasFound) {
  for (int seed = 1; seed <= test::cases(6); ++seed) {
    play(static_cast<std::uint64_t>(seed), 12, 300);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(postponed_, 3000u);
  EXPECT_GT(unknown_, 200u);
  EXPECT_GT(complete_, 100u);
  EXPECT_GT(pairs_, 5000u);
}

TEST_P(WithinBudget, NobodyWaitsLongerThanStatedThoughThereIsNoTime) {
  for (int seed = 1; seed <= test::cases(3); ++seed) {
    play(static_cast<std::uint64_t>(seed), 0, 300);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(longest_, mostBodyWait - 1);
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
  const auto grid = makeSpaceTimeGridBroadPhase();
  std::vector<BodyPair> found;
  std::size_t before = flight.bodies().size(), most = 0;
  for (std::uint32_t call = 0; call < mostBodyWait; ++call) {
    ManualClock clock;
    grid->announceJumps({});
    grid->findPairsWithin(flight.bodies(), 0.0, TimeBudget(clock, nanoseconds(0)), found);
    const std::size_t left = grid->postponedBodies().size();
    most = std::max(most, before - left);
    before = left;
  }
  EXPECT_LE(most, flight.bodies().size() / mostBodyWait + 2);
  // First bounds are of all lengths: those that are hardly any come round again
  EXPECT_LT(before, flight.bodies().size() / 3);
}

TEST(GridWithinBudget, CatchesUpWhenThereIsNoLimit) {
  PromisedFlight flight(3, crowd(true));
  for (BodyState& body : flight.change()) body.importance = 1;
  const auto grid = makeSpaceTimeGridBroadPhase();
  const auto judge = makeAllPairsBroadPhase();
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
    judge->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_EQ(found, truth);
    EXPECT_TRUE(grid->postponedBodies().empty());
    pairs += truth.size();
  }
  EXPECT_GT(pairs, 500u);
}

TEST(GridWithinBudget, TakesNoMemoryOnceItIsWarm) {
  PromisedFlight flight(5, crowd(true));
  for (BodyState& body : flight.change()) body.importance = 1;
  std::vector<std::vector<BodyState>> frames;
  for (int frame = 0; frame < 100; ++frame) {
    flight.advance(0.02);
    frames.emplace_back(flight.bodies().begin(), flight.bodies().end());
  }
  const auto grid = makeSpaceTimeGridBroadPhase();
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
  playAll();
  EXPECT_EQ(test::allocationsIn(playAll), 0u);
  EXPECT_GT(postponed, 500u);
}

}  // namespace
}  // namespace nearmiss
