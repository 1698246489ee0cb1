// SPDX-License-Identifier: MIT
/// When frames are drawn with four samples a pixel, by given times.
#include "fly/gfx/draw_quality.h"

#include <gtest/gtest.h>

namespace nearmiss::app {
namespace {

constexpr double target = 1.0 / 60.0;

/// Flies so many frames that take `plain` of the target as they are and `smooth` with it; returns
/// how many had it.
int flown(EdgeSmoothing& edges, double plain, double smooth, int frames) {
  int on = 0;
  for (int i = 0; i < frames; ++i) {
    on += edges.on() ? 1 : 0;
    edges.drew((edges.on() ? smooth : plain) * target, target);
  }
  return on;
}

TEST(EdgeSmoothing, ComesOnWhereDrawingIsQuickAndStays) {
  EdgeSmoothing edges;
  EXPECT_EQ(flown(edges, 0.05, 0.2, 30), 0);
  flown(edges, 0.05, 0.2, 100);
  EXPECT_EQ(flown(edges, 0.05, 0.2, 1000), 1000);
}

TEST(EdgeSmoothing, StaysOffWhereItCouldMissAFrame) {
  EdgeSmoothing edges;
  EXPECT_EQ(flown(edges, 0.3, 1.2, 10000), 0);
}

TEST(EdgeSmoothing, ASingleSlowFrameChangesNothing) {
  EdgeSmoothing edges;
  flown(edges, 0.05, 0.2, 100);
  ASSERT_TRUE(edges.on());
  for (int i = 0; i < 50; ++i) {
    edges.drew(3.0 * target, target);
    edges.drew(0.2 * target, target);
  }
  EXPECT_TRUE(edges.on());
}

TEST(EdgeSmoothing, TriesLessAndLessOftenWhereItIsTooMuch) {
  EdgeSmoothing edges;
  const int early = flown(edges, 0.1, 0.9, 1000);
  const int late = flown(edges, 0.1, 0.9, 10000);
  EXPECT_GT(early, 0);
  EXPECT_LE(early, 12);
  EXPECT_LE(late, 12);
}

TEST(EdgeSmoothing, GoesWhereAnotherSceneIsSlower) {
  EdgeSmoothing edges;
  flown(edges, 0.05, 0.2, 100);
  ASSERT_TRUE(edges.on());
  EXPECT_LE(flown(edges, 0.5, 2.0, 100), 3);
}

}  // namespace
}  // namespace nearmiss::app
