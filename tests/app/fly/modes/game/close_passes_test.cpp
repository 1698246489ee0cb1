// SPDX-License-Identifier: MIT
/// The closest passes of a run: which are kept, with what, and their replay in slow motion.
#include "fly/modes/game/close_passes.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <limits>
#include <vector>

#include "app/fly/modes.h"

namespace nearmiss::app::fly {
namespace {

constexpr double dt = 1.0 / 60.0;

/// Two ships in frames of a made-up flight.
struct PassingFrames {
  std::vector<BodyState> bodies{2};
  Detection detection;
  engine::FrameOutput output;
  ClosePasses passes;

  void fly(int frames, std::vector<engine::NearMiss> ended = {}, double bound = 0.0) {
    for (int frame = 0; frame < frames; ++frame) {
      bodies[1].pose.position.x += dt;
      output.bodies = bodies;
      output.profile.simTime += dt;
      DetectedPair pair;
      pair.bodies = {0, 1};
      pair.refinement.separationBound = bound;
      std::vector<DetectedPair> pairs{pair};
      detection.pairs = pairs;
      output.detection = bound > 0.0 ? &detection : nullptr;
      passes.take(output, 0,
                  frame == 0 ? std::span<const engine::NearMiss>(ended)
                             : std::span<const engine::NearMiss>());
    }
  }
  [[nodiscard]] engine::NearMiss missAt(double distance) const {
    return {1, distance, 1.0, output.profile.simTime};
  }
};

TEST(ClosePasses, KeepTheThreeClosestWithTheFramesAroundThem) {
  PassingFrames flight;
  flight.fly(120);
  for (const double distance : {0.3, 0.1, 0.25, 0.2, 0.29}) {
    flight.fly(1, {flight.missAt(distance)}, 0.5);
    flight.fly(90);
  }
  const auto best = flight.passes.best();
  ASSERT_EQ(best.size(), ClosePasses::most);
  for (std::size_t i = 0; i < best.size(); ++i) {
    EXPECT_EQ(best[i].miss.distance, (std::array{0.1, 0.2, 0.25}[i]));
    EXPECT_EQ(best[i].bound, 0.5);
    ASSERT_GT(best[i].frames.size(), 100u);
    EXPECT_NEAR(best[i].frames.front().time, best[i].miss.time - ClosePasses::around, 0.05);
    EXPECT_NEAR(best[i].frames.back().time, best[i].miss.time + ClosePasses::around, 0.05);
    // The poses are those of their times
    for (const PosedFrame& frame : best[i].frames)
      EXPECT_NEAR(frame.poses[1].position.x, frame.time, 1e-9);
  }
  EXPECT_EQ(best[0].words(), "bound 50.0 cm, true gap 10.0 cm");
}

TEST(ClosePasses, SayOnlyTheTrueGapIfDetectionProvedItApart) {
  PassingFrames flight;
  flight.fly(10);
  flight.fly(1, {flight.missAt(0.12)});
  flight.passes.finish();
  ASSERT_EQ(flight.passes.best().size(), 1u);
  EXPECT_EQ(flight.passes.best()[0].words(), "true gap 12.0 cm");
  flight.passes.clear();
  EXPECT_TRUE(flight.passes.best().empty());
}

using PassReplayed = Modes;

TEST_F(PassReplayed, ShowsTheShipsOfThePassAndTheFlightAgainAfterwards) {
  flyRun();
  PassReplay& replay = context.modes.passes;
  const auto best = replay.passes().best();
  ASSERT_FALSE(best.empty());
  const std::uint64_t before = state();
  const Vec3 now = context.flight().output().bodies[best[0].miss.ship].pose.position;
  const PickedShips picked = context.ui.view.picked;

  apply(context, Action::Confirm);
  ASSERT_TRUE(replay.on());
  EXPECT_FALSE(context.ui.pages.runEnd);
  EXPECT_NE(replay.line().find("true gap"), std::string::npos);
  EXPECT_EQ(context.flight().output().bodies[best[0].miss.ship].pose.position,
            best[0].frames.front().poses[best[0].miss.ship].position);
  // An eighth of the time that passes
  context.times.turnSeconds = 0.08;
  for (int turn = 0; turn < 50; ++turn) fly();
  const Vec3 shown = context.flight().output().bodies[best[0].miss.ship].pose.position;
  const double time = best[0].frames.front().time + 50 * 0.08 / 8.0;
  const PosedFrame* nearest = &best[0].frames.front();
  for (const PosedFrame& frame : best[0].frames)
    if (std::abs(frame.time - time) < std::abs(nearest->time - time)) nearest = &frame;
  EXPECT_LT(glm::distance(shown, nearest->poses[best[0].miss.ship].position), 0.2);
  EXPECT_EQ(state(), before) << "the flight itself must not move";

  for (std::size_t i = 0; i < best.size(); ++i) apply(context, Action::Confirm);
  EXPECT_FALSE(replay.on());
  EXPECT_TRUE(context.ui.pages.runEnd);
  EXPECT_EQ(context.flight().output().bodies[best[0].miss.ship].pose.position, now);
  EXPECT_EQ(context.ui.view.picked, picked);
  // Another run has its own
  EXPECT_TRUE(context.restart(3));
  EXPECT_TRUE(replay.passes().best().empty());
}

}  // namespace
}  // namespace nearmiss::app::fly
