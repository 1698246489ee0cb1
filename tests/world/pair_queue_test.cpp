// SPDX-License-Identifier: MIT
/// Pairs that wait for a detector: those that the broad phase leaves out meanwhile are still there.
#include "world/pair_queue.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <vector>

namespace nearmiss {
namespace {

/// Leaves out the bodies that it is told.
class ForgetfulPhase final : public StoppableBroadPhase {
 public:
  std::string_view name() const noexcept override { return "forgetful"; }
  Real findPairs(std::span<const BodyState>, Real time, std::vector<BodyPair>&) override {
    return time;
  }
  Real findPairsWithin(std::span<const BodyState>, Real time, const TimeBudget&,
                       std::vector<BodyPair>&) override {
    return time;
  }
  void announceJumps(std::span<const std::uint32_t>) override {}
  std::span<const PostponedBody> postponedBodies() const noexcept override { return leftOut; }
  Wait waitBefore(std::uint32_t) const noexcept override { return {}; }
  WorkCount work() const noexcept override { return {}; }

  std::vector<PostponedBody> leftOut;
};

TEST(PairQueue, RecallsWhatABodyThatIsLeftOutWouldHide) {
  std::vector<BodyState> bodies(4);
  for (std::uint32_t i = 0; i < 4; ++i) {
    bodies[i].key = 10 + i;
    bodies[i].shape = ShapeRef::ofRadius(1.0);
    bodies[i].importance = 1;
  }
  const std::vector<BodyPair> all{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  const std::vector<BodyPair> others{{0, 1}, {0, 2}, {1, 2}};
  for (const bool found : {true, false}) {
    SCOPED_TRACE(found);
    ForgetfulPhase broad;
    PairQueue queue;
    std::vector<BodyPair> pairs = all;
    EXPECT_EQ(queue.recall(bodies, broad, pairs).boundTests, 0u);
    queue.begin(pairs, 1.0, broad);
    for (const std::size_t seen : {0u, 1u, 3u}) queue.markSeen(seen);
    queue.end();
    ASSERT_EQ(queue.postponed().size(), 3u);

    broad.leftOut.push_back({3, {1.0, 1}});
    pairs = found ? all : others;
    const WorkCount work = queue.recall(bodies, broad, pairs);
    EXPECT_EQ(work.boundTests, found ? 0u : 3u) << "what was found needs no look";
    EXPECT_EQ(pairs, all);
    // And no longer once they are apart
    bodies[3].pose.position.x = found ? 0.0 : 9.0;
    pairs = others;
    (void)queue.recall(bodies, broad, pairs);
    EXPECT_EQ(pairs, found ? all : others);
  }
}

}  // namespace
}  // namespace nearmiss
