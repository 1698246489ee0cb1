// SPDX-License-Identifier: MIT
/// Which passes of a run are kept, with which frames and bounds.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "fly/modes/game/close_passes.h"

namespace nearmiss::app::fly {
namespace {

constexpr double step = 1.0 / 60.0;
constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Passes in frames that a test makes up: the position of each ship is the time.
class KeptPasses : public testing::Test {
 protected:
  void take(double time, std::vector<engine::NearMiss> ended = {}) {
    for (BodyState& body : bodies) body.pose.position.x = time;
    output.bodies = bodies;
    output.profile.simTime = time;
    detection.pairs = pairs;
    output.detection = detected ? &detection : nullptr;
    passes.take(output, user, ended);
  }
  void fly(double from, double to) {
    for (double time = from; time < to; time += step) take(time);
  }
  static engine::NearMiss missAt(double time, double distance = 0.1, std::uint32_t ship = 1) {
    return {ship, distance, 1.0, time};
  }
  void bound(std::uint32_t a, std::uint32_t b, double metres) {
    DetectedPair pair;
    pair.bodies = {a, b};
    pair.refinement.separationBound = metres;
    pairs.push_back(pair);
  }
  /// Adds a pass at 5 s, of which all frames are known.
  const ClosePass& passed() {
    fly(3.0, 5.0);
    take(5.0, {missAt(5.0)});
    detected = false;
    fly(5.0 + step, 6.0);
    return passes.best().front();
  }

