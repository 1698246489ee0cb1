// SPDX-License-Identifier: MIT
/// Broad phases that look ahead, among bodies that keep their promises: the pairs are those of the
/// reference at every call, and nothing begins to touch before the time they return.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rivals/promised_flight.h"
#include "support/allocations.h"
#include "support/broad_phases.h"
#include "support/campaign.h"
#include "support/test_name.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::cases;
using test::FlightSettings;
using test::PromisedFlight;

class LookAhead : public testing::TestWithParam<std::string_view> {
 protected:
  struct Tally {
    std::size_t calls = 0, touching = 0, begun = 0, boundTests = 0;
    Real contactFree = 0.0;  ///< seconds from the call on, added up
    int looksBetween = 0;
  };

  /// Runs both phases at one instant.
  void compare(std::span<const BodyState> bodies, Real time) {
    tried_->findPairs(bodies, time, found_);
    reference_->findPairs(bodies, time, truth_);
    ASSERT_EQ(found_, truth_);
  }

  /// Flies; a call at every `stepsPerCall` steps, and a look of the reference at every step.
  void fly(PromisedFlight& flight, int calls, int stepsPerCall, Real dt, Tally& tally) {
    const auto tried = findBroadPhase(GetParam())->make();
    const auto reference = makeAllPairsBroadPhase();
    std::vector<BodyPair> found, truth, before;
    for (int call = 0; call < calls; ++call) {
      const Real noContactBefore = tried->findPairs(flight.bodies(), flight.time(), found);
      reference->findPairs(flight.bodies(), flight.time(), truth);
      ASSERT_EQ(found, truth) << "call " << call;
      ASSERT_GE(noContactBefore, flight.time());
      ++tally.calls;
      tally.touching += found.size();
      tally.boundTests += tried->work().boundTests;
      tally.contactFree += std::min(noContactBefore - flight.time(), 1.0);
      for (const BodyPair& pair : found)
        tally.begun += !std::binary_search(before.begin(), before.end(), pair);
      before = found;
      std::vector<std::uint32_t> epochs;
      for (const BodyState& body : flight.bodies()) epochs.push_back(body.motionEpoch);
      for (int step = 0; step < stepsPerCall; ++step) {
        flight.advance(dt);
        if (flight.time() >= noContactBefore) continue;
        ++tally.looksBetween;
        reference->findPairs(flight.bodies(), flight.time(), truth);
        for (const BodyPair& pair : truth) {
          // Jumps void what was said
          if (flight.bodies()[pair.a].motionEpoch != epochs[pair.a] ||
              flight.bodies()[pair.b].motionEpoch != epochs[pair.b])
            continue;
          ASSERT_TRUE(std::binary_search(found.begin(), found.end(), pair))
              << "quiet until " << noContactBefore << ", touching at " << flight.time();
        }
      }
    }
  }

  std::unique_ptr<BroadPhase> tried_ = findBroadPhase(GetParam())->make();
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  std::vector<BodyPair> found_, truth_;
};

TEST_P(LookAhead, AgreesWithTheJudgeOnPromisedFlights) {
  Tally all;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases(12)); ++seed) {
    FlightSettings settings;
    settings.count = 10 + 5 * static_cast<int>(seed % 6);
    settings.arena = 2.5;
    settings.jumpRate = seed % 3 == 0 ? 0.3 : 0.0;
    settings.planes = seed % 2 == 0;
    settings.acceleration = seed % 4 == 0 ? 5.0 : 0.7;
    if (seed % 5 == 0) settings.offset = Vec3(1e7, -3e6, 2e7);
    PromisedFlight flight(seed, settings);
    ASSERT_NO_FATAL_FAILURE(fly(flight, 250, 5, 0.01, all)) << "seed " << seed;
  }
  EXPECT_GT(all.begun, all.calls / 8);
  EXPECT_LT(all.touching, all.calls * 40);
}

/// Ties, equal starts, parallel segments, bodies at rest and at one position, near the origin and
/// 10^7 m from it: nothing is rounded, so that a touch at an instant is a touch.
TEST_P(LookAhead, AgreesWithTheJudgeWhereTiesAbound) {
  for (const Real offset : {0.0, 1e7}) {
    Tally all;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(cases(30)); ++seed) {
      FlightSettings settings;
      settings.lattice = true;
      settings.count = 4 + 4 * static_cast<int>(seed % 4);
      settings.arena = 6.0;
      settings.speed = 2.0;
      settings.acceleration = 0.0;
      settings.offset = Vec3(offset, -offset, offset);
      PromisedFlight flight(seed, settings);
      ASSERT_NO_FATAL_FAILURE(fly(flight, 150, 4, 0x1p-4, all)) << "seed " << seed;
    }
    EXPECT_GT(all.begun, all.calls / 20);
    EXPECT_GT(all.touching, all.calls / 4);
    EXPECT_LT(all.touching, all.calls * 40);
    EXPECT_GT(all.looksBetween, 100);
  }
}

