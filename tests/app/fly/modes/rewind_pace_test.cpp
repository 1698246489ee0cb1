// SPDX-License-Identifier: MIT
/// Rewinding in real time: its speed, its end, what it clears, and that it goes on from there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "app/fly/modes.h"
#include "fly/loop/frame_times.h"
#include "fly/view/pair_inspection.h"

namespace nearmiss::app::fly {
namespace {

/// A flight that follows the wall clock, as in a window.
class RewoundInRealTime : public Modes {
 protected:
  RewoundInRealTime() {
    LoadedScene scene = lamps();
    scene.scene.clock = engine::ClockKind::Wall;
    takeOffRecorded(scene);
    context.times.turnSeconds = 1.0 / 60.0;
    context.times.frameSeconds = 1.0 / 60.0;
    EXPECT_TRUE(inRealTime(context));
    fly(300);
    end = time();
  }
  RewindMode& rewind = context.modes.rewind;
  Real end = 0.0;
};

/// It begins at the flight's own speed and gains one times that speed per second, up to four.
TEST_F(RewoundInRealTime, GoesFasterWhileTheKeyIsHeld) {
  for (const int exponent : {0, -1}) {
    context.ui.pace.speedExponent = exponent;
    const double own = context.ui.pace.speed();
    const Real from = time();
    context.steering.rewinds = true;
    double held = 0.0, due = 0.0;
    for (int turn = 0; turn < 60; ++turn) {
      EXPECT_TRUE(rewind.advance(context));
      held += 1.0 / 60.0;
      due += own * std::min(1.0 + held, 4.0) / 60.0;
      EXPECT_NEAR(from - time(), due, 0.02) << turn;
      EXPECT_NEAR(described().modes.backSpeed.value_or(0.0), own * std::min(1.0 + held, 4.0), 1e-9);
      EXPECT_NEAR(described().modes.flownBack.value_or(0.0), from - time(), 1e-9);
    }
    context.steering.rewinds = false;
    (void)rewind.advance(context);
    EXPECT_FALSE(described().modes.backSpeed.has_value());
    EXPECT_NEAR(time(), from - due, 0.02);
  }
}

TEST_F(RewoundInRealTime, IsNoFasterThanFourTimes) {
  context.steering.rewinds = true;
  context.times.turnSeconds = 100.0;
  (void)rewind.advance(context);
  EXPECT_NEAR(end - time(), longestRealFrame * (1.0 + longestRealFrame), 0.02)
      << "a stall does not jump";
  context.times.turnSeconds = 1e-6;
  for (int i = 0; i < 3; ++i) (void)rewind.advance(context);
  context.times.turnSeconds = 0.2;
  for (int i = 0; i < 20; ++i) (void)rewind.advance(context);
  EXPECT_EQ(described().modes.backSpeed.value_or(0.0), 4.0);
  // Pressed again it begins slowly
  context.steering.rewinds = false;
  (void)rewind.advance(context);
  fly(30);
  context.steering.rewinds = true;
  context.times.turnSeconds = 0.01;
  (void)rewind.advance(context);
  EXPECT_NEAR(described().modes.backSpeed.value_or(0.0), 1.01, 1e-9);
  EXPECT_LT(described().modes.flownBack.value_or(1.0), 0.05);
}

TEST_F(RewoundInRealTime, StopsAtItsBeginningAndSaysSoOnce) {
  context.steering.rewinds = true;
  context.times.turnSeconds = 0.2;
  int turns = 0;
  for (; turns < 100 && time() > 0.0; ++turns) {
    EXPECT_FALSE(context.toasts.contains("earliest"));
    (void)rewind.advance(context);
  }
  ASSERT_EQ(time(), 0.0);
  EXPECT_TRUE(context.toasts.contains(
      fmt::format("this is the earliest stored moment, {:.0f} s back", end)));
  context.toasts.clear();
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(rewind.advance(context));
  EXPECT_TRUE(context.toasts.empty());
  EXPECT_TRUE(rewind.on());
  context.steering.rewinds = false;
  EXPECT_FALSE(rewind.advance(context));
  EXPECT_TRUE(context.toasts.contains(
      fmt::format("{:.1f} s were undone; the flight continues at 0.0 s", end)));
  // It is told again for the next press
  fly(20);
  context.steering.rewinds = true;
  context.toasts.clear();
  for (int i = 0; i < 20; ++i) (void)rewind.advance(context);
  EXPECT_TRUE(context.toasts.contains("earliest"));
}

TEST_F(RewoundInRealTime, ForgetsMeasurementsOfTheUndoneFrames) {
  context.times.history.push({});
  context.say("event", "near miss: 1 cm");
  context.steering.rewinds = true;
  context.times.turnSeconds = 0.1;
  (void)rewind.advance(context);
  EXPECT_FALSE(context.toasts.contains("near miss")) << "it has not happened";
  context.times.history.push({});
  context.times.frameSeconds = 0.3;
  context.steering.rewinds = false;
  (void)rewind.advance(context);
  EXPECT_EQ(context.times.history.size(), 0u);
  EXPECT_FALSE(context.times.frameSeconds.has_value());
  EXPECT_EQ(context.flight().past()->end(), context.flightManager.session().framesKept());
}

/// A key that was pressed and let go within a turn undoes nothing.
TEST_F(RewoundInRealTime, ThatGoesNowhereChangesNothing) {
  context.steering.rewinds = true;
  context.times.turnSeconds = 0.0;
  EXPECT_TRUE(rewind.advance(context));
  EXPECT_TRUE(rewind.on());
  EXPECT_EQ(time(), end);
  context.times.history.push({});
  context.steering.rewinds = false;
  EXPECT_FALSE(rewind.advance(context));
  EXPECT_FALSE(rewind.on());
  EXPECT_EQ(context.times.history.size(), 1u);
  EXPECT_FALSE(context.toasts.contains("undone"));
}

TEST_F(RewoundInRealTime, WaitsForHelpAndQuestions) {
  context.steering.rewinds = true;
  EXPECT_TRUE(rewind.advance(context));
  ASSERT_TRUE(rewind.on());
  context.ui.pages.help = true;
  EXPECT_FALSE(rewind.advance(context));
  EXPECT_FALSE(rewind.on());
  context.ui.pages.help = false;
  EXPECT_TRUE(rewind.advance(context));
  // Commands that are safe leave it as it is, others end it
  EXPECT_FALSE(rewind.handle(context, Action::NextOverlay));
  EXPECT_EQ(rewind.on(), commandOf(Action::NextOverlay).isSafeIn(SafeIn::Rewind));
  EXPECT_TRUE(rewind.advance(context));
  EXPECT_FALSE(rewind.handle(context, Action::Restart));
  EXPECT_FALSE(rewind.on());
  EXPECT_FALSE(rewind.handle(context, Action::Restart)) << "while it is off";
}

/// A flight that cannot be rewound flies on while the key is held.
TEST_F(RewoundInRealTime, FliesOnWhereItIsRefused) {
  apply(context, Action::Restart);
  context.steering.rewinds = true;
  EXPECT_FALSE(rewind.advance(context));
  EXPECT_TRUE(context.toasts.contains("nothing earlier to rewind to"));
  EXPECT_FALSE(rewind.advance(context));
  EXPECT_FALSE(rewind.on());
}

}  // namespace
}  // namespace nearmiss::app::fly