  std::size_t user = 0;
  std::vector<BodyState> bodies{3};
  std::vector<DetectedPair> pairs;
  Detection detection;
  bool detected = true;
  engine::FrameOutput output;
  ClosePasses passes;
};

TEST_F(KeptPasses, HaveTheBoundOfTheirOwnPair) {
  user = 2;
  bound(0, 1, 0.1);
  bound(1, 2, 0.3);
  bound(0, 2, 0.2);
  EXPECT_EQ(passed().bound, 0.3) << "whichever of the two comes first";
}

TEST_F(KeptPasses, HaveTheTightestBoundUntilTheirLastFrame) {
  bound(0, 1, 0.4);
  fly(3.0, 5.0);
  take(5.0, {missAt(5.0)});
  pairs[0].refinement.separationBound = 0.2;
  take(5.1);
  pairs[0].refinement.separationBound = 0.3;
  fly(5.2, 6.0);
  ASSERT_EQ(passes.best().size(), 1u);
  EXPECT_EQ(passes.best()[0].bound, 0.2);
  EXPECT_EQ(passes.best()[0].words(), "bound 20.0 cm, true gap 10.0 cm");
}

TEST_F(KeptPasses, HaveNoBoundWithoutATestedPair) {
  bound(1, 2, 0.1);
  EXPECT_EQ(passed().bound, unbounded);
  EXPECT_EQ(passed().words(), "true gap 10.0 cm");
}

TEST_F(KeptPasses, AreCompleteWhenTheirLaterFramesAre) {
  fly(3.0, 5.0);
  take(5.0, {missAt(5.0)});
  take(5.0 + ClosePasses::around - 0.01);
  EXPECT_TRUE(passes.best().empty());
  take(5.0 + ClosePasses::around);
  ASSERT_EQ(passes.best().size(), 1u);
  for (const PosedFrame& frame : passes.best()[0].frames) {
    EXPECT_LE(std::abs(frame.time - 5.0), ClosePasses::around);
    ASSERT_EQ(frame.poses.size(), bodies.size());
    for (const Pose& pose : frame.poses) EXPECT_EQ(pose.position.x, frame.time);
  }
  EXPECT_LT(passes.best()[0].frames.front().time, 5.0 - ClosePasses::around + 2.0 * step);
  EXPECT_GT(passes.best()[0].frames.back().time, 5.0 + ClosePasses::around - 2.0 * step);
  take(7.0);
  EXPECT_EQ(passes.best().size(), 1u) << "once";
}

TEST_F(KeptPasses, AreSortedAndTheFourthIsDropped) {
  for (const double distance : {0.2, 0.4, 0.1, 0.3, 0.5, 0.05}) {
    take(5.0 + distance, {missAt(5.0 + distance, distance)});
    passes.finish();
  }
  // The times of the later ones are earlier: a rewind has undone those after them
  std::vector<double> kept;
  for (const ClosePass& pass : passes.best()) kept.push_back(pass.miss.distance);
  EXPECT_TRUE(std::ranges::is_sorted(kept));
  EXPECT_LE(kept.size(), ClosePasses::most);
  passes.clear();
  std::vector<engine::NearMiss> all;
  for (const double distance : {0.2, 0.4, 0.1, 0.3}) all.push_back(missAt(5.0, distance));
  take(5.0, all);
  passes.finish();
  ASSERT_EQ(passes.best().size(), 3u);
  EXPECT_EQ(passes.best()[0].miss.distance, 0.1);
  EXPECT_EQ(passes.best()[2].miss.distance, 0.3);
  // Finished ones are not pending any more
  passes.finish();
  EXPECT_EQ(passes.best().size(), 3u);
  EXPECT_EQ(passes.best()[1].miss.distance, 0.2);
  take(5.1, {missAt(5.1, 0.6)});
  passes.finish();
  EXPECT_EQ(passes.best()[2].miss.distance, 0.3) << "no better than the worst";
}

TEST_F(KeptPasses, ForgetWhatARewindHasUndone) {
  fly(3.0, 5.0);
  take(5.0, {missAt(4.9)});
  take(5.2, {missAt(5.1, 0.05)});
  passes.finish();
  ASSERT_EQ(passes.best().size(), 2u);
  take(5.3, {missAt(5.25, 0.03)});  // still pending
  take(5.0);
  ASSERT_EQ(passes.best().size(), 1u);
  EXPECT_EQ(passes.best()[0].miss.time, 4.9);
  passes.finish();
  EXPECT_EQ(passes.best().size(), 1u);
  // Frames after the position are dropped: each time is there once
  fly(5.0 + step, 5.4);
  take(5.4, {missAt(5.2, 0.01)});
  passes.finish();
  const auto& frames = passes.best()[0].frames;
  for (std::size_t i = 1; i < frames.size(); ++i) EXPECT_LT(frames[i - 1].time, frames[i].time);
  // The flight begins again in the same place
  take(4.9);
  EXPECT_TRUE(passes.best().empty()) << "a pass of that very time has been undone";
}

TEST_F(KeptPasses, KeepNothingOfCrowdsOrOfLostFrames) {
  // The pass is reported long after it: its frames are gone
  fly(3.0, 9.0);
  take(9.0, {missAt(4.0)});
  passes.finish();
  EXPECT_TRUE(passes.best().empty());
  bodies.resize(ClosePasses::maxShips + 1);
  fly(10.0, 11.0);
  take(11.0, {missAt(11.0)});
  passes.finish();
  EXPECT_TRUE(passes.best().empty());
  bodies.resize(ClosePasses::maxShips);
  take(12.0, {missAt(12.0)});
  passes.finish();
  EXPECT_EQ(passes.best().size(), 1u);
  // Shots are no ships
  passes.clear();
  bodies.resize(ClosePasses::maxShips + 2);
  output.shots = 2;
  take(13.0, {missAt(13.0)});
  passes.finish();
  ASSERT_EQ(passes.best().size(), 1u);
  EXPECT_EQ(passes.best()[0].frames.back().poses.size(), ClosePasses::maxShips);
}

TEST_F(KeptPasses, KeepFramesForTwiceTheTimeAroundAPass) {
  fly(3.0, 6.0);
  // It was reported as late as possible
  take(6.0, {missAt(6.0 - ClosePasses::around)});
  ASSERT_EQ(passes.best().size(), 1u) << "complete at once";
  const auto& frames = passes.best()[0].frames;
  EXPECT_NEAR(frames.front().time, 6.0 - 2.0 * ClosePasses::around, 2.0 * step);
  EXPECT_NEAR(frames.back().time, 6.0, 2.0 * step);
}

}  // namespace
}  // namespace nearmiss::app::fly
