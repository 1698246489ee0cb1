// SPDX-License-Identifier: MIT
/// A detector that is short of time: who waits is said, important pairs never do, and none does for
/// long.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "narrow/one_level_phase.h"
#include "rivals/promised_flight.h"
#include "support/allocations.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using std::chrono::nanoseconds;
using test::FlightSettings;
using test::OneLevelPhase;
using test::PromisedFlight;

/// Finds all pairs for nothing.
class FreePhase final : public BroadPhase {
 public:
  std::string_view name() const noexcept override { return "free"; }
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    return reference_->findPairs(bodies, time, pairs);
  }
  WorkCount work() const noexcept override { return {}; }

 private:
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
};

/// Works as long as it is let, and finds all pairs.
class GreedyPhase final : public StoppableBroadPhase {
 public:
  std::string_view name() const noexcept override { return "greedy"; }
  Real findPairs(std::span<const BodyState> bodies, Real time,
                 std::vector<BodyPair>& pairs) override {
    work_ = {};
    return reference_->findPairs(bodies, time, pairs);
  }
  Real findPairsWithin(std::span<const BodyState> bodies, Real time, const TimeBudget& budget,
                       std::vector<BodyPair>& pairs) override {
    work_ = {1, 0};
    while (!budget.spend({1, 0})) ++work_.boundTests;
    return reference_->findPairs(bodies, time, pairs);
  }
  void announceJumps(std::span<const std::uint32_t>) override {}
  std::span<const PostponedBody> postponedBodies() const noexcept override { return {}; }
  Wait waitBefore(std::uint32_t) const noexcept override { return {}; }
  WorkCount work() const noexcept override { return work_; }

 private:
  WorkCount work_;
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
};

FlightSettings crowd() {
  FlightSettings settings;
  settings.count = 60;
  settings.arena = 2.0;
  return settings;
}

using Keys = std::pair<std::uint32_t, std::uint32_t>;

/// Flies with a detector under a budget and checks every answer.
class Waiting : public testing::Test {
 protected:
  struct Known {
    Wait wait;
    std::uint64_t claim = 0;
    std::uint32_t left = 0;
  };

  /// `most`: pairs that there is time for, at most.
  void play(std::uint64_t seed, int most, int detections, Detector& detector, bool announce) {
    PromisedFlight flight(seed, crowd());
    test::Random random(~seed);
    for (BodyState& body : flight.change())
      body.importance =
          random.chance(0.3) ? fullImportance : static_cast<std::uint32_t>(random.whole(0, 20));
    for (BodyState& body : flight.change()) body.unimportant = random.chance(marked_);
    std::vector<BodyState> bodies;
    waiting_.clear();
    seen_.clear();
    bodyWaits_.clear();
    for (int d = 0; d < detections; ++d) {
      flight.advance(0.02);
      const auto jumped = test::jumpsSince(bodies, flight.bodies());
      bodies.assign(flight.bodies().begin(), flight.bodies().end());
      // Keys stay where indices change
      if (!announce && d % 7 == 3)
        std::rotate(flight.change().begin(), flight.change().begin() + 5, flight.change().end());
      if (announce) detector.announceJumps(jumped);
      WorkClock clock;
      const TimeBudget budget(clock, WorkClock::boundTestPrice * random.whole(0, most));
      const Detection& found = detector.detect(bodies, flight.time(), budget);
      check(found, bodies, flight.time());
      if (most == 0) {
        ASSERT_EQ(found.forced, found.pairs.size()) << "without time nothing else is looked at";
      }
      if (HasFatalFailure()) return;
    }
  }

  Known knownOf(std::span<const BodyState> bodies, const BodyPair& pair) const {
    Known known;
    const auto at = waiting_.find(keysOf(bodies, pair));
    if (at != waiting_.end()) known.wait = at->second;
    return known;
  }
  static Keys keysOf(std::span<const BodyState> bodies, const BodyPair& pair) {
    return std::minmax(bodies[pair.a].key, bodies[pair.b].key);
  }
  static std::uint32_t importanceOf(std::span<const BodyState> bodies, const BodyPair& pair) {
    const BodyState &a = bodies[pair.a], &b = bodies[pair.b];
    return a.unimportant || b.unimportant ? 0 : std::min(a.importance, b.importance);
  }

