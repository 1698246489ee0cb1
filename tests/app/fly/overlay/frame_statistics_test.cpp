// SPDX-License-Identifier: MIT
#include <engine/record/record_writers.h>
#include <nearmiss/detail/split_mix.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "console/text.h"
#include "fly/overlay/frame_statistics.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {

// Statistics in constant memory against the plain ones over all values.

namespace {

TEST(LogHistogram, PercentilesAreWithinOnePercentOfTheExactOnes) {
  SplitMix random(7);
  for (const double spread : {0.5, 3.0, 6.0}) {
    LogHistogram histogram;
    std::vector<double> values;
    for (int i = 0; i < 5000; ++i) {
      values.push_back(std::exp(spread * (random.unit() + random.unit() - 1.0)));
      histogram.add(values.back());
    }
    const engine::SeriesSummary exact = engine::summarise(values);
    for (const auto& [percent, value] :
         {std::pair{50.0, exact.p50}, std::pair{95.0, exact.p95}, std::pair{99.0, exact.p99},
          std::pair{99.9, exact.p99_9}}) {
      EXPECT_GE(histogram.percentile(percent), value * (1.0 - 1e-9)) << percent;
      EXPECT_LE(histogram.percentile(percent), value * 1.0101) << percent;
    }
  }
}

TEST(LogHistogram, IsZeroWhenEmptyAndHoldsWhatIsOffItsScale) {
  LogHistogram histogram;
  EXPECT_EQ(histogram.percentile(50.0), 0.0);
  histogram.add(0.0);
  EXPECT_LE(histogram.percentile(50.0), 1.1e-3);
  histogram.add(1e9);
  histogram.add(1e9);
  EXPECT_GE(histogram.percentile(99.0), 1e5);
}

TEST(RunningMoments, AgreeWithTwoPasses) {
  SplitMix random(8);
  RunningMoments moments;
  std::vector<double> values;
  EXPECT_EQ(moments.sd(), 0.0);
  for (int i = 0; i < 1000; ++i) {
    values.push_back(1000.0 + random.unit());
    moments.add(values.back());
  }
  const engine::SeriesSummary exact = engine::summarise(values);
  EXPECT_NEAR(moments.mean(), exact.mean, 1e-9);
  EXPECT_NEAR(moments.sd(), exact.sd, 1e-3 * exact.sd);
  EXPECT_EQ(moments.max(), exact.max);
}

TEST(FrameStatistics, LeavesOutTheFirstFramesButNoCollision) {
  FrameStatistics statistics;
  engine::FrameProfile frame;
  frame.frameTime = std::chrono::milliseconds(500);
  frame.missed = true;
  frame.collisions[2] = 1;
  for (int i = 0; i < FrameStatistics::skipped; ++i) statistics.add(frame);
  EXPECT_EQ(statistics.frames, 0u);
  EXPECT_EQ(statistics.collisions[2], static_cast<unsigned>(FrameStatistics::skipped));
  frame.frameTime = std::chrono::milliseconds(30);
  frame.watching = std::chrono::milliseconds(20);
  frame.missed = false;
  statistics.add(frame);
  EXPECT_EQ(statistics.frames, 1u);
  EXPECT_EQ(statistics.missed, 0u);
  // Who only watches is no part of the frame
  EXPECT_NEAR(statistics.frameTime.max(), 10.0, 1e-9);
}

}  // namespace

// The numbers that a person reads: sums over sums, and nothing of an earlier method.

namespace {

using std::chrono::microseconds;

engine::FrameProfile frameOf(std::uint64_t number, microseconds budget, microseconds spent) {
  engine::FrameProfile frame;
  frame.frame = number;
  frame.budget = budget;
  frame.spent = spent;
  frame.frameTime = microseconds(16000);
  return frame;
}

TEST(ShownNumbers, AreOfTheLastFrameAndOfNoOther) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  EXPECT_FALSE(numbersOf(history, statistics).measured);
  for (std::uint64_t i = 1; i <= 10; ++i)
    history.push(frameOf(i, microseconds(i == 10 ? 200 : 0), microseconds(10 * i)));
  const ShownNumbers shown = numbersOf(history, statistics);
  EXPECT_TRUE(shown.measured);
  EXPECT_EQ(shown.frame.frame, 10u);
  EXPECT_DOUBLE_EQ(*shown.allowed, 0.2);
  EXPECT_DOUBLE_EQ(*shown.used, 0.5);
  EXPECT_DOUBLE_EQ(shown.detect, 0.1);
}

