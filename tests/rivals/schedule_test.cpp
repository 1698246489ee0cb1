// SPDX-License-Identifier: MIT
/// The heap of pairs with more bodies than a small scene has, and what is said beyond its limit.
#include <gtest/gtest.h>
#include <nearmiss/advanced/fallbacks.h>
#include <nearmiss/rivals/broad_phases.h>
#include <nearmiss/rivals/catalog.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "rivals/promised_flight.h"

namespace nearmiss {
namespace {

using test::FlightSettings;
using test::PromisedFlight;

/// Two thousand bodies: the pairs are those of all-pairs, and after the first call most of two
/// million pairs are left alone.
TEST(Schedule, KeepsItsHeapWithThousandsOfBodies) {
  constexpr int count = 2000;
  PromisedFlight flight(
      5, {.count = count, .arena = 40.0, .speed = 0.5, .acceleration = 0.2, .promise = 4.0});
  const auto schedule = findBroadPhase("schedule")->make(),
             judge = findBroadPhase("all-pairs")->make();
  const std::uint64_t before = fallbacks(Fallback::ScheduleAllPairs);
  std::vector<BodyPair> found, expected;
  constexpr std::uint64_t all = std::uint64_t{count} * (count - 1) / 2;
  std::size_t pairs = 0;
  std::uint64_t tests = 0;
  constexpr int calls = 24;
  for (int call = 0; call < calls; ++call) {
    const Real silent = schedule->findPairs(flight.bodies(), flight.time(), found);
    judge->findPairs(flight.bodies(), flight.time(), expected);
    ASSERT_EQ(found, expected) << call;
    EXPECT_GE(silent, flight.time());
    pairs += found.size();
    if (call > 0) tests += schedule->work().boundTests;
    flight.advance(0.02);
  }
  EXPECT_GT(pairs, 50u);
  EXPECT_LT(tests, (calls - 1) * all / 4) << "pairs whose time has not come are not looked at";
  EXPECT_EQ(fallbacks(Fallback::ScheduleAllPairs), before);
}

/// Bodies in a row, none of which touch.
std::vector<BodyState> row(std::size_t count) {
  std::vector<BodyState> bodies(count);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].key = static_cast<std::uint32_t>(i);
    bodies[i].pose.position = Vec3(static_cast<Real>(i), 0.0, 0.0);
    bodies[i].shape = ShapeRef::ofRadius(0.25);
  }
  return bodies;
}

/// One more than the heap takes: all pairs, no promise, and a count of it. What few bodies left in
/// the heap is then not taken for that of none.
TEST(Schedule, CountsTheCallsThatTryEveryPair) {
  std::vector<BodyState> few = row(10), bodies = row(maxScheduledBodies + 1);
  for (std::vector<BodyState>* touching : {&few, &bodies})
    (*touching)[7].pose.position = (*touching)[9].pose.position;
  const std::vector<BodyPair> pair{{7, 9}};
  const auto schedule = findBroadPhase("schedule")->make();
  std::vector<BodyPair> found;
  schedule->findPairs(few, 1.0, found);
  ASSERT_EQ(found, pair);
  const std::uint64_t before = fallbacks(Fallback::ScheduleAllPairs);
  EXPECT_EQ(schedule->findPairs(bodies, 2.0, found), 2.0);
  EXPECT_EQ(found, pair);
  EXPECT_EQ(fallbacks(Fallback::ScheduleAllPairs), before + 1);

  EXPECT_EQ(schedule->findPairs({}, 3.0, found), std::numeric_limits<Real>::infinity());
  EXPECT_TRUE(found.empty());
  EXPECT_EQ(schedule->work().boundTests, 0u);
  schedule->findPairs(few, 4.0, found);
  EXPECT_EQ(found, pair);
}

}  // namespace
}  // namespace nearmiss
