// SPDX-License-Identifier: MIT
/// One simulated second a second, however long frames last.
#include "fly/loop/frame_times.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace nearmiss::app::fly {
namespace {

std::chrono::nanoseconds lasting(double seconds) {
  return std::chrono::nanoseconds(std::llround(seconds * 1e9));
}

TEST(NextStep, IsTheTimeThatTheLastFrameTook) {
  const engine::Scene scene;
  for (const double frame : {1.0 / 240.0, 1.0 / 60.0, 1.0 / 20.0, 0.19})
    for (const double speed : {0.25, 1.0, 4.0})
      EXPECT_DOUBLE_EQ(nextStep(scene, speed, frame).dt, frame * speed) << frame << ' ' << speed;
}

TEST(NextStep, DoesNotLeapAfterAStall) {
  engine::Scene scene;
  EXPECT_EQ(nextStep(scene, 1.0, 5.0).dt, longestRealFrame);
  // Where frames are meant to last longer, a stall is longer still
  scene.frameMs = 500.0;
  EXPECT_EQ(nextStep(scene, 1.0, 0.5).dt, 0.5);
  EXPECT_EQ(nextStep(scene, 1.0, 5.0).dt, 1.0);
}

TEST(NextStep, IsTheScenesOwnWhereNothingIsMeasured) {
  engine::Scene scene;
  EXPECT_DOUBLE_EQ(nextStep(scene, 1.0, {}).dt, 1.0 / 60.0);
  EXPECT_EQ(nextStep(scene, 1.0, {}).detectStep, scene.detectStep);
  scene.simStep = 0.1;
  EXPECT_EQ(nextStep(scene, 1.0, {}).dt, 0.1);
  EXPECT_EQ(nextStep(scene, 2.0, {}).dt, 0.2);
  // Slower looks closer, faster looks as often
  EXPECT_EQ(nextStep(scene, 2.0, {}).detectStep, scene.detectStep);
  EXPECT_EQ(nextStep(scene, 0.5, {}).detectStep, 0.5 * scene.detectStep);
}

TEST(NextStep, IsNoLongerThanAFrameCanBe) {
  engine::Scene scene;
  scene.simStep = 1000.0;
  EXPECT_EQ(nextStep(scene, 8.0, {}).dt, 8000.0);
  EXPECT_EQ(nextStep(scene, 16.0, {}).dt, engine::maxFrameSeconds);
}

TEST(NextStep, AsksForNoFurtherDetectionBecauseOfAHair) {
  const engine::Scene scene;
  const FrameStep step = nextStep(scene, 1.0, 1.02 / 60.0);
  EXPECT_LE(step.dt, 2.0 * step.detectStep);
  EXPECT_GT(nextStep(scene, 1.0, 1.2 / 60.0).dt, 2.0 * step.detectStep);
}

/// Flies frames of changing length as the loop does: the world lags by the length of one frame.
TEST(Pace, IsOneSimulatedSecondASecondAtAnyFrameRate) {
  const engine::Scene scene;
  for (const double usual : {1.0 / 144.0, 1.0 / 60.0, 1.0 / 20.0, 1.0 / 7.0}) {
    engine::FrameHistory history;
    double last = usual, simulated = 0.0, wall = 0.0;
    for (int i = 0; i < 400; ++i) {
      const double length = usual * (1.0 + 0.3 * std::sin(i));
      engine::FrameProfile frame;
      simulated += nextStep(scene, 1.0, last).dt;
      wall += length;
      frame.simTime = simulated;
      frame.frameTime = lasting(length);
      history.push(frame);
      last = length;
    }
    EXPECT_NEAR(simulated / wall, 1.0, 0.02);
    EXPECT_NEAR(paceOf(history).rate, 1.0, 0.1) << usual;
    EXPECT_NEAR(paceOf(history).hertz * usual, 1.0, 0.1) << usual;
  }
}

TEST(Pace, SeesStepsThatDoNotFollowTheWall) {
  engine::FrameHistory history;
  EXPECT_EQ(paceOf(history).rate, 0.0);
  for (int i = 0; i < 100; ++i) {
    engine::FrameProfile frame;
    frame.simTime = 100.0 + 0.1 * i;
    frame.frameTime = lasting(1.0 / 60.0);
    history.push(frame);
  }
  EXPECT_NEAR(paceOf(history).rate, 6.0, 1e-3);
  EXPECT_NEAR(paceOf(history).hertz, 60.0, 1e-3);
}

TEST(SlowDrawing, IsToldOnceASessionToAUserWhoFlies) {
  SlowDrawingAlert alert;
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(alert.isDue(false, true, 0.1));
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(alert.isDue(true, false, 0.1)) << "in a tour";
  for (int i = 0; i < 19; ++i) EXPECT_FALSE(alert.isDue(true, true, 0.1));
  EXPECT_FALSE(alert.isDue(true, false, 0.1)) << "a pause starts the time again";
  int told = 0;
  for (int i = 0; i < 3000; ++i) told += alert.isDue(true, true, 0.1) ? 1 : 0;
  EXPECT_EQ(told, 1);
}

}  // namespace
}  // namespace nearmiss::app::fly
