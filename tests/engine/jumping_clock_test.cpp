// SPDX-License-Identifier: MIT
/// Flights on clocks that no machine should have: set back, ahead by years, or before their start.
#include <engine/flight/simulation.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "engine/flying.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr nanoseconds years = std::chrono::hours(24 * 365);

/// The work clock with another start.
class LateStart final : public Clock {
 public:
  explicit LateStart(Duration start) : start_(start) {}
  [[nodiscard]] Duration now() const noexcept override { return start_ + work_.now(); }
  void charge(const WorkCount& work) noexcept override { work_.charge(work); }

 private:
  Duration start_;
  WorkClock work_;
};

/// Goes on a little at each reading, and now and then to any time within three years.
class JumpingClock final : public Clock {
 public:
  explicit JumpingClock(std::uint64_t seed) : random_(seed) {}
  [[nodiscard]] Duration now() const noexcept override {
    if (!random_.chance(0.05)) return now_ += nanoseconds(random_.whole(0, 2000));
    ++jumps;
    constexpr double span = 3.0 * static_cast<double>(years.count());
    return now_ = nanoseconds(std::llround(random_.between(-span, span)));
  }
  mutable int jumps = 0;

 private:
  mutable nearmiss::test::Random random_;
  mutable Duration now_{};
};

TEST(JumpingClocks, BudgetsAreTheSameWhereverAClockBegins) {
  const auto flown = [](nanoseconds start) {
    LateStart clock(start);
    FrameInput input;
    input.detectionBudget = test::tightBudget;
    return test::tallyOf(
        *test::subtractStolen({.seed = 5}, test::hangar().detector("sphere-tree"), clock), 300,
        input);
  };
  const test::Tally usual = flown({});
  EXPECT_GT(usual.exhaustedFrames, 20);
  for (const nanoseconds start : {-nanoseconds(1), -years, years, -200 * years, 200 * years}) {
    const test::Tally found = flown(start);
    EXPECT_EQ(found, usual) << start.count();
    EXPECT_EQ(found.exhaustedFrames, usual.exhaustedFrames) << start.count();
  }
}

TEST(JumpingClocks, EndNoFrameEarlyAndNoneNever) {
  for (int flight = 0; flight < nearmiss::test::cases(6); ++flight) {
    JumpingClock clock(static_cast<std::uint64_t>(flight));
    const auto simulation =
        test::subtractStolen({.seed = 9}, test::hangar().detector("sphere-tree"), clock);
    std::size_t collisions = 0;
    for (int i = 0; i < 200; ++i) {
      FrameInput input = test::scripted(i);
      input.detectionBudget = microseconds(20);
      const FrameOutput& out = simulation->advance(input);
      EXPECT_EQ(out.profile.detections, 2u);
      collisions += out.collisions.size();
      for (const BodyState& body : out.bodies)
        ASSERT_TRUE(std::isfinite(body.pose.position.x + body.velocity.x)) << "frame " << i;
    }
    EXPECT_GT(collisions, 20u) << "level 1 looks at every pair, whatever a clock says";
    EXPECT_GT(clock.jumps, 50);
  }
}

}  // namespace
}  // namespace nearmiss::engine
