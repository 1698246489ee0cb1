// SPDX-License-Identifier: MIT
/// The tow beam in the window: keys, refusals, and what recordings and ways back make of it.
#include "fly/modes/tow_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/modes/game/player_face.h"

namespace nearmiss::app::fly {
namespace {

using engine::TowBeam;

/// The user's lamp among a few lamps without engines.
class TowingInTheWindow : public Modes {
 protected:
  TowingInTheWindow() {
    takeOffRecorded(drifting());
    context.times.turnSeconds = 1.0 / 60.0;
  }
  static const LoadedScene& drifting() {
    static const LoadedScene loaded = [] {
      engine::Scene scene;
      scene.clock = engine::ClockKind::Work;
      scene.playerShots = true;
      scene.playerMass = 2.0;
      scene.drones[0].count = 3;
      scene.drones[0].limits = {0.0, 0.0, 0.0, 0.1};
      return quickScene(std::move(scene));
    }();
    return loaded;
  }
  [[nodiscard]] Vec3 ahead() const { return body(0).pose.rotation * Vec3(0.0, 0.0, -1.0); }
  [[nodiscard]] Real gap() const {
    return glm::distance(body(0).pose.position, body(1).pose.position) - body(0).shape.radius() -
           body(1).shape.radius();
  }
  /// Puts the first drone before the nose and the others far away.
  void placeAhead(Real distance = 4.5) {
    for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
      engine::HandAct act;
      act.ship = body(i).key;
      act.position = body(0).pose.position +
                     (i == 1 ? distance * ahead() : Vec3(3.0 * static_cast<Real>(i), 6.0, 0.0));
      context.flight().acts().add(act);
    }
    fly();
  }
  void tow() {
    placeAhead();
    apply(context, Action::Tow);
    ASSERT_TRUE(context.modes.tow.on());
  }
  [[nodiscard]] const engine::TowBeam& beam() const { return context.modes.tow.beam(); }
};

TEST_F(TowingInTheWindow, HoldsTheBodyBeforeTheShipUntilTheKeyIsPressedAgain) {
  placeAhead(30.0);
  apply(context, Action::Tow);
  EXPECT_FALSE(context.modes.tow.on());
  EXPECT_TRUE(context.toasts.contains("nothing to tow"));
  tow();
  EXPECT_EQ(beam().body(), body(1).key);
  context.ui.view.overlay = OverlayMode::Player;
  EXPECT_NE(playerView(context).line.find("Towing"), std::string::npos);
  fly(180);
  EXPECT_NEAR(gap(), TowBeam::gap, 0.05);
  // It is no threat
  FlightCues& cues = context.view.cues;
  ASSERT_FALSE(cues.look(context.flight()).empty());
  EXPECT_EQ(cues.nearest()->index, 1u);
  cues.setTowed(body(1).key);
  ASSERT_FALSE(cues.look(context.flight()).empty());
  EXPECT_NE(cues.nearest()->index, 1u);
  ASSERT_FALSE(cues.look(context.flight()).empty());
  EXPECT_EQ(cues.nearest()->index, 1u) << "each picture says what is towed";
  const Vec3 from = body(1).pose.position;
  context.steering.control.thrust = 1.0;
  fly(120);
  EXPECT_GT(glm::dot(body(1).pose.position - from, ahead()), 1.0);
  EXPECT_GT(gap(), 0.0);
  apply(context, Action::Tow);
  EXPECT_FALSE(context.modes.tow.on());
  EXPECT_TRUE(context.toasts.contains("off"));
  fly();
  EXPECT_TRUE(context.flight().acts().last().empty());
}

TEST_F(TowingInTheWindow, MakesTheShipSlower) {
  const auto speedAfter = [&](bool tows) {
    context.steering.control = {};
    (void)context.restart(3);
    placeAhead(tows ? 2.0 + TowBeam::gap : 30.0);
    if (tows) apply(context, Action::Tow);
    EXPECT_EQ(context.modes.tow.on(), tows);
    context.steering.control.thrust = 1.0;
    fly(30);
    return glm::dot(body(0).velocity, ahead());
  };
  EXPECT_LT(speedAfter(true), 0.9 * speedAfter(false));
}

TEST_F(TowingInTheWindow, ThrowsByTheKeyOfShots) {
  tow();
  fly(120);
  context.ui.pace.paused = true;
  apply(context, Action::Shoot);
  EXPECT_TRUE(context.modes.tow.on()) << "nothing flies while paused";
  context.ui.pace.paused = false;
  apply(context, Action::Shoot);
  EXPECT_FALSE(context.modes.tow.on());
  fly();
  EXPECT_NEAR(glm::dot(body(1).velocity - body(0).velocity, ahead()), TowBeam::throwSpeed, 0.3);
  EXPECT_LT(glm::dot(body(0).velocity, ahead()), -1.0) << "the thrower is pushed back";
  EXPECT_EQ(context.flight().simulation().shots().count(), 0u);
  apply(context, Action::Shoot);
  fly();
  EXPECT_EQ(context.flight().simulation().shots().count(), 1u);
}

/// Views that do not fly the user's ship, such as split views, show no beam of an earlier picture.
TEST_F(TowingInTheWindow, ShowsTheBeamInTheNextPictureOnly) {
  tow();
  FlightView& view = context.view;
  view.look(context.flight(), context.ui, 0.0);
  const auto lines = [&] {
    return view.compose(context.flight(), context.ui, 0.0, 0.0).lines.size();
  };
  const std::size_t plain = lines();
  view.scene.showBeam(beam().ship(), beam().body());
  EXPECT_GT(lines(), plain + 100);
  EXPECT_EQ(lines(), plain);
}

TEST_F(TowingInTheWindow, BreaksAloud) {
  tow();
  fly(5);
  engine::HandAct act;
  act.ship = body(1).key;
  act.position = body(0).pose.position + 12.0 * ahead();
  context.flight().acts().add(act);
  fly(2);
  EXPECT_FALSE(context.modes.tow.on());
  EXPECT_TRUE(context.toasts.contains("broke"));
}

TEST_F(TowingInTheWindow, ReplaysBitForBit) {
  std::vector<std::uint64_t> states;
  const auto flyOn = [&](int frames) {
    for (int i = 0; i < frames; ++i) {
      fly();
      states.push_back(state());
    }
  };
  fly();
  states.push_back(state());
  placeAhead();
  states.push_back(state());
  apply(context, Action::Tow);
  context.steering.control = {.thrust = 1.0, .yaw = 0.5};
  flyOn(150);
  ASSERT_TRUE(context.modes.tow.on());
  apply(context, Action::Shoot);
  context.steering.control = {};
  flyOn(30);
  expectReplayed(states);
  expectRewound(states);
}

/// The pushes of the frame that was undone are not done again, at a snapshot or elsewhere.
TEST_F(TowingInTheWindow, EndsOnTheWayBackWithoutAPush) {
  std::vector<std::uint64_t> states;
  const auto flyOn = [&](int frames) {
    for (int i = 0; i < frames; ++i) {
      fly();
      states.push_back(state());
    }
  };
  placeAhead();
  states.push_back(state());
  apply(context, Action::Tow);
  context.steering.control.thrust = 1.0;
  flyOn(140);
  ASSERT_TRUE(context.modes.tow.on());
  const std::uint64_t snapshot = context.flight().past()->lastSnapshot();
  ASSERT_GT(snapshot, 2u);
  for (const std::uint64_t position : {snapshot + 3, snapshot, std::uint64_t{5}}) {
    context.steering.rewinds = true;
    fly(static_cast<int>(states.size() - position));
    EXPECT_FALSE(context.modes.tow.on());
    context.steering.rewinds = false;
    states.resize(position);
    flyOn(1);
    EXPECT_TRUE(context.flight().acts().last().empty()) << position;
    flyOn(10);
    expectReplayed(states);
  }
}

TEST_F(TowingInTheWindow, EndsWithARestartAndAnotherFlight) {
  tow();
  EXPECT_TRUE(context.restart(5));
  EXPECT_FALSE(context.modes.tow.on());
  tow();
  Change other;
  other.flight = true;
  context.show(other);
  EXPECT_FALSE(context.modes.tow.on());
  tow();
  apply(context, Action::SplitView);
  fly();
  ASSERT_TRUE(context.modes.split.on());
  EXPECT_FALSE(context.modes.tow.on());
}

TEST_F(TowingInTheWindow, IsRefusedInASentence) {
  apply(context, Action::Run);
  fly();
  placeAhead();
  apply(context, Action::Tow);
  EXPECT_FALSE(context.modes.tow.on());
  EXPECT_TRUE(context.toasts.contains("a run for points is flown without hands"));
  apply(context, Action::Run);
  tow();
  apply(context, Action::Run);
  fly();
  EXPECT_FALSE(context.modes.tow.on()) << "a run begins without";
  // In a replay
  const auto file = folder / "tow.session";
  ASSERT_TRUE(context.flightManager.session().saveCopy(file));
  auto player = playerOf(file, drifting().shapes);
  ASSERT_TRUE(player.has_value());
  context.show(context.flightManager.replay(*std::move(player)));
  context.toasts.clear();
  apply(context, Action::Tow);
  EXPECT_FALSE(context.modes.tow.on());
  EXPECT_TRUE(context.toasts.contains("a replay cannot be changed"));
}

}  // namespace
}  // namespace nearmiss::app::fly