  void check(const Detection& found, std::span<const BodyState> bodies, Real time) {
    // Together they are all that meet, each once, but of bodies that were left out
    std::vector<BodyPair> all, truth;
    for (const DetectedPair& pair : found.pairs) all.push_back(pair.bodies);
    ASSERT_TRUE(std::is_sorted(all.begin(), all.end()));
    for (const PostponedPair& pair : found.postponed) all.push_back(pair.pair);
    std::sort(all.begin(), all.end());
    ASSERT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
    reference_->findPairs(bodies, time, truth);
    ASSERT_TRUE(std::includes(truth.begin(), truth.end(), all.begin(), all.end()));
    std::vector<char> leftOut(bodies.size(), false);
    for (const PostponedBody& body : found.postponedBodies) leftOut[body.body] = true;
    for (const BodyPair& pair : truth) {
      if (leftOut[pair.a] || leftOut[pair.b]) continue;
      ASSERT_TRUE(std::binary_search(all.begin(), all.end(), pair));
    }
    const bool nobody = found.postponed.empty() && found.postponedBodies.empty();
    ASSERT_TRUE(nobody || !found.complete);
    if (found.postponedBodies.empty()) {
      ASSERT_EQ(all, truth);
    }

    // The waits of all meeting pairs, as this test counts them
    std::vector<std::pair<std::uint32_t, std::uint64_t>> lesser;  // left, claim
    std::vector<std::uint64_t> taken;
    std::uint64_t maxLeftOut = 0;
    std::map<Keys, Wait> still;
    for (const PostponedPair& pair : found.postponed) {
      const std::uint32_t importance = importanceOf(bodies, pair.pair);
      ASSERT_NE(importance, fullImportance) << "an important pair was made to wait";
      const auto known = waiting_.find(keysOf(bodies, pair.pair));
      if (known != waiting_.end()) {
        ASSERT_EQ(pair.wait.detections, known->second.detections + 1);
        ASSERT_EQ(pair.wait.since, known->second.since);
      } else {
        const Wait before = waitOfBodies(bodies, pair.pair);
        ASSERT_EQ(pair.wait.detections, before.detections + 1);
        ASSERT_EQ(pair.wait.since, before.detections == 0 ? time : before.since);
        inherited_ += before.detections > 0;
      }
      ASSERT_LE(pair.wait.detections, maxPairWait);
      still[keysOf(bodies, pair.pair)] = pair.wait;
      longest_ = std::max(longest_, pair.wait.detections);
      const std::uint64_t claim = (std::uint64_t{importance} + 1) * pair.wait.detections;
      maxLeftOut = std::max(maxLeftOut, claim);
      lesser.emplace_back(maxPairWait - (pair.wait.detections - 1), claim);
      ++postponed_;
    }
    const std::size_t importantBefore = important_;
    for (const DetectedPair& pair : found.pairs) {
      ASSERT_EQ(pair.refinement.level, 1) << "whatever is looked at is looked at in earnest";
      const auto known = waiting_.find(keysOf(bodies, pair.bodies));
      if (known != waiting_.end()) {
        ASSERT_EQ(pair.waited.detections, known->second.detections);
      } else {
        ASSERT_EQ(pair.waited.detections, waitOfBodies(bodies, pair.bodies).detections);
        inherited_ += pair.waited.detections > 0;
      }
      const std::uint32_t importance = importanceOf(bodies, pair.bodies);
      important_ += importance == fullImportance;
      if (importance == fullImportance) continue;
      lesser.emplace_back(maxPairWait - pair.waited.detections,
                          (std::uint64_t{importance} + 1) * (pair.waited.detections + 1));
    }
    ASSERT_GE(found.forced, important_ - importantBefore);
    ASSERT_LE(found.forced, found.pairs.size());
    // A lesser claim goes first only where as many wait as there are detections left to them
    for (const DetectedPair& pair : found.pairs) {
      const std::uint32_t importance = importanceOf(bodies, pair.bodies);
      if (importance == fullImportance) continue;
      ++others_;
      const std::uint64_t claim = (std::uint64_t{importance} + 1) * (pair.waited.detections + 1);
      if (claim >= maxLeftOut) continue;
      bool due = false;
      for (std::uint32_t left = 0; left <= maxPairWait && !due; ++left) {
        const auto as = std::count_if(lesser.begin(), lesser.end(),
                                      [&](const auto& each) { return each.first <= left; });
        due = as > left && maxPairWait - pair.waited.detections <= left;
      }
      ASSERT_TRUE(due);
      ++due_;
    }
    waiting_ = still;
    seen_.clear();
    for (const DetectedPair& pair : found.pairs) seen_.insert(keysOf(bodies, pair.bodies));
    bodyWaits_.assign(bodies.size(), Wait{});
    for (const PostponedBody& body : found.postponedBodies) bodyWaits_[body.body] = body.wait;
  }

