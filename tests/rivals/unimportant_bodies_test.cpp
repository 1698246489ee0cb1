// SPDX-License-Identifier: MIT
/// Bodies marked unimportant, over every broad phase of the catalogue: when time is short they wait
/// before all others, and what is not named was found.
#include <gtest/gtest.h>
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <vector>

#include "broad/unimportant_last.h"
#include "rivals/promised_flight.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/test_name.h"

namespace nearmiss {

static void PrintTo(const BroadPhaseEntry& entry, std::ostream* out) { *out << entry.name; }

namespace {

using std::chrono::nanoseconds;
using test::cases;
using test::FlightSettings;
using test::PromisedFlight;
using test::Random;

FlightSettings crowd() {
  FlightSettings settings;
  settings.count = 60;
  settings.arena = 3.0;
  settings.jumpRate = 0.1;
  return settings;
}

class UnimportantBodies : public testing::TestWithParam<BroadPhaseEntry> {
 protected:
  UnimportantBodies() : made_(GetParam().make()), phase_(made_->stoppable()) {
    if (phase_) return;
    last_ = std::make_unique<UnimportantLast>(*made_);
    phase_ = last_.get();
  }

  /// Bodies of all kinds; half of them are marked if `marks`.
  PromisedFlight flight(std::uint64_t seed, bool marks) const {
    PromisedFlight flight(seed, crowd());
    Random random(~seed);
    for (BodyState& body : flight.change()) {
      body.importance = random.chance(0.5) ? fullImportance : 1000;
      body.unimportant = marks && random.chance(0.5);
    }
    return flight;
  }

  /// One call within a budget of `looks` readings of a clock, checked against all pairs.
  void call(const PromisedFlight& flight, int looks) {
    ManualClock clock(nanoseconds(1));
    const TimeBudget budget(clock, nanoseconds(looks));
    const Real noContactBefore =
        phase_->findPairsWithin(flight.bodies(), flight.time(), budget, found_);
    reference_->findPairs(flight.bodies(), flight.time(), truth_);
    // Nothing new met since the last call if that promised so
    if (flight.time() < promised_ && epochs(flight) == epochs_) {
      ASSERT_TRUE(std::includes(before_.begin(), before_.end(), truth_.begin(), truth_.end()));
    }
    ASSERT_TRUE(std::is_sorted(found_.begin(), found_.end()));
    ASSERT_EQ(std::adjacent_find(found_.begin(), found_.end()), found_.end());
    ASSERT_TRUE(std::includes(truth_.begin(), truth_.end(), found_.begin(), found_.end()));

    const auto bodies = flight.bodies();
    std::vector<Wait> now(bodies.size());
    std::size_t waitingMarks = 0, waitingOthers = 0;
    for (const PostponedBody& waiting : phase_->postponedBodies()) {
      const BodyState& body = bodies[waiting.body];
      ASSERT_TRUE(body.unimportant || body.importance != fullImportance);
      (body.unimportant ? waitingMarks : waitingOthers) += 1;
      now[waiting.body] = waiting.wait;
      ASSERT_LE(waiting.wait.detections, maxBodyWait);
    }
    for (const BodyPair& pair : truth_) {
      if (std::binary_search(found_.begin(), found_.end(), pair)) continue;
      ASSERT_TRUE(now[pair.a].detections > 0 || now[pair.b].detections > 0);
      ++unknown_;
    }
    if (waitingMarks + waitingOthers > 0) {
      ASSERT_EQ(noContactBefore, flight.time());
    }
    waitingMarks_ += waitingMarks;
    waitingOthers_ += waitingOthers;
    complete_ += waitingMarks + waitingOthers == 0;
    promises_ += noContactBefore > flight.time();
    promised_ = noContactBefore;
    epochs_ = epochs(flight);
    before_ = truth_;
  }

  static std::vector<std::uint32_t> epochs(const PromisedFlight& flight) {
    std::vector<std::uint32_t> all;
    for (const BodyState& body : flight.bodies()) all.push_back(body.motionEpoch);
    return all;
  }

