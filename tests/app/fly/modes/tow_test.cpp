// SPDX-License-Identifier: MIT
/// The tow beam in the window: keys, refusals, what recordings and ways back make of it, and a
/// salvage flown to its end.
#include "fly/modes/tow_mode.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/flight/throttle.h"
#include "fly/modes/game/player_face.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

using engine::Bay;
using engine::TowBeam;
using engine::Wreck;

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
  [[nodiscard]] const BodyState& body(std::size_t index) const {
    return context.flight().output().bodies[index];
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
  void expectReplayed(const std::vector<std::uint64_t>& states) {
    const auto file = folder / "tow.session";
    ASSERT_TRUE(context.flightManager.session().saveCopy(file));
    auto player = playerOf(file, drifting().shapes);
    ASSERT_TRUE(player.has_value());
    for (const std::uint64_t expected : states) {
      ASSERT_TRUE((*player)->step());
      ASSERT_EQ(engine::stateHash((*player)->simulation().world().ships()), expected);
    }
    EXPECT_TRUE((*player)->atEnd());
    EXPECT_FALSE((*player)->difference());
  }
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
  // And back over all of it
  auto way = engine::Rewinder::begin(*context.flight().past(), context.flight().simulation());
  ASSERT_TRUE(way);
  for (std::size_t to = states.size(); to > 0; to -= std::min<std::size_t>(to, 7)) {
    ASSERT_TRUE(way->goTo(to));
    ASSERT_EQ(engine::stateHash(way->simulation().world().ships()), states[to - 1]) << to;
  }
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

/// A salvage flown by a simple pilot: to the nearest wreck, around the station to the axis of its
/// bay, and a throw from there.
class SalvageInTheWindow : public Modes {
 protected:
  static const LoadedScene& wrecks() {
    static const LoadedScene loaded = [] {
      auto scene = engine::readScene(*engine::findScene("salvage"));
      EXPECT_TRUE(scene.has_value());
      scene->clock = engine::ClockKind::Work;
      scene->arena.flown = true;
      makeHeavy(*scene);
      return quickScene(*std::move(scene));
    }();
    return loaded;
  }
  void begin(std::uint64_t seed) {
    LoadedScene scene = wrecks();
    scene.scene.seed = seed;
    takeOffRecorded(scene);
    context.modes.tow.release();
    context.modes.mission.beginAgain(context);
    context.steering.throttle = {};
    context.ui.steering.assist = true;
    context.ui.pages.runEnd = context.ui.pace.paused = false;
  }
  [[nodiscard]] const engine::Mission& mission() const { return *context.modes.mission.mission(); }
  [[nodiscard]] const BodyState& body(std::size_t index) const {
    return context.flight().output().bodies[index];
  }
  [[nodiscard]] Vec3 inStation(const Vec3& place) const {
    const Pose& station = body(Bay::station).pose;
    return glm::conjugate(station.rotation) * (place - station.position);
  }
  /// The next point on the way of a ship that tows.
  [[nodiscard]] Vec3 wayToBay() const {
    const Vec3 own = inStation(body(0).pose.position);
    const Real aside = std::sqrt(own.x * own.x + own.y * own.y);
    const Pose& station = body(Bay::station).pose;
    if (own.z > 3.5 && aside < 0.45 * own.z) return transformed(station, {0.0, 0.0, 0.0});
    if (own.z > 6.0) return transformed(station, {0.0, 0.0, 11.0});
    const Vec3 outward = aside > 0.1 ? Vec3(own.x, own.y, 0.0) / aside : Vec3(1.0, 0.0, 0.0);
    return transformed(station, 11.0 * outward + Vec3(0.0, 0.0, aside < 9.0 ? own.z : 12.0));
  }
  /// Turns aside before everything but the body that the pilot wants.
  [[nodiscard]] Vec3 clearWay(const Vec3& goal, bool toBay) const {
    const Vec3 from = body(0).pose.position;
    Vec3 way = goal - from;
    const Real length = glm::length(way);
    const Real room = context.modes.tow.on() ? 3.5 : 1.6;
    for (std::size_t i = 1; i < shipsOf(context.flight()).size(); ++i) {
      const bool piece = i >= Wreck::first && i < Wreck::first + Wreck::count;
      if (piece || (toBay && i == Bay::station)) continue;
      const Vec3 apart = body(i).pose.position - from;
      const Real along = glm::dot(apart, way) / length;
      const Vec3 aside = (along / length) * way - apart;
      const Real distance = glm::length(aside), need = body(i).shape.radius() + room;
      if (along < 0.0 || along > length + need || glm::length(apart) > 9.0 || distance > need)
        continue;
      const Vec3 out = distance > 0.1 ? aside / distance : across(way / length)[0];
      way += length * (1.2 * (need - distance) / std::max(along, 1.0) + 0.2) * out;
    }
    return way;
  }
  void steer() {
    const bool tows = mission().tows();
    const Vec3* goal = mission().goal();
    const BodyState& own = body(0);
    const Vec3 to = tows ? wayToBay() : *goal;
    const Vec3 place = inStation(own.pose.position);
    const bool onAxis =
        tows && place.z > 3.5 && std::sqrt(place.x * place.x + place.y * place.y) < 0.45 * place.z;
    const Vec3 way = clearWay(to, onAxis);
    engine::ShipControl control = engine::steerTowards({}, own.pose, way);
    const Real along = glm::dot(own.pose.rotation * Vec3(0.0, 0.0, -1.0), way) / glm::length(way);
    const Real slow = onAxis ? 0.4 : !tows && glm::length(way) < 8.0 ? 0.5 : 1.0;
    control.thrust = along > 0.9 ? slow : 0.0;
    context.steering.control = control;
    rest_ -= rest_ > 0;
    if (!tows && rest_ == 0 &&
        TowBeam::target(context.flight().world().ships(), 0, mission().delivered()))
      apply(context, Action::Tow);
    if (!onAxis || along < 0.998 || place.z > 10.0) return;
    apply(context, Action::Shoot);
    rest_ = 90;
  }

 private:
  int rest_ = 0;  ///< frames until the pilot grabs again, so that it does not catch what it threw
};

TEST_F(SalvageInTheWindow, SaysWhatToDoAndCountsWhatIsInTheBay) {
  begin(1);
  MissionMode& mode = context.modes.mission;
  ASSERT_TRUE(mode.on());
  EXPECT_NE(mode.line().find("wreck 1 of 4"), std::string::npos) << mode.line();
  for (std::size_t piece = 0; piece < Wreck::count; ++piece) {
    const std::size_t index = Wreck::first + piece;
    EXPECT_NEAR(body(index).shape.radius(), 1.0, 0.3) << "it fits into the bay";
    EXPECT_EQ(context.flight().world().ships().definition(index).limits.accelerationMax, 0.0);
  }
  while (mode.on()) {
    const std::size_t delivered = mission().delivered().size();
    const Vec3 wreck = *mission().goal();
    engine::HandAct act;
    act.ship = body(0).key;
    act.position = wreck - 3.0 * (body(0).pose.rotation * Vec3(0.0, 0.0, -1.0));
    context.flight().acts().add(act);
    fly();
    context.toasts.clear();
    apply(context, Action::Tow);
    ASSERT_TRUE(context.modes.tow.on());
    fly();
    EXPECT_NE(mode.line().find("into the bay"), std::string::npos) << mode.line();
    act.ship = context.modes.tow.beam().body();
    act.position = transformed(body(Bay::station).pose, Vec3(0.0, 0.0, 1.0));
    context.flight().acts().add(act);
    fly();
    ASSERT_EQ(mission().delivered().size(), delivered + 1);
    EXPECT_FALSE(context.modes.tow.on()) << "the beam lets go in the bay";
    EXPECT_TRUE(context.toasts.contains("is in the bay"));
  }
  EXPECT_EQ(mission().state(), engine::MissionState::Won);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  const auto& rows = view.modes.runEnd->groups[0].rows;
  const auto row = std::ranges::find(rows, "wrecks", &PageRow::left);
  ASSERT_NE(row, rows.end());
  EXPECT_EQ(row->right, "4 of 4");
  EXPECT_NE(view.modes.runEnd->title.find("salvage: won"), std::string::npos);
}

TEST_F(SalvageInTheWindow, IsWonByASimplePilot) {
  std::size_t won = 0, delivered = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    begin(seed);
    for (int frame = 0; context.modes.mission.on() && frame < 181 * 60; ++frame) {
      steer();
      fly();
    }
    won += mission().state() == engine::MissionState::Won;
    delivered += mission().delivered().size();
    RecordProperty("seed" + std::to_string(seed),
                   std::to_string(mission().flown()) + " s, " + std::to_string(mission().hits()));
  }
  EXPECT_GE(won, 2u);
  EXPECT_GE(delivered, 8u);
}

TEST_F(SalvageInTheWindow, ReplaysBitForBit) {
  begin(2);
  std::vector<std::uint64_t> states;
  for (int frame = 0; frame < 1200; ++frame) {
    steer();
    fly();
    states.push_back(state());
  }
  const auto file = folder / "salvage.session";
  ASSERT_TRUE(context.flightManager.session().saveCopy(file));
  auto player = playerOf(file, wrecks().shapes);
  ASSERT_TRUE(player.has_value());
  std::size_t pushes = 0;
  for (const std::uint64_t expected : states) {
    ASSERT_TRUE((*player)->step());
    ASSERT_EQ(engine::stateHash((*player)->simulation().world().ships()), expected);
  }
  for (std::uint64_t n = 0; n < (*player)->session().frames(); ++n)
    pushes += (*player)->session().frame(n).acts.size();
  EXPECT_GT(pushes, 100u) << "something was towed";
}

}  // namespace
}  // namespace nearmiss::app::fly
