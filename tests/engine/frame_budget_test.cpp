// SPDX-License-Identifier: MIT
#include <engine/flight/frame_budget.h>
#include <engine/flight/frame_profile.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>

namespace nearmiss::engine {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(FrameBudget, KnowsNothingUntilWarm) {
  FrameBudget budget;
  for (std::size_t i = 0; i < FrameBudget::warmUp; ++i) budget.record(milliseconds(500));
  EXPECT_EQ(budget.predictedRest(), nanoseconds(0)) << "shader compilation must not count";
  budget.record(milliseconds(6));
  EXPECT_EQ(budget.predictedRest(), milliseconds(6));
}

/// A window that opens: the first frame compiles shaders, the next ones fill caches. From the frame
/// after that on the prediction is that of the frames that follow.
TEST(FrameBudget, ForgetsWhatTheFirstFramesTook) {
  FrameBudget budget;
  budget.record(milliseconds(500));
  for (int i = 1; i < 10; ++i) budget.record(milliseconds(40 - 3 * i));
  for (int i = 0; i < 20; ++i) {
    budget.record(milliseconds(6));
    EXPECT_EQ(budget.predictedRest(), milliseconds(6)) << i;
  }
}

TEST(FrameBudget, PredictsTheMeanOfTheWindow) {
  FrameBudget budget;
  for (std::size_t i = 0; i < FrameBudget::warmUp; ++i) budget.record(milliseconds(500));
  for (const int ms : {2, 4, 9}) budget.record(milliseconds(ms));
  EXPECT_EQ(budget.predictedRest(), milliseconds(5));

  // Frames beyond the window are forgotten, the oldest first
  for (std::size_t i = 0; i + 1 < FrameBudget::window; ++i) budget.record(milliseconds(1));
  EXPECT_EQ(budget.predictedRest(),
            nanoseconds((9'000'000 + 29 * 1'000'000) / static_cast<int>(FrameBudget::window)));
  budget.record(milliseconds(1));
  EXPECT_EQ(budget.predictedRest(), milliseconds(1));
}

/// A simulated load: what is predicted follows what was, and what only watches is no part of it.
TEST(FrameBudget, FollowsTheFramesThatItSettles) {
  FrameBudget budget;
  std::deque<nanoseconds> rests;
  int missed = 0;
  for (int i = 0; i < 300; ++i) {
    nanoseconds mean{};
    for (const nanoseconds rest : rests) mean += rest;
    if (!rests.empty()) mean /= static_cast<int>(rests.size());
    ASSERT_EQ(budget.predictedRest(), mean) << "frame " << i;

    FrameProfile frame;
    frame.target = milliseconds(16);
    const nanoseconds rest = milliseconds(5) + std::chrono::microseconds(37 * (i % 11) + 10 * i);
    frame.broad = std::chrono::microseconds(3 * i);
    frame.narrow = milliseconds(i % 10);
    frame.slack = milliseconds(i % 3);
    frame.watching = milliseconds(i % 4);
    frame.frameTime = rest + frame.broad + frame.narrow + frame.slack + frame.watching;
    budget.settle(frame);
    EXPECT_EQ(frame.missed, frame.frameTime - frame.watching > std::chrono::microseconds(16160));
    missed += frame.missed;
    if (i < static_cast<int>(FrameBudget::warmUp)) continue;
    rests.push_back(rest);
    if (rests.size() > FrameBudget::window) rests.pop_front();
  }
  EXPECT_GT(missed, 10);
  EXPECT_LT(missed, 290);
}

TEST(FrameBudget, SurvivesNonsense) {
  FrameBudget budget;
  for (int i = 0; i < 100; ++i) budget.record(i % 2 ? nanoseconds::max() : nanoseconds::min());
  EXPECT_GE(budget.predictedRest(), nanoseconds(0));
}

TEST(IdleUntil, NeverReturnsEarly) {
  using std::chrono::steady_clock;
  for (const int us : {-100, 0, 50, 400, 2000}) {
    const auto end = steady_clock::now() + std::chrono::microseconds(us);
    idleUntil(end);
    EXPECT_GE(steady_clock::now(), end);
  }
}

TEST(FrameHistory, KeepsTheLastFramesInOrder) {
  const auto history = std::make_unique<FrameHistory>();
  FrameProfile profile;
  for (std::uint64_t i = 0; i < FrameHistory::capacity + 100; ++i) {
    profile.frame = i;
    history->push(profile);
  }
  ASSERT_EQ(history->size(), FrameHistory::capacity);
  for (std::size_t i = 0; i < history->size(); ++i) EXPECT_EQ((*history)[i].frame, i + 100);
  history->clear();
  EXPECT_EQ(history->size(), 0u);
  history->push(profile);
  EXPECT_EQ((*history)[0].frame, profile.frame);
}

}  // namespace
}  // namespace nearmiss::engine
