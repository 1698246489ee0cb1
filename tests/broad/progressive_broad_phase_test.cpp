// SPDX-License-Identifier: MIT
/// Postponing pairs of little importance: who waits is said, important pairs never do, and none
/// waits for ever.
#include <gtest/gtest.h>
#include <nearmiss/broad_phases.h>
#include <nearmiss/progressive_broad_phase.h>

#include <algorithm>
#include <map>
#include <vector>

#include "broad/promised_flight.h"
#include "support/allocations.h"

namespace nearmiss {
namespace {

using test::FlightSettings;
using test::PromisedFlight;

FlightSettings crowd() {
  FlightSettings settings;
  settings.count = 40;
  settings.arena = 1.5;
  return settings;
}

bool isImportant(const BodyState& body) { return body.importance == fullImportance; }

TEST(ProgressiveBroadPhase, ReportsImportantPairsAndAsManyOthersAsAllowed) {
  PromisedFlight flight(1, crowd());
  for (std::size_t i = 0; i < 40; ++i)
    if (i % 2 == 1) flight.change()[i].importance = static_cast<std::uint32_t>(i % 3);
  ProgressiveBroadPhase progressive(makeSpaceTimeBroadPhase());
  const auto judge = makeAllPairsBroadPhase();
  test::Random random(1);
  std::vector<BodyPair> found, truth;
  std::size_t important = 0, postponed = 0;
  for (int call = 0; call < 300; ++call) {
    flight.advance(0.02);
    const auto allowance = static_cast<std::size_t>(random.whole(0, 8));
    progressive.setAllowance(allowance);
    progressive.findPairs(flight.bodies(), flight.time(), found);
    judge->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_TRUE(std::is_sorted(found.begin(), found.end()));

    // Together they are all pairs, each once
    std::vector<BodyPair> all = found;
    std::uint32_t mostWaiting = 0, leastTaken = fullImportance;
    for (const PostponedPair& waiting : progressive.postponed()) {
      const BodyState& a = flight.bodies()[waiting.pair.a];
      const BodyState& b = flight.bodies()[waiting.pair.b];
      ASSERT_FALSE(isImportant(a) && isImportant(b));
      ASSERT_LE(waiting.since, flight.time());
      mostWaiting = std::max(mostWaiting, std::min(a.importance, b.importance));
      all.push_back(waiting.pair);
    }
    std::sort(all.begin(), all.end());
    ASSERT_EQ(all, truth);

    std::size_t others = 0;
    for (const BodyPair& pair : found) {
      const BodyState& a = flight.bodies()[pair.a];
      const BodyState& b = flight.bodies()[pair.b];
      if (isImportant(a) && isImportant(b)) {
        ++important;
        continue;
      }
      ++others;
      leastTaken = std::min({leastTaken, a.importance, b.importance});
    }
    ASSERT_EQ(others, std::min(allowance, others + progressive.postponed().size()));
    if (others > 0 && !progressive.postponed().empty()) {
      ASSERT_GE(leastTaken, mostWaiting);
    }
    postponed += progressive.postponed().size();
  }
  EXPECT_GT(important, 300u);
  EXPECT_GT(postponed, 1000u);
}

TEST(ProgressiveBroadPhase, TakesTurnsAndSaysSinceWhen) {
  // A heap at rest: every pair meets all the time
  std::vector<BodyState> bodies(8);
  for (std::uint32_t i = 0; i < 8; ++i) {
    bodies[i].key = 50 - i;
    bodies[i].boundingRadius = 1.0;
    bodies[i].importance = 0;
  }
  ProgressiveBroadPhase progressive(makeAllPairsBroadPhase());
  progressive.setAllowance(5);
  std::vector<BodyPair> found;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> lastSeen;
  for (int call = 0; call < 60; ++call) {
    // Places change, keys stay
    std::rotate(bodies.begin(), bodies.begin() + 3, bodies.end());
    progressive.findPairs(bodies, call, found);
    const auto keysOf = [&](const BodyPair& pair) {
      return std::minmax(bodies[pair.a].key, bodies[pair.b].key);
    };
    ASSERT_EQ(found.size(), 5u);
    ASSERT_EQ(progressive.postponed().size(), 23u);
    for (const BodyPair& pair : found) lastSeen[keysOf(pair)] = call;
    for (const PostponedPair& waiting : progressive.postponed()) {
      const auto seen = lastSeen.find(keysOf(waiting.pair));
      EXPECT_EQ(waiting.since, seen == lastSeen.end() ? 0 : seen->second + 1);
      // 28 pairs, 5 at a time: at most 5 calls pass it over
      EXPECT_LT(call - waiting.since, 5.0);
    }
  }
  EXPECT_EQ(lastSeen.size(), 28u);
}

TEST(ProgressiveBroadPhase, PostponesNothingWithoutALimit) {
  PromisedFlight flight(2, crowd());
  for (BodyState& body : flight.change()) body.importance = 0;
  ProgressiveBroadPhase progressive(makeSpaceTimeGridBroadPhase());
  const auto judge = makeAllPairsBroadPhase();
  std::vector<BodyPair> found, truth;
  for (int call = 0; call < 100; ++call) {
    flight.advance(0.02);
    progressive.findPairs(flight.bodies(), flight.time(), found);
    judge->findPairs(flight.bodies(), flight.time(), truth);
    ASSERT_EQ(found, truth);
    ASSERT_TRUE(progressive.postponed().empty());
  }
  EXPECT_EQ(progressive.name(), "space-time-grid");
  EXPECT_GT(progressive.work().boundTests, 0u);
}

TEST(ProgressiveBroadPhase, TakesNoMemoryOnceItIsWarm) {
  PromisedFlight flight(5, crowd());
  for (std::size_t i = 0; i < 40; ++i)
    if (i % 3 != 0) flight.change()[i].importance = static_cast<std::uint32_t>(i % 4);
  std::vector<std::vector<BodyState>> frames;
  for (int frame = 0; frame < 100; ++frame) {
    flight.advance(0.02);
    frames.emplace_back(flight.bodies().begin(), flight.bodies().end());
  }
  ProgressiveBroadPhase progressive(makeUniformGridBroadPhase());
  progressive.setAllowance(3);
  std::vector<BodyPair> found;
  std::size_t postponed = 0;
  const auto play = [&] {
    Real time = 0.0;
    for (const auto& frame : frames) {
      progressive.findPairs(frame, time += 0.02, found);
      postponed += progressive.postponed().size();
    }
  };
  EXPECT_GT(test::allocationsIn(play), 0u);
  EXPECT_EQ(test::allocationsIn(play), 0u);
  EXPECT_GT(postponed, 500u);
}

}  // namespace
}  // namespace nearmiss
