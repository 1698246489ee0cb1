// SPDX-License-Identifier: MIT
/// A ship in the hand at the limits: when a pull takes it, how fast it moves, and when it is let
/// go.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>

#include "app/fly/modes.h"
#include "fly/flight_context.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

class HeldShip : public Modes {
 protected:
  HeldShip() {
    context.times.turnSeconds = 1.0 / 60.0;
    context.view.camera.pose = {{0.0, 0.0, 30.0}, glm::identity<Quat>()};
    fly(3);
  }
  /// A ship that a press at its middle takes, and the press.
  std::size_t press() {
    for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
      const glm::vec2 at = pixelOf(body(i).pose.position);
      if (pickAt(context.flight(), {}, context.view.camera, context.screen.width,
                 context.screen.height, at)
              .a != body(i).key)
        continue;
      EXPECT_FALSE(hands.grab(context, at)) << "a click picks the ship as well";
      return i;
    }
    ADD_FAILURE() << "no ship in sight";
    return 0;
  }
  /// Metres per pixel at the depth of a ship.
  [[nodiscard]] double metresPerPixel(std::size_t ship) const {
    const Camera& camera = context.view.camera;
    const double depth = camera.pose.position.z - body(ship).pose.position.z;
    return 2.0 * depth * std::tan(0.5 * camera.fieldOfView) / context.screen.height;
  }
  /// One turn of the hands alone: nothing flies.
  void turn() {
    EXPECT_FALSE(hands.advance(context)) << "the flight goes on";
    const auto acts = context.flight().acts().take();
    count = acts.size();
    if (count > 0) act = acts.back();
  }

  HandsMode& hands = context.modes.hands;
  engine::HandAct act;    ///< of the last turn that had one
  std::size_t count = 0;  ///< acts of the last turn
};

TEST_F(HeldShip, IsTakenAfterFivePixels) {
  (void)press();
  EXPECT_FALSE(hands.pull(context, {0.0f, 0.0f}, false));
  EXPECT_FALSE(hands.pull(context, {3.0f, 3.9f}, false));
  EXPECT_FALSE(hands.holds());
  EXPECT_TRUE(hands.pull(context, {0.0f, 0.2f}, false)) << "the pull is taken";
  EXPECT_TRUE(hands.holds());
  EXPECT_TRUE(hands.pull(context, {-3.0f, -4.1f}, false)) << "and stays so";
  EXPECT_TRUE(hands.holds());
  hands.letGo(context);
  EXPECT_FALSE(hands.holds());
  EXPECT_FALSE(hands.pull(context, {40.0f, 0.0f}, false)) << "there was no press";
  // Exactly five count
  (void)press();
  EXPECT_TRUE(hands.pull(context, {3.0f, 4.0f}, false));
}

TEST_F(HeldShip, IsAnotherThanTheOwnAndUnderNoPanel) {
  EXPECT_FALSE(hands.grab(context, {2.0f, 2.0f})) << "nothing is there";
  EXPECT_FALSE(hands.pull(context, {40.0f, 0.0f}, false));
  const std::size_t ship = press();
  // A press elsewhere forgets the ship
  EXPECT_FALSE(hands.grab(context, {2.0f, 2.0f}));
  EXPECT_FALSE(hands.pull(context, {40.0f, 0.0f}, false));
  EXPECT_FALSE(hands.holds());
  // In a tour the mouse has other work
  apply(context, Action::Tour);
  ASSERT_TRUE(context.modes.tour.on());
  EXPECT_FALSE(hands.grab(context, pixelOf(body(ship).pose.position)));
  EXPECT_FALSE(hands.pull(context, {40.0f, 0.0f}, false));
}

/// The press that begins a pull would pick a ship; the pull restores what was picked before.
TEST_F(HeldShip, LeavesTheSelectionAsItWas) {
  const PickedShips before{body(2).key, body(3).key};
  context.ui.view.picked = before;
  const std::size_t ship = press();
  context.ui.view.picked = {body(ship).key, 0};
  EXPECT_TRUE(hands.pull(context, {20.0f, 0.0f}, false));
  EXPECT_EQ(context.ui.view.picked, before);
}

TEST_F(HeldShip, KeepsThePlaceWhereItWasGrasped) {
  const std::size_t ship = press();
  const Vec3 before = body(ship).pose.position;
  const double scale = metresPerPixel(ship);
  ASSERT_TRUE(hands.pull(context, {0.0f, 20.0f}, false));
  turn();
  EXPECT_EQ(act.ship, body(ship).key);
  EXPECT_NEAR(glm::distance(act.position, before + Vec3(0.0, -20.0 * scale, 0.0)), 0.0,
              0.01 * 20.0 * scale);
  EXPECT_EQ(body(ship).pose.position, act.position) << "it is there at once";
}