  /// Until now, of a pair that was neither named nor looked at before: as long as the broad phase
  /// left out a body.
  Wait waitOfBodies(std::span<const BodyState> bodies, const BodyPair& pair) const {
    Wait longest;
    if (seen_.contains(keysOf(bodies, pair))) return longest;
    for (const std::uint32_t body : {pair.a, pair.b})
      if (body < bodyWaits_.size() && bodyWaits_[body].detections > longest.detections)
        longest = bodyWaits_[body];
    return longest;
  }

  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  Real marked_ = 0.0;  ///< share of bodies that are unimportant
  std::map<Keys, Wait> waiting_;
  std::set<Keys> seen_;          ///< at the last detection
  std::vector<Wait> bodyWaits_;  ///< at the last detection
  std::uint32_t longest_ = 0;
  std::size_t postponed_ = 0, important_ = 0, others_ = 0, due_ = 0, inherited_ = 0;
};

TEST_F(Waiting, PairsAreNamedAndTakenByTheirClaims) {
  for (int seed = 1; seed <= test::cases(8); ++seed) {
    Detector detector(std::make_unique<FreePhase>(), std::make_unique<OneLevelPhase>());
    ASSERT_NO_FATAL_FAILURE(
        play(static_cast<std::uint64_t>(seed), seed % 2 == 0 ? 4 : 30, 200, detector, false));
  }
  EXPECT_GT(postponed_, 3000u);
  EXPECT_GT(important_, 1000u);
  EXPECT_GT(others_, 3000u);
  EXPECT_GT(due_, 10u);
}

TEST_F(Waiting, MarkedBodiesCountAsOfNoImportance) {
  marked_ = 0.2;
  for (int seed = 1; seed <= test::cases(4); ++seed) {
    Detector detector(std::make_unique<FreePhase>(), std::make_unique<OneLevelPhase>());
    ASSERT_NO_FATAL_FAILURE(play(static_cast<std::uint64_t>(seed), 200, 200, detector, true));
  }
  EXPECT_GT(postponed_, 1000u);
  EXPECT_GT(important_, 300u);
  EXPECT_GT(others_, 1000u);
}

TEST_F(Waiting, NoPairWaitsLongerThanStatedThoughThereIsNoTime) {
  for (int seed = 1; seed <= test::cases(4); ++seed) {
    Detector detector(std::make_unique<FreePhase>(), std::make_unique<OneLevelPhase>());
    ASSERT_NO_FATAL_FAILURE(play(static_cast<std::uint64_t>(seed), 0, 300, detector, false));
  }
  EXPECT_GE(longest_, maxPairWait - 1);
  EXPECT_GT(due_, 100u);
}

TEST_F(Waiting, CountsWhatABodyHasWaitedBefore) {
  for (int seed = 1; seed <= test::cases(6); ++seed) {
    Detector detector(makeSpaceTimeGridBroadPhase(), std::make_unique<OneLevelPhase>());
    ASSERT_NO_FATAL_FAILURE(play(static_cast<std::uint64_t>(seed), 200, 300, detector, true));
  }
  EXPECT_GT(postponed_, 1000u);
  EXPECT_LE(longest_, maxPairWait);
  EXPECT_GT(inherited_, 50u);
}

/// Four pairs that have waited, and what becomes of their waits.
TEST_F(Waiting, IsKnownByKeysAndVoidWhenTimeGoesBack) {
  std::vector<BodyState> bodies(8);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = 10 * (i + 1);
    bodies[i].pose.position.x = 10.0 * (i / 2);
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].importance = 1;
  }
  Detector detector(std::make_unique<FreePhase>(), std::make_unique<OneLevelPhase>());
  const auto waits = [&](Real time) {
    WorkClock clock;
    const Detection& found = detector.detect(bodies, time, TimeBudget(clock, nanoseconds(0)));
    EXPECT_TRUE(found.pairs.empty());
    std::map<Keys, std::uint32_t> known;
    for (const PostponedPair& pair : found.postponed)
      known[keysOf(bodies, pair.pair)] = pair.wait.detections;
    return known;
  };
  using Waits = std::map<Keys, std::uint32_t>;
  EXPECT_EQ(waits(1.0), (Waits{{{10, 20}, 1}, {{30, 40}, 1}, {{50, 60}, 1}, {{70, 80}, 1}}));
  EXPECT_EQ(waits(2.0), (Waits{{{10, 20}, 2}, {{30, 40}, 2}, {{50, 60}, 2}, {{70, 80}, 2}}));
  // One goes, all others move, and its index is taken by a new one
  bodies.erase(bodies.begin());
  EXPECT_EQ(waits(3.0), (Waits{{{30, 40}, 3}, {{50, 60}, 3}, {{70, 80}, 3}}));
  bodies.back().key = 90;
  EXPECT_EQ(waits(4.0), (Waits{{{30, 40}, 4}, {{50, 60}, 4}, {{70, 90}, 1}}));
  // Two part for a while
  bodies[1].pose.position.x += 5.0;
  EXPECT_EQ(waits(5.0), (Waits{{{50, 60}, 5}, {{70, 90}, 2}}));
  bodies[1].pose.position.x -= 5.0;
  EXPECT_EQ(waits(6.0), (Waits{{{30, 40}, 1}, {{50, 60}, 6}, {{70, 90}, 3}}));
  // Back before the last was first left out, but not before the others
  EXPECT_EQ(waits(4.5), (Waits{{{30, 40}, 1}, {{50, 60}, 7}, {{70, 90}, 4}}));
  EXPECT_EQ(waits(0.0), (Waits{{{30, 40}, 1}, {{50, 60}, 1}, {{70, 90}, 1}}));
  // The last goes
  bodies.pop_back();
  EXPECT_EQ(waits(1.0), (Waits{{{30, 40}, 2}, {{50, 60}, 2}}));
}

