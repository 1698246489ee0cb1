// SPDX-License-Identifier: MIT
#include <engine/flight/touches.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "support/random.h"

namespace nearmiss::engine {
namespace {

/// Against plain sets, over random answers with postponed pairs and bodies among them.
TEST(Touches, TellBeginningsFromWhatGoesOnAndEnds) {
  nearmiss::test::Random random(5);
  Touches touches;
  struct Known {
    Real since = 0.0, last = 0.0;
  };
  std::map<BodyPair, Known> expected;
  std::size_t over = 0;
  int began = 0, went = 0, ended = 0, kept = 0, unseen = 0;
  for (int step = 0; step < 4000; ++step) {
    Detection found;
    found.time = 0.05 * step;
    std::vector<PostponedPair> postponed;
    std::vector<PostponedBody> left;
    if (random.chance(0.3))
      left.push_back({static_cast<std::uint32_t>(random.whole(0, 4)), {found.time, 1}});
    std::map<BodyPair, Known> next;
    // Separated pairs are kept until they have been apart for long enough
    const auto linger = [&](const auto& before) {
      if (before == expected.end()) return;
      if (found.time - before->second.last < Touches::minApart)
        next.insert(*before);
      else
        ++over;
    };
    for (std::uint32_t a = 0; a < 5; ++a)
      for (std::uint32_t b = a + 1; b < 5; ++b) {
        const BodyPair pair{a, b};
        const auto before = expected.find(pair);
        const bool touched = before != expected.end();
        switch (random.whole(0, 4)) {
          case 0:
            postponed.push_back({pair, {found.time, 1}});
            if (touched) next[pair] = {before->second.since, found.time};
            kept += touched;
            break;
          case 1: {
            DetectedPair apart{pair, {}, {}};
            apart.refinement.verdict = Verdict::Separate;
            found.pairs.push_back(apart);
            linger(before);
            break;
          }
          case 2:
            if (left.empty() || (left[0].body != a && left[0].body != b)) {
              linger(before);
            } else if (touched) {
              next[pair] = {before->second.since, found.time};
              ++unseen;
            }
            break;
          default:
            found.pairs.push_back({pair, {}, {}});
            if (random.chance(0.5)) found.pairs.back().refinement.verdict = Verdict::Contact;
            next[pair] = {touched ? before->second.since : found.time, found.time};
            began += !touched;
            went += touched;
        }
      }
    found.postponed = postponed;
    found.postponedBodies = left;
    touches.take(found);
    ended = static_cast<int>(over);
    ASSERT_EQ(touches.ended(), over);
    ASSERT_EQ(touches.now().size(), next.size());
    auto at = next.begin();
    for (const Touch& touch : touches.now()) {
      ASSERT_EQ(touch.bodies, at->first);
      ASSERT_EQ(touch.since, at->second.since);
      ASSERT_EQ(touch.last, at->second.last);
      ASSERT_EQ(touches.touchedBefore(touch.bodies), expected.count(touch.bodies) > 0);
      ++at;
    }
    expected = std::move(next);
  }
  EXPECT_GT(began, 100);
  EXPECT_GT(went, 1000);
  EXPECT_GT(ended, 100);
  EXPECT_GT(kept, 500);
  EXPECT_GT(unseen, 100);

  // Without detections time ends them too
  const std::size_t going = touches.now().size();
  ASSERT_GT(going, 0u);
  touches.passTo(1e6);
  EXPECT_TRUE(touches.now().empty());
  EXPECT_EQ(touches.ended(), over + going);
}

}  // namespace
}  // namespace nearmiss::engine