/// The velocity is that of the pointer, smoothed over 0.06 s.
TEST_F(HeldShip, HasTheSmoothedSpeedOfThePointer) {
  const std::size_t ship = press();
  const double scale = metresPerPixel(ship);
  ASSERT_TRUE(hands.pull(context, {10.0f, 0.0f}, false));
  // The pull so far counts from where the ship was
  const double seconds = 1.0 / 60.0, share = 1.0 - std::exp(-seconds / 0.06);
  double expected = 0.0;
  for (int frame = 0; frame < 5; ++frame) {
    if (frame > 0) (void)hands.pull(context, {2.0f, 0.0f}, false);
    turn();
    const double now = (frame == 0 ? 10.0 : 2.0) * scale / seconds;
    expected += share * (now - expected);
    EXPECT_NEAR(act.velocity.x, expected, 0.02 * expected) << frame;
    EXPECT_NEAR(act.velocity.y, 0.0, 1e-6);
  }
  // A turn that took long has a slow pointer
  context.times.turnSeconds = 50.0;
  (void)hands.pull(context, {20.0f, 0.0f}, false);
  turn();
  const double slow = 20.0 * scale / longestRealFrame;
  EXPECT_NEAR(act.velocity.x,
              expected + (1.0 - std::exp(-longestRealFrame / 0.06)) * (slow - expected),
              0.02 * slow);
  // And one without time is not infinitely fast
  context.times.turnSeconds = 0.0;
  turn();
  EXPECT_TRUE(std::isfinite(act.velocity.x));
  EXPECT_LE(glm::length(act.velocity), 30.0 + 1e-9);
}

TEST_F(HeldShip, IsThrownFromHalfAMetrePerSecondOn) {
  for (const double speed : {0.4, 0.6}) {
    context.toasts.clear();
    const std::size_t ship = press();
    const auto pixels = static_cast<float>(speed / 60.0 / metresPerPixel(ship));
    ASSERT_TRUE(hands.pull(context, {8.0f, 0.0f}, false));
    for (int frame = 0; frame < 60; ++frame) {
      (void)hands.pull(context, {frame % 2 == 0 ? 0.0f : 2.0f * pixels, 0.0f}, false);
      context.times.turnSeconds = 1.0 / 60.0;
      turn();
    }
    // Its speed now is that of the last act
    const double now = glm::length(act.velocity);
    hands.letGo(context);
    EXPECT_EQ(context.toasts.contains("thrown at"), now > 0.5) << now;
    EXPECT_NEAR(now, speed, 0.2 * speed);
  }
}

TEST_F(HeldShip, IsNotThrownWhilePaused) {
  (void)press();
  ASSERT_TRUE(hands.pull(context, {60.0f, 0.0f}, false));
  turn();
  context.ui.pace.paused = true;
  hands.letGo(context);
  EXPECT_FALSE(context.toasts.contains("thrown at"));
}

/// The hand starts at rest with each ship, even if the last one was thrown fast.
TEST_F(HeldShip, BeginsAtRest) {
  (void)press();
  ASSERT_TRUE(hands.pull(context, {60.0f, 0.0f}, false));
  turn();
  hands.letGo(context);
  fly(2);
  context.toasts.clear();
  (void)press();
  ASSERT_TRUE(hands.pull(context, {6.0f, 0.0f}, false));
  hands.letGo(context);
  EXPECT_FALSE(context.toasts.contains("thrown at"));
}

TEST_F(HeldShip, StandsStillWhilePausedUntilThePointerMoves) {
  context.ui.pace.paused = true;
  const std::size_t ship = press();
  ASSERT_TRUE(hands.pull(context, {20.0f, 0.0f}, false));
  const Vec3 velocity = body(ship).velocity;
  turn();
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(act.velocity, velocity);
  for (int i = 0; i < 3; ++i) {
    turn();
    EXPECT_EQ(count, 0u) << "nothing has changed";
  }
  (void)hands.pull(context, {1.0f, 0.0f}, false);
  turn();
  EXPECT_EQ(count, 1u);
}

TEST_F(HeldShip, IsLetGoByModesThatForbidIt) {
  (void)press();
  ASSERT_TRUE(hands.pull(context, {20.0f, 0.0f}, false));
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  turn();
  EXPECT_FALSE(hands.holds());
  EXPECT_EQ(count, 0u);
  EXPECT_FALSE(hands.pull(context, {20.0f, 0.0f}, false)) << "it needs another press";
  apply(context, Action::SplitView);
}

TEST_F(HeldShip, IsLetGoWhenItIsGone) {
  // The last ship, which a smaller scene lacks
  std::size_t ship = shipsOf(context.flight()).size() - 1;
  context.view.camera.pose.position = body(ship).pose.position + Vec3(0.0, 0.0, 3.0);
  EXPECT_FALSE(hands.grab(context, pixelOf(body(ship).pose.position)));
  ASSERT_TRUE(hands.pull(context, {20.0f, 0.0f}, false));
  context.flightManager.flight().emplace(*Flight::begin(quickLamps(1)));
  turn();
  EXPECT_FALSE(hands.holds());
  EXPECT_EQ(count, 0u);
}

TEST_F(HeldShip, IsInFrontOfTheEye) {
  const std::size_t ship = press();
  // The eye has moved past it before the pull
  context.view.camera.pose.position.z = body(ship).pose.position.z - 1.0;
  EXPECT_FALSE(hands.pull(context, {20.0f, 0.0f}, false));
  EXPECT_FALSE(hands.holds());
  context.view.camera.pose.position.z =
      body(ship).pose.position.z + 0.5 * context.view.camera.nearPlane;
  EXPECT_FALSE(hands.pull(context, {20.0f, 0.0f}, false));
  context.view.camera.pose.position.z =
      body(ship).pose.position.z + 2.0 * context.view.camera.nearPlane;
  EXPECT_TRUE(hands.pull(context, {20.0f, 0.0f}, false));
}

}  // namespace
}  // namespace nearmiss::app::fly