/// A repetition has the waits of its detection, and the next detection goes on counting from the
/// last one.
TEST_F(Waiting, IsNoneOfARepetition) {
  std::vector<BodyState> bodies(2);
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].importance = 1;
  }
  Detector detector(std::make_unique<FreePhase>(), std::make_unique<OneLevelPhase>());
  WorkClock clock;
  GrantedWork first;
  for (std::uint32_t detections = 1; detections <= 3; ++detections) {
    const Real time = detections;
    const Detection& found = detector.detect(bodies, time, TimeBudget(clock, nanoseconds(0)));
    ASSERT_EQ(found.postponed.size(), 1u);
    EXPECT_EQ(found.postponed[0].wait.detections, detections);
    if (detections == 1) first.take(found);
    ASSERT_TRUE(nearmiss::check(first, bodies.size(), 1.0));
    const Detection& again = detector.repeat(bodies, 1.0, first);
    EXPECT_EQ(&again, &detector.last());
    ASSERT_EQ(again.postponed.size(), 1u);
    EXPECT_EQ(again.postponed[0].wait.detections, 1u);
    EXPECT_FALSE(again.complete);
  }
}

TEST_F(Waiting, NobodyDoesWithoutALimit) {
  PromisedFlight flight(2, crowd());
  for (BodyState& body : flight.change()) body.importance = 0;
  Detector detector(makeSpaceTimeGridBroadPhase(), std::make_unique<OneLevelPhase>());
  std::vector<BodyPair> truth;
  std::size_t late = 0;
  for (int d = 0; d < 100; ++d) {
    flight.advance(0.02);
    WorkClock clock;
    const TimeBudget none(clock, nanoseconds(0));
    const bool limited = d % 10 < 5;
    const Detection& found =
        detector.detect(flight.bodies(), flight.time(), limited ? none : none.withoutDeadline());
    if (limited) continue;
    reference_->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_TRUE(std::equal(truth.begin(), truth.end(), found.pairs.begin(), found.pairs.end(),
                           [](const BodyPair& p, const DetectedPair& q) { return p == q.bodies; }));
    ASSERT_TRUE(found.complete);
    for (const DetectedPair& pair : found.pairs) late += pair.waited.detections > 0;
  }
  EXPECT_GT(late, 20u);
}

TEST(TimeShares, TheBroadPhaseHasHalf) {
  PromisedFlight flight(4, crowd());
  for (BodyState& body : flight.change()) body.importance = 1;
  flight.advance(0.02);
  Detector detector(std::make_unique<GreedyPhase>(), std::make_unique<OneLevelPhase>());
  for (const int tests : {10, 40}) {
    WorkClock clock;
    const TimeBudget budget(clock, WorkClock::boundTestPrice * tests);
    const Detection& found = detector.detect(flight.bodies(), flight.time(), budget);
    EXPECT_EQ(found.broadWork.boundTests, static_cast<std::uint64_t>(tests / 2));
    EXPECT_EQ(found.pairs.size(), static_cast<std::size_t>(tests / 2)) << "the rest is for pairs";
    EXPECT_FALSE(found.postponed.empty());
  }
}

TEST_F(Waiting, TakesNoMemoryOnceItIsWarm) {
  PromisedFlight flight(5, crowd());
  const auto frames = test::framesOf(flight, 100, 0.02, 1);
  Detector detector(findBroadPhase("uniform-grid")->make(), std::make_unique<OneLevelPhase>());
  std::size_t postponed = 0;
  const auto playAll = [&] {
    Real time = 0.0;
    for (const auto& frame : frames) {
      WorkClock clock;
      const TimeBudget budget(clock, nanoseconds(800));
      postponed += detector.detect(frame, time += 0.02, budget).postponed.size();
    }
  };
  EXPECT_GT(test::allocationsIn(playAll), 0u);
  playAll();
  EXPECT_EQ(test::allocationsIn(playAll), 0u);
  EXPECT_GT(postponed, 500u);
}

}  // namespace
}  // namespace nearmiss