TEST(ShownNumbers, HaveNoShareOfABudgetWithoutALimitOrOfNothing) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  auto frame = frameOf(1, microseconds(100), microseconds(50));
  frame.budget = engine::FrameProfile::Duration::max();
  history.push(frame);
  EXPECT_FALSE(numbersOf(history, statistics).allowed);
  EXPECT_FALSE(numbersOf(history, statistics).used);
  history.push(frameOf(2, microseconds(0), microseconds(50)));
  EXPECT_DOUBLE_EQ(*numbersOf(history, statistics).allowed, 0.0);
  EXPECT_FALSE(numbersOf(history, statistics).used);
}

TEST(ShownNumbers, HavePercentilesOnlyWhereTenFramesLieAboveAndNoneOverTheMaximum) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  SplitMix random(9);
  bool clamped = false;
  for (std::uint64_t i = 0; i < 10100; ++i) {
    auto frame = frameOf(i, microseconds(100), microseconds(50));
    frame.frameTime = microseconds(15000 + static_cast<int>(random.bits() % 15));
    statistics.add(frame);
    const ShownNumbers shown = numbersOf(history, statistics);
    const std::uint64_t n = shown.since.frames;
    ASSERT_EQ(shown.p50.has_value(), n >= 20) << n;
    ASSERT_EQ(shown.p95.has_value(), n >= 200) << n;
    ASSERT_EQ(shown.p99.has_value(), n >= 1000) << n;
    ASSERT_EQ(shown.p99_9.has_value(), n >= 10000) << n;
    for (const auto& percentile : {shown.p50, shown.p95, shown.p99, shown.p99_9})
      if (percentile) {
        ASSERT_LE(*percentile, shown.since.frameTime.max()) << n;
        clamped = clamped || *percentile == shown.since.frameTime.max();
      }
  }
  EXPECT_TRUE(clamped) << "the bins are never wider than the spread";
}

TEST(HeldNumbers, StayForAQuarterOfASecondUnlessTimeStandsStill) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  const Measured flight{&history, &statistics};
  HeldNumbers held;
  const auto at = [&](double seconds, bool still = false) {
    held.update(flight, {}, {}, still, seconds);
    return held.flight().frame.frame;
  };
  history.push(frameOf(1, microseconds(100), microseconds(50)));
  EXPECT_EQ(at(0.0), 1u);
  history.push(frameOf(2, microseconds(100), microseconds(50)));
  EXPECT_EQ(at(0.2), 1u);
  EXPECT_EQ(at(0.26), 2u);
  history.push(frameOf(3, microseconds(100), microseconds(50)));
  EXPECT_EQ(at(0.27, true), 3u);
  // A flight that was forgotten shows nothing at once
  history.clear();
  (void)at(0.28);
  EXPECT_FALSE(held.flight().measured);
}

TEST(ShownNumbers, NeverCountMoreInTheWindowThanInAll) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  SplitMix random(3);
  std::uint64_t number = 0;
  int compared = 0;
  for (int i = 0; i < 3000; ++i) {
    engine::FrameProfile frame = frameOf(number++, microseconds(100), microseconds(50));
    frame.collisions[1 + random.bits() % 5] = static_cast<std::uint32_t>(random.bits() % 3);
    frame.worstBound = 0.01 * i;
    history.push(frame);
    statistics.add(frame);
    if (random.bits() % 200 == 0) statistics.reset();  // another method, or other trees
    const ShownNumbers shown = numbersOf(history, statistics);
    ASSERT_LE(shown.runningFrames, stripFrames);
    for (std::size_t level = 0; level < shown.running.size(); ++level) {
      ASSERT_LE(shown.running[level], shown.since.collisions[level]) << "frame " << i;
      compared += shown.running[level] < shown.since.collisions[level];
    }
  }
  EXPECT_GT(compared, 100) << "the window was never left behind";
  // What came before the reset is not in the window either
  statistics.reset();
  EXPECT_EQ(numbersOf(history, statistics).runningFrames, 0u);
  EXPECT_EQ(numbersOf(history, statistics).runningWorst, 0.0);
}