TEST_P(LookAhead, IsSilentWhileNothingCanTouch) {
  FlightSettings settings;
  settings.count = 4;
  settings.arena = 12.0;
  settings.acceleration = 0.2;
  settings.promise = 3.0;
  Tally tally;
  PromisedFlight flight(5, settings);
  ASSERT_NO_FATAL_FAILURE(fly(flight, 400, 10, 0.005, tally));
  EXPECT_GT(tally.looksBetween, 1000);
  EXPECT_GT(tally.contactFree / static_cast<Real>(tally.calls), 0.04) << "seconds of look-ahead";
}

TEST_P(LookAhead, FollowsCallsOfAnyLength) {
  FlightSettings settings;
  settings.count = 25;
  PromisedFlight flight(6, settings);
  test::Random random(6);
  std::size_t touching = 0;
  for (int call = 0; call < cases(600); ++call) {
    // Also none at all, very short and very long ones
    const int steps = random.chance(0.1) ? 0 : random.chance(0.1) ? 200 : random.whole(1, 12);
    const Real dt = random.chance(0.1) ? 1e-6 : 0.01;
    for (int step = 0; step < steps; ++step) flight.advance(dt);
    ASSERT_NO_FATAL_FAILURE(compare(flight.bodies(), flight.time())) << "call " << call;
    touching += found_.size();
  }
  EXPECT_GT(touching, 100u);
}

TEST_P(LookAhead, SeesBulletsAndGiants) {
  FlightSettings settings;
  settings.count = 60;
  settings.arena = 20.0;
  PromisedFlight flight(7, settings);
  std::size_t touching = 0;
  flight.change()[3].shape = ShapeRef::ofRadius(12.0);
  flight.change()[40].shape = ShapeRef::ofRadius(5.0);
  for (int call = 0; call < 400; ++call) {
    for (std::size_t i = 0; i < 60; i += 20)
      if (call % 100 == 0) {
        flight.change()[i].velocity *= 100.0;
        ++flight.change()[i].motionEpoch;
      }
    flight.advance(0.02);
    ASSERT_NO_FATAL_FAILURE(compare(flight.bodies(), flight.time())) << "call " << call;
    touching += found_.size();
  }
  EXPECT_GT(touching, 400u);
}

TEST_P(LookAhead, BearsStatesThatPromiseNothing) {
  const nearmiss::test::Untrapped endsOfTheRange;
  FlightSettings settings;
  settings.count = 20;
  PromisedFlight flight(8, settings);
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  for (int call = 0; call < 200; ++call) {
    flight.advance(0.02);
    auto bodies = std::vector<BodyState>(flight.bodies().begin(), flight.bodies().end());
    bodies[1].boundHoldsUntil = -infinity;
    bodies[2].accelerationBound = infinity;
    bodies[3].accelerationBound = nan;
    bodies[4].boundHoldsUntil = nan;
    bodies[5].velocity = Vec3(nan, 0.0, 0.0);
    bodies[6].velocity = Vec3(infinity);
    bodies[7].accelerationBound = -1.0;
    if (call % 2 == 0) bodies[8].pose.position.x = nan;
    if (call % 3 == 0) bodies[9].pose.position.y = infinity;
    ASSERT_NO_FATAL_FAILURE(compare(bodies, flight.time())) << "call " << call;
  }
}

/// A truck and its trailer, whose spheres overlap, and a body far away: only when they are parted
/// can anything touch, though one has jumped.
TEST_P(LookAhead, IsSilentWhilePartsOfOneThingOverlap) {
  std::vector<BodyState> bodies(3);
  for (std::uint32_t i = 0; i < 3; ++i) {
    bodies[i].key = i + 1;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
  }
  bodies[1].pose.position.x = 1.0;
  bodies[2].pose.position.y = 1000.0;
  bodies[0].assembly = bodies[1].assembly = 7;
  tried_->setResolution(0.01);
  int silent = 0;
  for (int call = 0; call < 60; ++call) {
    if (call == 5) ++bodies[0].motionEpoch;
    const Real time = 0.01 * call;
    silent += tried_->findPairs(bodies, time, found_) > time + 0.01;
    EXPECT_TRUE(found_.empty());
  }
  EXPECT_GE(silent, 40);
  bodies[0].assembly = 0;
  compare(bodies, 0.6);
  EXPECT_EQ(found_.size(), 1u);
}

TEST_P(LookAhead, TakesNoMemoryOnceItIsWarm) {
  FlightSettings settings;
  settings.count = 60;
  PromisedFlight flight(9, settings);
  const auto fly = [&](int calls) {
    std::size_t taken = 0;
    for (int call = 0; call < calls; ++call) {
      flight.advance(0.02);
      taken +=
          test::allocationsIn([&] { tried_->findPairs(flight.bodies(), flight.time(), found_); });
    }
    return taken;
  };
  EXPECT_GT(fly(2000), 0u);
  // A maximum may still rise, ever more rarely
  EXPECT_LE(fly(500), 10u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, LookAhead, testing::ValuesIn(test::lookingAhead()),
                         [](const auto& tested) { return test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss
