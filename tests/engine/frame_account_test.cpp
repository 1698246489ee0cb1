// SPDX-License-Identifier: MIT
/// One account for every loop: all time is booked once, and the allowance is what is left.
#include <engine/flight/frame_budget.h>
#include <gtest/gtest.h>

#include "support/random.h"

namespace nearmiss::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using Kind = BudgetRule::Kind;

FrameProfile simulation(nanoseconds motion, nanoseconds narrow, nanoseconds watching = {}) {
  FrameProfile profile;
  profile.motion = motion;
  profile.narrow = narrow;
  profile.watching = watching;
  return profile;
}

/// As a loop does it, on times of our own making.
class Frames {
 public:
  void pass(nanoseconds time) { now_ += time; }
  void book(FrameAccount::Phase phase, nanoseconds time) {
    pass(time);
    account_.book(phase, now_);
  }
  void simulate(const FrameProfile& timed, nanoseconds unclaimed) {
    pass(timed.motion + timed.narrow + timed.watching + unclaimed);
    account_.simulated(timed, milliseconds(16), now_);
  }
  const FrameProfile* end() { return account_.end(now_); }
  [[nodiscard]] nanoseconds allowance(const BudgetRule& rule,
                                      ClockKind clock = ClockKind::Wall) const {
    return account_.allowance(rule, clock, milliseconds(16));
  }
  FrameAccount& account() { return account_; }

 private:
  FrameAccount::Time now_{};
  FrameAccount account_{now_};
};

nanoseconds sumOf(const FrameProfile& f) {
  return f.input + f.motion + f.broad + f.narrow + f.response + f.render + f.swap + f.slack +
         f.watching + f.other;
}

TEST(FrameAccount, BooksEveryNanosecondOnce) {
  test::Random random(1);
  Frames frames;
  const auto some = [&random] { return nanoseconds(random.whole(0, 5'000'000)); };
  for (int i = 0; i < 300; ++i) {
    const nanoseconds input = some(), render = some(), swap = some(), slack = some();
    const nanoseconds during = some(), after = some();
    const FrameProfile timed = simulation(some(), some(), some());
    frames.book(&FrameProfile::input, input);
    frames.simulate(timed, during);
    frames.book(&FrameProfile::render, render);
    frames.book(&FrameProfile::swap, swap);
    frames.book(&FrameProfile::slack, slack);
    frames.pass(after);
    const FrameProfile* ended = frames.end();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->input, input);
    EXPECT_EQ(ended->motion, timed.motion);
    EXPECT_EQ(ended->narrow, timed.narrow);
    EXPECT_EQ(ended->render, render);
    EXPECT_EQ(ended->swap, swap);
    EXPECT_EQ(ended->slack, slack);
    EXPECT_EQ(ended->other, during + after);
    EXPECT_EQ(sumOf(*ended), ended->frameTime);
    EXPECT_EQ(ended->missed,
              ended->frameTime - ended->watching > nanoseconds(milliseconds(16)) * 101 / 100);
  }
}

TEST(FrameAccount, CountsTimeFromTheFirstFrameThatIsSimulated) {
  Frames frames;
  frames.book(&FrameProfile::render, milliseconds(30));
  EXPECT_FALSE(frames.end());
  frames.pass(milliseconds(500));
  frames.account().beginAt(FrameAccount::Time(milliseconds(530)));
  for (int i = 0; i < 3; ++i) {
    frames.simulate(simulation(milliseconds(1), milliseconds(2)), milliseconds(1));
    const FrameProfile* ended = frames.end();
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->frameTime, milliseconds(4));
    EXPECT_EQ(ended->render, nanoseconds(0));
    EXPECT_DOUBLE_EQ(ended->wallSeconds, 0.004 * i);
  }
}

TEST(FrameAccount, AllowsTheTargetLessTheRestDividedByTheEra) {
  Frames frames;
  EXPECT_EQ(frames.allowance({}), milliseconds(16));
  for (int i = 0; i < 60; ++i) {
    frames.simulate(simulation(milliseconds(4), milliseconds(3), milliseconds(9)), milliseconds(2));
    frames.book(&FrameProfile::slack, milliseconds(7));
    ASSERT_TRUE(frames.end());
  }
  // Neither detection nor waiting nor whoever only watches is of the rest
  EXPECT_EQ(frames.account().predictedRest(), milliseconds(6));
  EXPECT_EQ(frames.allowance({}), milliseconds(10));
  EXPECT_EQ(frames.allowance({.eraScale = 1000.0}), std::chrono::microseconds(10));
  EXPECT_EQ(frames.allowance({.kind = Kind::Fixed, .fixed = milliseconds(2)}), milliseconds(2));
  EXPECT_EQ(frames.allowance({.kind = Kind::Fixed, .fixed = milliseconds(2), .eraScale = 1000.0}),
            std::chrono::microseconds(2));
  EXPECT_EQ(frames.allowance({.kind = Kind::Unlimited, .eraScale = 1000.0}), nanoseconds::max());
  // Counted work knows nothing of the time that drawing takes
  EXPECT_EQ(frames.allowance({}, ClockKind::Work), milliseconds(16));
}

/// A machine that draws slowly is late anyway: detection is not blind there.
TEST(FrameAccount, AllowsALittleOfAFrameThatIsLateAnyway) {
  Frames frames;
  for (int i = 0; i < 60; ++i) {
    frames.simulate(simulation(milliseconds(40), {}), {});
    ASSERT_TRUE(frames.end());
  }
  EXPECT_EQ(frames.allowance({}), std::chrono::microseconds(500));
  EXPECT_EQ(frames.allowance({.eraScale = 100.0}), std::chrono::microseconds(5));
  EXPECT_EQ(frames.allowance({.minShare = 0.25}), milliseconds(4));
  EXPECT_EQ(frames.allowance({.minShare = 0.0}), nanoseconds(0)) << "as published";
  EXPECT_EQ(frames.allowance({.kind = Kind::Fixed, .fixed = nanoseconds(7)}), nanoseconds(7));
}

TEST(FrameAccount, NeverAllowsLessThanNothing) {
  Frames frames;
  for (int i = 0; i < 30; ++i) {
    frames.simulate(simulation(milliseconds(40), {}), {});
    ASSERT_TRUE(frames.end());
  }
  EXPECT_EQ(frames.allowance({.minShare = 0.0}), nanoseconds(0));
  frames.account().forget();
  EXPECT_EQ(frames.allowance({}), milliseconds(16));
  EXPECT_GE(frames.allowance({.kind = Kind::Fixed, .fixed = nanoseconds::max(), .eraScale = 0.0}),
            nanoseconds(0));
}

}  // namespace
}  // namespace nearmiss::engine
