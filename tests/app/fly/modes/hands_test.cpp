// SPDX-License-Identifier: MIT
/// Hands in the window: ships held, thrown and placed by the mouse, bodies that are shot, and what
/// recordings, ways back and points make of that.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <memory>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/flight_context.h"

namespace nearmiss::app::fly {
namespace {

class HandsInTheWindow : public Modes {
 protected:
  HandsInTheWindow() {
    takeOffRecorded(armed());
    context.times.turnSeconds = 1.0 / 60.0;
    // Far enough to see all of them
    context.view.camera.pose = {{0.0, 0.0, 30.0}, glm::identity<Quat>()};
  }
  static const LoadedScene& armed() {
    static const LoadedScene loaded = [] {
      engine::Scene scene;
      scene.clock = engine::ClockKind::Work;
      scene.playerShots = true;
      return quickScene(std::move(scene));
    }();
    return loaded;
  }
  /// The first ship that a press at its middle takes.
  std::size_t press() {
    for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
      const glm::vec2 at = pixelOf(body(i).pose.position);
      const PickedShips there = pickAt(context.flight(), {}, context.view.camera,
                                       context.screen.width, context.screen.height, at);
      if (there.a != body(i).key) continue;
      click(context, at, false);
      return i;
    }
    ADD_FAILURE() << "no ship in sight";
    return 0;
  }
  void pull(const glm::vec2& by) {
    for (Mode* mode : context.modes.all())
      if (mode->pull(context, by, false)) break;
  }
  void letGo() {
    for (Mode* mode : context.modes.all()) mode->letGo(context);
  }
  /// The whole flight again from its session, and on the way back over it.
  void expectRepeated(const std::vector<std::uint64_t>& states) {
    expectReplayed(states);
    expectRewound(states);
  }
};

TEST_F(HandsInTheWindow, HoldAShipWhereThePointerIsAndThrowItWithItsSpeed) {
  fly(3);
  const std::size_t ship = press();
  const std::uint32_t key = body(ship).key;
  EXPECT_EQ(context.ui.view.picked.a, key) << "a click alone picks it";
  const glm::vec2 from = pixelOf(body(ship).pose.position);
  pull({2.0f, 1.0f});
  EXPECT_FALSE(context.modes.hands.holds()) << "a hand trembles";
  pull({6.0f, 0.0f});
  EXPECT_TRUE(context.modes.hands.holds());
  EXPECT_EQ(context.ui.view.picked.a, 0u) << "it was no choice";
  glm::vec2 way(8.0f, 1.0f);
  for (int turn = 0; turn < 40; ++turn) {
    pull({4.0f, -2.0f});
    way += glm::vec2(4.0f, -2.0f);
    fly();
    const glm::vec2 now = pixelOf(body(ship).pose.position);
    // It flies on for the frame that follows the pointer
    EXPECT_LT(glm::distance(now, from + way), 12.0f) << turn;
  }
  letGo();
  EXPECT_FALSE(context.modes.hands.holds());
  fly();
  const Vec3& thrown = body(ship).velocity;
  EXPECT_GT(thrown.x, 1.0);
  EXPECT_NEAR(thrown.y / thrown.x, 0.5, 0.15);
  EXPECT_NEAR(thrown.z, 0.0, 0.5);
  EXPECT_TRUE(context.toasts.contains("thrown at"));
}

TEST_F(HandsInTheWindow, LeaveTheOwnShipAlone) {
  fly(3);
  const glm::vec2 at = pixelOf(body(0).pose.position);
  ASSERT_EQ(pickAt(context.flight(), {}, context.view.camera, context.screen.width,
                   context.screen.height, at)
                .a,
            body(0).key);
  click(context, at, false);
  pull({40.0f, 0.0f});
  EXPECT_FALSE(context.modes.hands.holds());
}

TEST_F(HandsInTheWindow, ThrowNoFasterThanThirtyMetresPerSecond) {
  fly(3);
  const std::size_t ship = press();
  for (int turn = 0; turn < 7; ++turn) {
    pull({300.0f, 0.0f});
    fly();
    EXPECT_LT(glm::length(body(ship).velocity), 30.0 + 1e-9);
  }
  // Its pilot has braked for a frame
  EXPECT_GT(glm::length(body(ship).velocity), 25.0);
}

TEST_F(HandsInTheWindow, SayNothingOfAShipThatIsPutDown) {
  fly(3);
  (void)press();
  pull({40.0f, 0.0f});
  for (int turn = 0; turn < 60; ++turn) {
    pull({0.02f, 0.0f});
    fly();
  }
  ASSERT_TRUE(context.modes.hands.holds());
  letGo();
  EXPECT_FALSE(context.toasts.contains("thrown at"));
}

TEST_F(HandsInTheWindow, LetGoWhenARunBegins) {
  fly(3);
  (void)press();
  pull({40.0f, 0.0f});
  ASSERT_TRUE(context.modes.hands.holds());
  apply(context, Action::Run);
  fly();
  EXPECT_FALSE(context.modes.hands.holds());
}

TEST_F(HandsInTheWindow, PlaceShipsWhilePausedAndTheFlightGoesOnFromThere) {
  fly(3);
  context.ui.pace.paused = true;
  const std::size_t ship = press();
  const Vec3 before = body(ship).pose.position, velocity = body(ship).velocity;
  const Real then = time();
  pull({80.0f, 0.0f});
  fly();
  EXPECT_EQ(time(), then);
  const Vec3 placed = body(ship).pose.position;
  EXPECT_GT(placed.x - before.x, 1.0);
  EXPECT_NEAR(placed.y, before.y, 1e-9);
  EXPECT_NEAR(placed.z, before.z, 1e-9);
  EXPECT_EQ(body(ship).velocity, velocity);
  letGo();
  context.ui.pace.paused = false;
  fly();
  EXPECT_LT(glm::distance(body(ship).pose.position, placed), 0.3);
}

TEST_F(HandsInTheWindow, AreRecordedAndRepeatedBitForBit) {
  SplitMix random(12);
  std::vector<std::uint64_t> states;
  std::size_t held = 0;
  context.ui.detection.budget.kind = BudgetKind::Fixed;
  context.ui.detection.budget.fixed = std::chrono::microseconds(40);
  for (int frame = 0; frame < 400; ++frame) {
    if (random.bits() % 9 == 0) apply(context, Action::Shoot);
    if (frame % 40 == 5) (void)press();
    pull({static_cast<float>(random.between(-9.0, 9.0)),
          static_cast<float>(random.between(-9.0, 9.0))});
    held += context.modes.hands.holds();
    // Now and then while nothing flies
    if (frame % 50 == 20) {
      context.ui.pace.paused = true;
      fly(2);
      pull({12.0f, 5.0f});
      fly(2);
      context.ui.pace.paused = false;
    }
    if (frame % 40 == 35) letGo();
    fly();
    states.push_back(state());
  }
  EXPECT_GT(held, 200u);
  EXPECT_EQ(context.flight().simulation().shots().count(), engine::Shots::most);
  expectRepeated(states);
}

/// Where a snapshot was taken ships are where they were put for the frame after it.
TEST_F(HandsInTheWindow, AreRecordedWhereTheFlightIsFlownBackToAPlacement) {
  std::vector<std::uint64_t> states;
  const auto flyOn = [&](int frames, float pixels) {
    for (int frame = 0; frame < frames; ++frame) {
      pull({pixels, 0.0f});
      fly();
      states.push_back(state());
    }
  };
  context.ui.pace.paused = true;
  (void)press();
  pull({60.0f, 20.0f});
  fly();
  context.ui.pace.paused = false;
  flyOn(130, 1.0f);
  ASSERT_TRUE(context.modes.hands.holds());
  letGo();
  const std::uint64_t last = context.flight().past()->lastSnapshot();
  ASSERT_GT(last, 0u);
  for (const std::uint64_t position : {last, std::uint64_t{0}}) {
    context.steering.rewinds = true;
    fly(static_cast<int>(states.size() - position));
    context.steering.rewinds = false;
    states.resize(position);
    flyOn(20, 0.0f);
    expectRepeated(states);
  }
}

/// The left half has the place from where the flight stands, the recording from the act.
TEST_F(HandsInTheWindow, AreRecordedWhereTheViewIsSplitBeforeTimeGoesOn) {
  std::vector<std::uint64_t> states;
  const auto flyOn = [&](int frames) {
    for (int frame = 0; frame < frames; ++frame) {
      const Real before = time();
      while (time() == before) fly();
      states.push_back(state());
    }
  };
  flyOn(10);
  context.ui.pace.paused = true;
  const std::size_t ship = press();
  pull({60.0f, 20.0f});
  fly();
  letGo();
  const Vec3 placed = body(ship).pose.position;
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  EXPECT_EQ(body(ship).pose.position, placed);
  context.ui.pace.paused = false;
  flyOn(20);
  apply(context, Action::SplitView);
  flyOn(10);
  auto player = savedSession();
  ASSERT_TRUE(player.has_value());
  for (const std::uint64_t expected : states) {
    ASSERT_TRUE((*player)->step());
    ASSERT_EQ(engine::stateHash((*player)->simulation().world().ships()), expected);
  }
}

TEST_F(HandsInTheWindow, ShootBodiesThatAreNoShips) {
  const std::size_t ships = shipsOf(context.flight()).size();
  for (int shot = 0; shot < 12; ++shot) {
    apply(context, Action::Shoot);
    fly(5);
  }
  EXPECT_EQ(shipsOf(context.flight()).size(), ships);
  EXPECT_EQ(context.flight().output().bodies.size(), ships + engine::Shots::most);
  // One restart later they are gone
  apply(context, Action::Restart);
  fly();
  EXPECT_EQ(context.flight().output().bodies.size(), ships);
}

/// Shots neither hit nor pass who shot them.
TEST_F(HandsInTheWindow, GiveNoPointsForShots) {
  LoadedScene alone = armed();
  alone.scene.drones[0].count = 1;
  auto begun = Flight::begin(std::move(alone));
  ASSERT_TRUE(begun.has_value());
  context.flightManager.flight().emplace(*std::move(begun));
  apply(context, Action::Run);
  ASSERT_TRUE(context.modes.run.on());
  for (int shot = 0; shot < 60; ++shot) {
    // Backwards, so that the ship flies away from them and into those before
    context.steering.control.yaw = shot % 20 < 10 ? 1.0 : 0.0;
    context.steering.control.thrust = 1.0;
    apply(context, Action::Shoot);
    fly(10);
    const BodyState& own = body(0);
    engine::HandAct away{engine::HandAct::Kind::Put, body(1).key,
                         own.pose.position + Vec3(0.0, 20.0, 0.0), Vec3(0.0)};
    context.flight().acts().add(away);
  }
  EXPECT_EQ(described().modes.run->points, 0);
  EXPECT_EQ(described().modes.run->streak, 0u);
}

TEST_F(HandsInTheWindow, AreRefusedInASentence) {
  fly(2);
  const auto refused = [&](std::string_view words) {
    context.toasts.clear();
    (void)press();
    pull({40.0f, 0.0f});
    EXPECT_FALSE(context.modes.hands.holds());
    EXPECT_TRUE(context.toasts.contains(words)) << words;
    letGo();
  };
  apply(context, Action::Run);
  fly();
  refused("a run for points is flown without hands");
  apply(context, Action::Run);
  apply(context, Action::SplitView);
  ASSERT_TRUE(context.modes.split.on());
  apply(context, Action::Shoot);
  EXPECT_TRUE(context.toasts.contains("in split view"));
  // A press on any ship of the right half
  context.toasts.clear();
  const int half = context.screen.width / 2;
  for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
    glm::vec2 at;
    if (!project(context.view.camera, half, context.screen.height, body(i).pose.position, at))
      continue;
    click(context, at + glm::vec2(half, 0.0f), false);
    pull({40.0f, 0.0f});
    EXPECT_FALSE(context.modes.hands.holds());
    letGo();
  }
  EXPECT_TRUE(context.toasts.contains("in split view"));
  apply(context, Action::SplitView);
  context.ui.pace.paused = true;
  apply(context, Action::Shoot);
  EXPECT_TRUE(context.toasts.contains("the flight is paused"));
  context.ui.pace.paused = false;

  // A replay flies as it was recorded
  fly(20);
  auto player = savedSession();
  ASSERT_TRUE(player.has_value());
  (void)context.flightManager.replay(*std::move(player));
  fly(5);
  refused("a replay cannot be changed");
  context.toasts.clear();
  apply(context, Action::Shoot);
  EXPECT_TRUE(context.toasts.contains("a replay cannot be changed"));
}

TEST_F(HandsInTheWindow, ActOnTheGhostAsWell) {
  apply(context, Action::ExactGhost);
  for (int frame = 0; frame < 60; ++frame) {
    if (frame % 20 == 0) apply(context, Action::Shoot);
    if (frame == 10) (void)press();
    if (frame > 10) pull({3.0f, 1.0f});
    fly();
  }
  EXPECT_TRUE(context.modes.hands.holds());
  EXPECT_EQ(described().modes.ghost->now.farthest, 0.0) << "of an unlimited flight";
}

}  // namespace
}  // namespace nearmiss::app::fly
