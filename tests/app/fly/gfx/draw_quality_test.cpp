// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "fly/gfx/draw_quality.h"

namespace nearmiss::app::fly {
namespace {

/// A driver: seconds for the window's pixels and for each triangle, of ships that can be drawn in
/// a few numbers of triangles.
struct Driver {
  double pixels, triangle;
  std::vector<std::size_t> levels;  ///< the finest first

  [[nodiscard]] std::size_t drawn(const DrawQuality& quality) const {
    const auto level = std::ranges::find_if(
        levels, [&](std::size_t count) { return count <= quality.maxTriangles; });
    return level == levels.end() ? levels.back() : *level;
  }
  [[nodiscard]] double seconds(const DrawQuality& quality) const {
    return pixels * quality.scale * quality.scale + triangle * static_cast<double>(drawn(quality));
  }
};

struct Flown {
  double slowest = 0.0;  ///< of the last half
  int changes = 0;       ///< of what is seen in the last half
};

Flown fly(DrawQualityControl& control, const Driver& driver, double allowed, int frames) {
  Flown flown;
  for (int frame = 0; frame < frames; ++frame) {
    const DrawQuality before = control.quality();
    const double seconds = driver.seconds(before);
    control.drew(driver.drawn(before), seconds, allowed);
    if (2 * frame < frames) continue;
    flown.slowest = std::max(flown.slowest, seconds);
    const DrawQuality& after = control.quality();
    flown.changes += driver.drawn(before) != driver.drawn(after) || before.scale != after.scale;
  }
  return flown;
}

const std::vector<std::size_t> manyLevels{1700000, 900000, 600000, 400000, 280000,
                                          200000,  140000, 100000, 70000,  50000};

TEST(DrawQualityControl, LeavesADriverAloneThatKeepsUp) {
  DrawQualityControl control;
  fly(control, {0.005, 1e-9, manyLevels}, 0.03, 100);
  EXPECT_EQ(control.quality().maxTriangles, DrawQuality::unlimited);
  EXPECT_EQ(control.quality().scale, 1.0);
}

TEST(DrawQualityControl, FindsWhatTheTimeAllowsAndStaysThere) {
  for (const double triangle : {2e-8, 5e-8, 1e-7, 2e-7}) {
    SCOPED_TRACE(triangle);
    const Driver driver{0.01, triangle, manyLevels};
    DrawQualityControl control;
    const Flown flown = fly(control, driver, 0.03, 400);
    EXPECT_LE(flown.slowest, 0.03);
    EXPECT_LE(flown.changes, 1);
    // Not coarser than need be: twice the triangles would be too slow
    const auto drawn = static_cast<double>(driver.drawn(control.quality()));
    EXPECT_GT(0.01 + 2.5 * triangle * drawn, 0.75 * 0.03);
    EXPECT_EQ(control.quality().scale, 1.0);
  }
}

TEST(DrawQualityControl, SavesPixelsOnlyWhereShipsCannotGetCoarser) {
  const Driver driver{0.03, 1e-7, {200000, 100000, 60000}};
  DrawQualityControl control;
  const Flown flown = fly(control, driver, 0.03, 400);
  EXPECT_EQ(driver.drawn(control.quality()), 60000u);
  EXPECT_EQ(control.quality().scale, 0.75);
  EXPECT_LE(flown.slowest, 0.03);
  EXPECT_EQ(flown.changes, 0);
}

TEST(DrawQualityControl, EndsWhereNothingHelps) {
  const Driver driver{0.2, 1e-6, {200000, 100000}};
  DrawQualityControl control;
  const Flown flown = fly(control, driver, 0.03, 100);
  EXPECT_EQ(flown.changes, 0);
  EXPECT_EQ(driver.drawn(control.quality()), 100000u);
}

TEST(DrawQualityControl, BringsEverythingBackOnceThereIsTime) {
  DrawQualityControl control;
  fly(control, {0.05, 1e-6, manyLevels}, 0.03, 100);
  ASSERT_LT(control.quality().maxTriangles, 50000u);
  ASSERT_LT(control.quality().scale, 1.0);
  fly(control, {0.005, 1e-9, manyLevels}, 0.03, 200);
  EXPECT_EQ(control.quality().maxTriangles, DrawQuality::unlimited);
  EXPECT_EQ(control.quality().scale, 1.0);
}

TEST(DrawQualityControl, IsNotImpressedByOneSlowFrame) {
  DrawQualityControl control;
  const Driver quick{0.005, 1e-9, manyLevels};
  fly(control, quick, 0.03, 50);
  control.drew(100000, 0.07, 0.03);
  EXPECT_EQ(control.quality().maxTriangles, DrawQuality::unlimited);
}

}  // namespace

// When frames are drawn with four samples a pixel, by given times.

namespace {

constexpr double wantedFrame = 1.0 / 60.0;

/// Flies `frames` frames that take `plain` of the wanted frame without smoothing, `smooth` with it;
/// returns the number with it.
int flown(EdgeSmoothing& edges, double plain, double smooth, int frames) {
  int on = 0;
  for (int i = 0; i < frames; ++i) {
    on += edges.on() ? 1 : 0;
    edges.drew((edges.on() ? smooth : plain) * wantedFrame, wantedFrame);
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
    edges.drew(3.0 * wantedFrame, wantedFrame);
    edges.drew(0.2 * wantedFrame, wantedFrame);
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
}  // namespace nearmiss::app::fly