TEST(ShownNumbers, TakeTheMedianOfMedians) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  std::uint64_t number = 0;
  for (const double median : {0.01, 0.02, 5.0}) {
    engine::FrameProfile frame = frameOf(number++, microseconds(100), microseconds(50));
    frame.collisions[2] = 1;
    frame.medianBound = median;
    history.push(frame);
    statistics.add(frame);
  }
  EXPECT_EQ(numbersOf(history, statistics).runningMedian, 0.02);
}

/// As the panel shows them and, in all, the table.
TEST(ShownNumbers, CountTouchesThatBeganGoOnAndEnded) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  for (std::uint64_t i = 1; i <= 3; ++i) {
    engine::FrameProfile frame = frameOf(i, microseconds(100), microseconds(50));
    frame.collisions[5] = 4;
    frame.collisions[1] = 3;
    frame.touching = 2;
    frame.touchesEnded = 5;
    frame.responses = 600;
    history.push(frame);
    statistics.add(frame);
  }
  const UiState ui;
  OverlayView view;
  view.ui = &ui;
  view.frames.history = &history;
  const ShownNumbers shown = numbersOf(history, statistics);
  view.frames.numbers = &shown;
  std::map<std::string_view, std::string> figures;
  const auto collect = [&figures](const auto& lines) {
    for (const DetectionLine& line : lines)
      figures[line.left.name] = line.left.value, figures[line.right.name] = line.right.value;
  };
  collect(detectionFigures(view, shown));
  collect(statisticFigures(shown));
  EXPECT_EQ(figures["touching now"], "2");
  EXPECT_EQ(figures["contacts ended"], "15");
  EXPECT_EQ(figures["bounces"], "1 800");

  std::map<std::string, std::string> table;
  for (const PageGroup& group : numberGroups(view, shown))
    for (const PageRow& row : group.rows) table[row.left] = row.right;
  EXPECT_EQ(table["touching now"], "2");
  EXPECT_EQ(table["contacts begun"], "21");
  EXPECT_EQ(table["contacts ended"], "15");
  EXPECT_EQ(table["bounces"], "1 800");
}

/// A detection at the end of the frame is due, not ahead.
TEST(ShownNumbers, SayWhenTheNextDetectionIs) {
  const UiState ui;
  OverlayView view;
  view.ui = &ui;
  engine::FrameHistory history;
  view.frames.history = &history;
  ShownNumbers shown;
  shown.instant.simTime = 2.0;
  for (const auto& [next, words] :
       {std::pair{1.5, "due now"}, {2.0, "due now"}, {2.25, "2.25 s"}}) {
    shown.frame.nextDetection = next;
    std::string found;
    for (const PageGroup& group : numberGroups(view, shown))
      for (const PageRow& row : group.rows)
        if (row.left == "next detection at") found = row.right;
    EXPECT_EQ(found, words) << next;
  }
}

TEST(GapText, IsInCentimetresBelowAMetreAndInMetresFromThere) {
  EXPECT_EQ(gapText(0.0), "0.00 cm");
  EXPECT_EQ(gapText(0.000123), "0.01 cm");
  EXPECT_EQ(gapText(0.0052), "0.52 cm");
  EXPECT_EQ(gapText(0.577), "57.7 cm");
  EXPECT_EQ(gapText(2.218), "2.22 m");
  EXPECT_EQ(gapText(23.0), "23.0 m");
  EXPECT_EQ(gapText(std::numeric_limits<double>::infinity()), "no bound");
  // Without a sign where all digits are 0
  EXPECT_EQ(gapText(-0.00004), "0.00 cm");
  EXPECT_EQ(gapText(-0.0), "0.00 cm");
  EXPECT_EQ(gapText(-0.0052), "-0.52 cm");
  EXPECT_EQ(gapText(-2.218), "-2.22 m");
}

}  // namespace
}  // namespace nearmiss::app::fly
