// SPDX-License-Identifier: MIT
/// Pairs both of whose bodies wait, in a detector that never has time: none that meets is left out
/// by more detections in a row than stated, whatever bodies do meanwhile.
#include <gtest/gtest.h>
#include <nearmiss/advanced/detector.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "narrow/one_level_phase.h"
#include "rivals/promised_flight.h"
#include "support/allocations.h"
#include "support/campaign.h"
#include "support/manual_clock.h"

namespace nearmiss {
namespace {

using test::FlightSettings;
using test::OneLevelPhase;
using test::PromisedFlight;

class WaitingBodies : public testing::Test {
 protected:
  using Keys = std::pair<std::uint32_t, std::uint32_t>;

  explicit WaitingBodies(std::unique_ptr<BroadPhase> broad = makeSpaceTimeGridBroadPhase())
      : detector_(std::move(broad), std::make_unique<OneLevelPhase>()) {}

  /// Detects without any time and counts for how long pairs that meet have been left out.
  void detect(std::span<const BodyState> bodies, Real time) {
    ManualClock clock;
    const Detection& found = detector_.detect(bodies, time, TimeBudget(clock, {}));
    // If time went back, nothing has waited
    if (time < time_) leftOut_.clear();
    time_ = time;
    reference_->findPairs(bodies, time, truth_);
    looked_.clear();
    for (const DetectedPair& pair : found.pairs) looked_.push_back(pair.bodies);
    std::map<Keys, std::uint32_t> still;
    for (const BodyPair& pair : truth_) {
      const Keys keys = std::minmax(bodies[pair.a].key, bodies[pair.b].key);
      const auto before = leftOut_.find(keys);
      const std::uint32_t times = before == leftOut_.end() ? 0 : before->second;
      if (std::binary_search(looked_.begin(), looked_.end(), pair)) {
        ++seen_;
        const auto at = std::lower_bound(looked_.begin(), looked_.end(), pair) - looked_.begin();
        ASSERT_GE(found.pairs[static_cast<std::size_t>(at)].waited.detections, times);
        continue;
      }
      still[keys] = times + 1;
      longest_ = std::max(longest_, times + 1);
    }
    leftOut_ = std::move(still);
    bodiesLeftOut_ += found.postponedBodies.size();
    ASSERT_LE(longest_, maxPairWait) << "at " << time;
  }

  /// Bodies at rest, the first and another one in one place.
  static std::vector<BodyState> row(std::uint32_t count, std::uint32_t other) {
    std::vector<BodyState> bodies(count);
    for (std::uint32_t i = 0; i < count; ++i) {
      bodies[i].key = i + 1;
      bodies[i].shape = ShapeRef::ofRadius(1.0);
      bodies[i].importance = 0;
      bodies[i].pose.position.y = i == other ? 1.0 : 100.0 * i;
    }
    return bodies;
  }

  Detector detector_;
  std::unique_ptr<BroadPhase> reference_ = makeAllPairsBroadPhase();
  Real time_ = 0.0;
  std::vector<BodyPair> truth_, looked_;
  std::map<Keys, std::uint32_t> leftOut_;
  std::uint32_t longest_ = 0;
  std::size_t seen_ = 0, bodiesLeftOut_ = 0;
};

TEST_F(WaitingBodies, AreLookedAtTogetherThoughOthersComeAndGo) {
  for (const int every : {1, 2, 5, 30}) {
    const auto bodies = row(51, 30);
    for (int d = 0; d < 200; ++d)
      ASSERT_NO_FATAL_FAILURE(
          detect(std::span(bodies).first(d / every % 2 == 0 ? 50 : 51), d / 60.0));
  }
  EXPECT_GT(seen_, 20u);
  EXPECT_GT(bodiesLeftOut_, 10000u);
}

TEST_F(WaitingBodies, AreLookedAtTogetherThoughTheirBoundsEndSoon) {
  for (const std::uint32_t other : {20u, 100u, 240u}) {
    auto bodies = row(250, other);
    for (BodyState& body : bodies) body.velocity.x = 300.0;
    for (int d = 0; d < 150; ++d) {
      for (BodyState& body : bodies) body.pose.position.x = 300.0 * (d / 60.0);
      ASSERT_NO_FATAL_FAILURE(detect(bodies, d / 60.0));
    }
  }
  EXPECT_GT(seen_, 10u);
}

/// They jump, exceed their bounds, come, go and change their indices; some are marked.
TEST_F(WaitingBodies, AreLookedAtTogetherWhateverTheyDo) {
  FlightSettings crowd;
  crowd.count = 80;
  crowd.arena = 3.0;
  crowd.speed = 4.0;
  crowd.jumpRate = 1.0;
  for (int seed = 1; seed <= test::cases(6); ++seed) {
    PromisedFlight flight(static_cast<std::uint64_t>(seed), crowd);
    test::Random random(static_cast<std::uint64_t>(seed));
    for (BodyState& body : flight.change()) {
      body.importance = static_cast<std::uint32_t>(random.whole(0, 3));
      body.unimportant = random.chance(0.2);
      // Some are as wide as many cells
      if (random.chance(0.05)) body.shape = ShapeRef::ofRadius(2.0);
    }
    for (int d = 0; d < 120; ++d) {
      flight.advance(0.02);
      std::vector<BodyState> bodies(flight.bodies().begin(), flight.bodies().end());
      if (seed % 3 > 0) std::rotate(bodies.begin(), bodies.begin() + d / 7 % 5, bodies.end());
      if (seed % 3 > 1) bodies.resize(bodies.size() - static_cast<std::size_t>(d % 3));
      ASSERT_NO_FATAL_FAILURE(detect(bodies, flight.time()));
    }
  }
  EXPECT_GT(seen_, 1000u);
  EXPECT_GE(longest_, maxPairWait - 1);
}

class MarkedBodies : public WaitingBodies {
 protected:
  MarkedBodies() : WaitingBodies(findBroadPhase("sweep-and-prune")->make()) {}
};

TEST_F(MarkedBodies, AreLookedAtTogetherByMethodsThatCannotStop) {
  auto bodies = row(50, 30);
  for (BodyState& body : bodies) body.unimportant = true;
  for (int d = 0; d < 150; ++d) ASSERT_NO_FATAL_FAILURE(detect(bodies, d / 60.0));
  EXPECT_GT(seen_, 3u);
}

TEST_F(WaitingBodies, TakeNoMemoryOnceTheyAreWarm) {
  const auto bodies = row(51, 30);
  Real time = 0.0;
  ManualClock clock;
  const auto play = [&] {
    for (int d = 0; d < 100; ++d)
      detector_.detect(std::span(bodies).first(d % 2 == 0 ? 50 : 51), time += 0.02,
                       TimeBudget(clock, {}));
  };
  EXPECT_GT(test::allocationsIn(play), 0u);
  EXPECT_EQ(test::allocationsIn(play), 0u);
}

}  // namespace
}  // namespace nearmiss
