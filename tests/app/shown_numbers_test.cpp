// SPDX-License-Identifier: MIT
/// The numbers that a person reads: sums over sums, and nothing of an earlier method.
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>
#include <string>

#include "console/gap_text.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app {
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

TEST(ShownNumbers, DivideSumsAndDoNotAverageRatios) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  // One frame that had next to nothing among nine with 200 us
  for (std::uint64_t i = 1; i <= 10; ++i) {
    const auto frame = frameOf(i, microseconds(i == 5 ? 0 : 200), microseconds(36));
    history.push(frame);
    statistics.add(frame);
  }
  const ShownNumbers shown = numbersOf(history, statistics, 0);
  EXPECT_DOUBLE_EQ(shown.used, 360.0 / 1800.0);
  EXPECT_DOUBLE_EQ(shown.allowed, 0.18);
  // Of the frames since the numbers were last shown
  EXPECT_DOUBLE_EQ(numbersOf(history, statistics, 5).used, 36.0 / 200.0);
}

TEST(ShownNumbers, LeaveOutFramesWithoutALimit) {
  engine::FrameHistory history;
  FrameStatistics statistics;
  for (std::uint64_t i = 1; i <= 4; ++i) {
    auto frame = frameOf(i, microseconds(100), microseconds(50));
    if (i < 4) frame.budget = engine::FrameProfile::Duration::max();
    history.push(frame);
  }
  const ShownNumbers shown = numbersOf(history, statistics, 0);
  EXPECT_DOUBLE_EQ(shown.used, 0.5);
  EXPECT_DOUBLE_EQ(shown.allowed, 0.1);
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
    const ShownNumbers shown = numbersOf(history, statistics, 0);
    ASSERT_LE(shown.runningFrames, stripFrames);
    for (std::size_t level = 0; level < shown.running.size(); ++level) {
      ASSERT_LE(shown.running[level], shown.total[level]) << "frame " << i;
      compared += shown.running[level] < shown.total[level];
    }
  }
  EXPECT_GT(compared, 100) << "the window was never left behind";
  // What came before the reset is not in the window either
  statistics.reset();
  EXPECT_EQ(numbersOf(history, statistics, 0).runningFrames, 0u);
  EXPECT_EQ(numbersOf(history, statistics, 0).runningWorst, 0.0);
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
  EXPECT_EQ(numbersOf(history, statistics, 0).runningMedian, 0.02);
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
  view.history = &history;
  view.statistics = &statistics;
  const ShownNumbers shown = numbersOf(history, statistics, 0);
  const auto rows = detectionRows(view, shown);
  const auto touches = std::ranges::find(rows, "touching; ended, responses", &DetectionRow::name);
  ASSERT_NE(touches, rows.end());
  EXPECT_EQ(std::string_view(touches->value), "2; 15, 1 800");

  std::map<std::string, std::string> table;
  for (const PageGroup& group : numberGroups(view, shown))
    for (const PageRow& row : group.rows) table[row.left] = row.right;
  EXPECT_EQ(table["touching now"], "2");
  EXPECT_EQ(table["begun since reset"], "21");
  EXPECT_EQ(table["ended since reset"], "15");
  EXPECT_EQ(table["responses since reset"], "1 800");
}

TEST(GapText, IsInCentimetresWhateverTheSize) {
  EXPECT_EQ(gapText(0.0), "0.00 cm");
  EXPECT_EQ(gapText(0.000123), "0.01 cm");
  EXPECT_EQ(gapText(0.0052), "0.52 cm");
  EXPECT_EQ(gapText(0.577), "57.7 cm");
  EXPECT_EQ(gapText(2.218), "222 cm");
  EXPECT_EQ(gapText(23.0), "2300 cm");
  EXPECT_EQ(gapText(std::numeric_limits<double>::infinity()), "no bound");
}

}  // namespace
}  // namespace nearmiss::app