  std::unique_ptr<BroadPhase> made_;
  StoppableBroadPhase* phase_;
  std::unique_ptr<UnimportantLast> last_;
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, truth_, before_;
  Real promised_ = 0.0;
  std::vector<std::uint32_t> epochs_;
  std::size_t unknown_ = 0, waitingMarks_ = 0, waitingOthers_ = 0, complete_ = 0, promises_ = 0;
};

TEST_P(UnimportantBodies, WaitWhenTimeIsShortAndWhatIsNotNamedWasFound) {
  for (int seed = 1; seed <= cases(8) && !HasFatalFailure(); ++seed) {
    PromisedFlight flying = flight(static_cast<std::uint64_t>(seed), true);
    Random random(static_cast<std::uint64_t>(seed));
    promised_ = 0.0;
    for (int i = 0; i < 200 && !HasFatalFailure(); ++i) {
      flying.advance(0.02);
      call(flying, random.whole(0, 40));
      // Marks come and go
      if (i % 50 == 49) {
        BodyState& body = flying.change()[static_cast<std::size_t>(random.whole(0, 59))];
        body.unimportant = !body.unimportant;
      }
    }
  }
  // The grid looks at a body again only when its bound ends
  EXPECT_GT(waitingMarks_, last_ ? 1000u : 50u);
  EXPECT_GT(unknown_, last_ ? 50u : 1u);
  EXPECT_GT(complete_, 20u);
  if (last_) {
    EXPECT_EQ(waitingOthers_, 0u) << "no other body can wait";
  }
}

TEST_P(UnimportantBodies, WaitBeforeOthersOfTheSameCall) {
  // Marked and others all come due at once; nobody has waited yet
  PromisedFlight flying = flight(7, true);
  for (BodyState& body : flying.change()) body.importance = 1000;
  call(flying, 3);
  EXPECT_GT(waitingMarks_, 0u);
  std::size_t marks = 0;
  for (const BodyState& body : flying.bodies()) marks += body.unimportant;
  if (waitingOthers_ > 0) {
    // Whoever had to be looked at apart from the queue's order was the first of them all
    EXPECT_GE(waitingMarks_ + marks / maxBodyWait + 4, marks);
  }
}

TEST_P(UnimportantBodies, AreFoundAsAllOthersWithoutALimitOrWithTimeToSpare) {
  PromisedFlight flying = flight(11, true);
  for (int i = 0; i < 200; ++i) {
    flying.advance(0.02);
    ASSERT_NO_FATAL_FAILURE(call(flying, 1'000'000));
    ASSERT_EQ(found_, truth_);
    if (i % 20 < 10) continue;
    (void)phase_->findPairs(flying.bodies(), flying.time(), found_);
    ASSERT_EQ(found_, truth_);
    ASSERT_TRUE(phase_->postponedBodies().empty());
  }
  EXPECT_EQ(complete_, 200u);
}

TEST_P(UnimportantBodies, LeaveALookAheadItsPromises) {
  if (!GetParam().looksAhead) return;
  FlightSettings settings;
  settings.count = 6;
  settings.arena = 40.0;
  PromisedFlight flying(3, settings);
  for (BodyState& body : flying.change()) body.importance = fullImportance;
  flying.change()[2].unimportant = flying.change()[4].unimportant = true;
  for (int i = 0; i < 300; ++i) {
    flying.advance(0.02);
    ASSERT_NO_FATAL_FAILURE(call(flying, 1'000'000));
  }
  EXPECT_GT(promises_, 100u);
}

TEST_P(UnimportantBodies, NobodyIsMarkedThenTheMethodIsTheGivenOne) {
  if (!last_) return;
  const auto alone = GetParam().make();
  std::vector<BodyPair> expected;
  PromisedFlight flying = flight(5, false);
  for (int i = 0; i < 100; ++i) {
    flying.advance(0.02);
    WorkClock clock;
    const TimeBudget budget(clock, nanoseconds{});
    const Real promise = phase_->findPairsWithin(flying.bodies(), flying.time(), budget, found_);
    EXPECT_EQ(promise, alone->findPairs(flying.bodies(), flying.time(), expected));
    EXPECT_EQ(found_, expected);
    EXPECT_EQ(phase_->work().boundTests, alone->work().boundTests);
    EXPECT_TRUE(phase_->postponedBodies().empty());
  }
}

/// Bodies at rest, of which the first two meet. While some lose their marks and others get them, as
/// many as before are left out, or stay.
void expectThatMarksMayMove(StoppableBroadPhase& phase) {
  std::vector<BodyState> bodies(4);
  const std::vector<Real> places{0.0, 0.5, 500.0, 1000.0};
  for (std::uint32_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = i + 1;
    bodies[i].pose.position.x = places[i];
    bodies[i].shape = ShapeRef::ofRadius(1.0);
  }
  struct Call {
    std::size_t count;
    std::vector<std::size_t> marked;
  };
  Real time = 0.0;
  for (const auto& [count, marked] :
       {Call{4, {0}}, Call{4, {3}}, Call{4, {1}}, Call{4, {2}}, Call{4, {0, 1}}, Call{4, {2, 3}},
        Call{4, {0}}, Call{3, {}}, Call{4, {0}}, Call{3, {}}, Call{4, {}}, Call{4, {3}}}) {
    for (BodyState& body : bodies) body.unimportant = false;
    for (const std::size_t i : marked) bodies[i].unimportant = true;
    std::vector<BodyPair> found;
    ManualClock clock(nanoseconds(1));
    phase.findPairsWithin(std::span(bodies).first(count), time,
                          TimeBudget(clock, nanoseconds(1'000'000)), found);
    EXPECT_EQ(found, (std::vector<BodyPair>{{0, 1}})) << phase.name() << " at " << time;
    time += 0.1;
  }
}

TEST_P(UnimportantBodies, MayLoseTheirMarksToOthers) { expectThatMarksMayMove(*phase_); }

TEST(UnimportantLast, LetsMarksMoveWhetherPromisesAreCheckedOrBelieved) {
  for (const Promises promises : {Promises::Checked, Promises::Believed}) {
    SCOPED_TRACE(promises == Promises::Checked ? "checked" : "believed");
    std::vector<std::unique_ptr<BroadPhase>> made;
    made.push_back(makeSpaceTimeBroadPhase(promises));
    made.push_back(makeSpaceTimeSlicesBroadPhase(promises));
    made.push_back(makeSpaceTimeHalvesBroadPhase(promises));
    made.push_back(makeSpaceTimeHornBroadPhase(promises));
    made.push_back(makePublishedSpaceTimeBroadPhase(promises));
    made.push_back(makePublishedSubdivisionBroadPhase(promises));
    for (const auto& given : made) {
      UnimportantLast last(*given);
      expectThatMarksMayMove(last);
    }
  }
}

/// What limits the promise about a marked body: whom it can meet, and what it promises itself.
TEST(UnimportantLast, PromisesNoMoreThanItsBodiesDo) {
  const auto given = findBroadPhase("space-time-queue")->make();
  UnimportantLast last(*given);
  const auto promise = [&](const auto& change) {
    std::vector<BodyState> bodies(3);
    for (std::uint32_t i = 0; i < bodies.size(); ++i) {
      bodies[i].key = i + 1;
      bodies[i].pose.position.x = 10.0 * i;
      bodies[i].shape = ShapeRef::ofRadius(1.0);
      bodies[i].boundHoldsUntil = 100.0;
    }
    // The marked one reaches the second at a quarter of a second
    bodies[0].unimportant = true;
    bodies[0].velocity.x = 32.0;
    change(bodies);
    std::vector<BodyPair> found;
    ManualClock clock;
    return last.findPairsWithin(bodies, 2.0, TimeBudget(clock, nanoseconds(1)), found) - 2.0;
  };
  using Bodies = std::vector<BodyState>;
  EXPECT_NEAR(promise([](Bodies&) {}), 0.25, 1e-2);
  EXPECT_LE(promise([](Bodies&) {}), 0.25);
  // Bodies of one assembly never meet; the third is reached later
  EXPECT_NEAR(promise([](Bodies& b) { b[0].assembly = b[1].assembly = 7; }), 0.5625, 1e-2);
  EXPECT_NEAR(promise([](Bodies& b) { b[0].assembly = 7, b[1].assembly = 8; }), 0.25, 1e-2);
  EXPECT_NEAR(promise([](Bodies& b) { b[0].assembly = 7; }), 0.25, 1e-2);
  // Promises about to expire, expired, and never made
  EXPECT_NEAR(promise([](Bodies& b) { b[0].boundHoldsUntil = 2.125; }), 0.125, 1e-2);
  EXPECT_NEAR(promise([](Bodies& b) { b[1].boundHoldsUntil = 2.125; }), 0.125, 1e-2);
  EXPECT_EQ(promise([](Bodies& b) { b[0].boundHoldsUntil = 2.0; }), 0.0);
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  EXPECT_EQ(promise([](Bodies& b) { b[0].accelerationBound = infinity; }), 0.0);
  EXPECT_EQ(promise([](Bodies& b) { b[2].velocity.y = infinity; }), 0.0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, UnimportantBodies,
                         testing::ValuesIn(broadPhaseCatalog().begin(), broadPhaseCatalog().end()),
                         [](const auto& tested) { return test::testName(tested.param.name); });

}  // namespace
}  // namespace nearmiss
