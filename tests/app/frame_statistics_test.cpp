// SPDX-License-Identifier: MIT
/// Statistics in constant memory against the plain ones over all values.
#include "fly/overlay/frame_statistics.h"

#include <engine/record/record_writers.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <cmath>
#include <vector>

namespace nearmiss::app {
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
}  // namespace nearmiss::app
