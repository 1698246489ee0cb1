// SPDX-License-Identifier: MIT
#include <engine/touches.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/random.h"

namespace nearmiss::engine {
namespace {

/// Against plain sets, over random answers with postponed pairs among them.
TEST(Touches, TellBeginningsFromWhatGoesOnAndEnds) {
  nearmiss::test::Random random(5);
  Touches touches;
  std::map<BodyPair, Real> expected;
  int began = 0, went = 0, ended = 0, kept = 0;
  for (int step = 0; step < 2000; ++step) {
    Detection found;
    found.time = 0.05 * step;
    std::vector<PostponedPair> postponed;
    std::map<BodyPair, Real> next;
    for (std::uint32_t a = 0; a < 5; ++a)
      for (std::uint32_t b = a + 1; b < 5; ++b) {
        const BodyPair pair{a, b};
        const auto before = expected.find(pair);
        const bool touched = before != expected.end();
        switch (random.whole(0, 4)) {
          case 0:
            postponed.push_back({pair, {found.time, 1}});
            if (touched) next.insert(*before);
            kept += touched;
            break;
          case 1: {
            DetectedPair apart{pair, {}, {}};
            apart.refinement.verdict = Verdict::Separate;
            found.pairs.push_back(apart);
            break;
          }
          case 2:
            break;
          default:
            found.pairs.push_back({pair, {}, {}});
            if (random.chance(0.5)) found.pairs.back().refinement.verdict = Verdict::Contact;
            next[pair] = touched ? before->second : found.time;
            began += !touched;
            went += touched;
        }
      }
    found.postponed = postponed;
    touches.take(found);
    std::size_t over = 0;
    for (const auto& [pair, since] : expected) over += next.count(pair) == 0;
    ended += static_cast<int>(over);
    ASSERT_EQ(touches.ended(), over);
    ASSERT_EQ(touches.now().size(), next.size());
    auto at = next.begin();
    for (const Touch& touch : touches.now()) {
      ASSERT_EQ(touch.bodies, at->first);
      ASSERT_EQ(touch.since, at->second);
      ASSERT_EQ(touches.touchedBefore(touch.bodies), expected.count(touch.bodies) > 0);
      ++at;
    }
    expected = std::move(next);
  }
  EXPECT_GT(began, 1000);
  EXPECT_GT(went, 1000);
  EXPECT_GT(ended, 1000);
  EXPECT_GT(kept, 500);
}

}  // namespace
}  // namespace nearmiss::engine
