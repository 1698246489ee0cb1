// SPDX-License-Identifier: MIT
/// Ships near the user's go first: what is promised to them, and what is said of the others.
#include <engine/importance.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "engine/recorded_flights.h"
#include "support/campaign.h"
#include "support/test_name.h"

namespace nearmiss::engine {
namespace {

using test::ghosts;
using test::isSeen;
using test::Meeting;
using test::meetingsIn;
using test::Sample;
using test::scripted;

constexpr Real infinity = std::numeric_limits<Real>::infinity();

World row(int ships) {
  World world;
  for (int i = 0; i < ships; ++i) {
    ShipDef def;
    def.pose.position = {3.0 * i, 0.0, 0.0};
    def.boundingRadius = 1.0;
    EXPECT_TRUE(world.create(def));
  }
  return world;
}

TEST(Importance, FallsWithTheDistanceFromTheUser) {
  World world = row(8);
  const std::uint64_t jumps = world.jumps();
  assignImportance(world, 2, {4.5, 0});
  const auto states = world.states();
  // Two metres of each gap of three are inside the ships
  for (const std::size_t near : {0u, 1u, 2u, 3u, 4u})
    EXPECT_EQ(states[near].importance, fullImportance) << near;
  for (const std::size_t far : {5u, 6u, 7u}) {
    EXPECT_LT(states[far].importance, states[far - 1].importance) << far;
    EXPECT_GT(states[far].importance, 0u);
  }
  EXPECT_EQ(world.jumps(), jumps) << "no motion is changed";

  assignImportance(world, 7, {infinity, 0});
  for (const BodyState& body : states) EXPECT_EQ(body.importance, fullImportance);
  for (const Real useless : {std::numeric_limits<Real>::quiet_NaN(), -1.0}) {
    assignImportance(world, 0, {useless, 0});
    EXPECT_EQ(states[0].importance, fullImportance);
    EXPECT_LT(states[7].importance, states[1].importance);
  }
}

bool important(const Sample& sample, const BodyPair& pair) {
  return sample.importances[pair.a] == fullImportance &&
         sample.importances[pair.b] == fullImportance;
}

class Important : public testing::TestWithParam<std::string_view> {};

/// The same flight as the driver sees it, and a hundred times as often with all pairs.
TEST_P(Important, PairsAreSeenAsIfThereWereNoOthers) {
  std::size_t lasting = 0, waited = 0, taken = 0;
  for (int seed = 1; seed <= nearmiss::test::cases(4); ++seed) {
    WorkClock clock;
    std::vector<Sample> calls, looks;
    const auto key = static_cast<std::uint64_t>(seed);
    const auto driven = ghosts(key, 12, GetParam(), calls, clock);
    const auto watched = ghosts(key, 12, "all-pairs", looks, clock);
    constexpr Real step = 0.05;
    for (int frame = 0; frame < 250; ++frame) {
      FrameInput input = scripted(frame);
      input.importance = {0.9, static_cast<std::size_t>(seed % 3)};
      const std::size_t before = calls.size();
      const FrameProfile& profile = driven->advance(input).profile;
      std::size_t postponed = 0;
      Real longest = 0.0;
      for (std::size_t c = before; c < calls.size(); ++c) {
        const Sample& call = calls[c];
        postponed += call.postponed.size();
        std::size_t lesser = 0;
        for (const BodyPair& pair : call.pairs) lesser += !important(call, pair);
        ASSERT_LE(lesser, input.importance.lesserPairs);
        for (const PostponedPair& pair : call.postponed) {
          ASSERT_FALSE(important(call, pair.pair)) << "an important pair was made to wait";
          longest = std::max(longest, call.time - pair.since);
        }
        taken += lesser;
      }
      ASSERT_EQ(profile.pairsPostponed, postponed);
      ASSERT_EQ(profile.longestWait, longest);
      waited += postponed;
      input.detectStep = step / 100.0;
      input.importance.lesserPairs = 1000;
      watched->advance(input);
      ASSERT_EQ(stateHash(driven->world()), stateHash(watched->world()));
    }
    for (Sample& look : looks)
      std::erase_if(look.pairs, [&](const BodyPair& pair) { return !important(look, pair); });
    for (const Meeting& meeting : meetingsIn(looks)) {
      if (meeting.last - meeting.first < step) continue;
      ASSERT_TRUE(isSeen(meeting, calls)) << "seed " << seed << ": " << meeting;
      ++lasting;
    }
  }
  EXPECT_GT(lasting, 15u);
  EXPECT_GT(waited, 500u);
  EXPECT_GT(taken, 100u);
}

/// Who is left out is told, and since when, at every instant that is looked at.
TEST_P(Important, WhoWaitsIsToldSinceWhen) {
  WorkClock clock;
  std::vector<Sample> calls, all;
  const auto driven = ghosts(5, 10, GetParam(), calls, clock);
  const auto judge = ghosts(5, 10, "all-pairs", all, clock);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Real> waiting;
  std::size_t told = 0;
  for (int frame = 0; frame < 150; ++frame) {
    FrameInput input = scripted(frame);
    input.importance = {0.3, 1};
    const std::size_t before = calls.size();
    const FrameOutput& out = driven->advance(input);
    for (std::size_t c = before; c < calls.size(); ++c) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, Real> still;
      for (const PostponedPair& pair : calls[c].postponed) {
        const std::pair key{pair.pair.a, pair.pair.b};
        const auto known = waiting.find(key);
        ASSERT_EQ(pair.since, known == waiting.end() ? calls[c].time : known->second);
        still[key] = pair.since;
        ++told;
      }
      waiting = still;
    }
    if (!calls.back().postponed.empty()) {
      ASSERT_EQ(out.detection->postponed.size(), calls.back().postponed.size());
    }

    // At the frame's end both have looked: reported and postponed together are all that meet
    input.importance.lesserPairs = 1000;
    judge->advance(input);
    if (calls.back().time != all.back().time) continue;
    std::vector<BodyPair> either = calls.back().pairs;
    for (const PostponedPair& pair : calls.back().postponed) either.push_back(pair.pair);
    std::sort(either.begin(), either.end());
    ASSERT_EQ(either, all.back().pairs) << "frame " << frame;
  }
  EXPECT_GT(told, 100u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, Important,
                         testing::Values("all-pairs", "space-time", "space-time-grid", "schedule"),
                         [](const auto& tested) { return nearmiss::test::testName(tested.param); });

}  // namespace
}  // namespace nearmiss::engine
