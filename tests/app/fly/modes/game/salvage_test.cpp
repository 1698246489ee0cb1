// SPDX-License-Identifier: MIT
/// The salvage in the window: what it says, what it counts, and a simple pilot that wins it.
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <vector>

#include "app/fly/modes.h"
#include "fly/flight/throttle.h"
#include "fly/view/world_marks.h"

namespace nearmiss::app::fly {
namespace {

using engine::Bay;
using engine::TowBeam;
using engine::Wreck;

/// A salvage flown by a simple pilot: to the nearest wreck, around the station to the axis of its
/// bay, and a throw from there.
class SalvageInTheWindow : public Modes {
 protected:
  static const LoadedScene& wrecks() {
    static const LoadedScene loaded = flownScene("salvage", true);
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
  expectReplayed(states);
  auto player = savedSession();
  ASSERT_TRUE(player.has_value());
  std::size_t pushes = 0;
  for (std::uint64_t n = 0; n < (*player)->session().frames(); ++n)
    pushes += (*player)->session().frame(n).acts.size();
  EXPECT_GT(pushes, 100u) << "something was towed";
}

}  // namespace
}  // namespace nearmiss::app::fly
