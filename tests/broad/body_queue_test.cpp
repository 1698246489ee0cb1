// SPDX-License-Identifier: MIT
/// Bodies that wait for a broad phase which is short of time: who must be looked at now, and who
/// last.
#include "broad/body_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

std::vector<BodyState> bodiesWithKeys(std::size_t count) {
  std::vector<BodyState> bodies(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    bodies[i].key = 100 + i;
    bodies[i].importance = 1;
  }
  return bodies;
}

std::vector<std::uint32_t> indicesTo(std::size_t count) {
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

/// Without any time, as many at every call, so that none has to wait longer than it may.
TEST(BodyQueue, SharesOutWhatMustBeLookedAtFromTheFirstCallOn) {
  constexpr std::size_t share = 3, calls = maxBodyWait + 1;
  const std::vector<BodyState> bodies = bodiesWithKeys(share * calls);
  BodyQueue queue;
  std::vector<std::uint32_t> forced;
  for (std::size_t call = 0; call < calls; ++call) {
    const Real time = 5.0 + static_cast<Real>(call);
    queue.begin(bodies, time);
    if (call == 0) queue.add(indicesTo(bodies.size()));
    queue.takeForced(forced);
    EXPECT_EQ(forced.size(), share) << call;
    for (const std::uint32_t body : forced) {
      EXPECT_EQ(queue.waitBefore(body).detections, call);
      if (call > 0) {
        EXPECT_EQ(queue.waitBefore(body).since, 5.0);
      }
    }
    queue.end();
    for (const PostponedBody& waiting : queue.postponed()) {
      EXPECT_EQ(waiting.wait.detections, call + 1);
      EXPECT_EQ(waiting.wait.since, 5.0);
    }
  }
  EXPECT_TRUE(queue.postponed().empty());
}

/// Marks come and go: whoever has one is looked at after all others.
TEST(BodyQueue, TakesMarkedBodiesLast) {
  test::Random random(21);
  std::size_t marked = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    std::vector<BodyState> bodies = bodiesWithKeys(20);
    BodyQueue queue;
    std::vector<std::uint32_t> forced, taken;
    for (int call = 0; call < 5; ++call) {
      for (BodyState& body : bodies) body.unimportant = random.chance(0.3);
      queue.begin(bodies, call);
      queue.add(indicesTo(bodies.size()));
      queue.takeForced(forced);
      std::vector<bool> isMarked;
      while (!queue.empty()) {
        queue.take(1, taken);
        ASSERT_EQ(taken.size(), 1u);
        isMarked.push_back(bodies[taken[0]].unimportant);
        if (random.chance(0.1)) break;
      }
      EXPECT_TRUE(std::ranges::is_sorted(isMarked));
      marked += static_cast<std::size_t>(std::ranges::count(isMarked, true));
      queue.end();
    }
  }
  EXPECT_GT(marked, static_cast<std::size_t>(test::cases(200)));
}

}  // namespace
}  // namespace nearmiss
