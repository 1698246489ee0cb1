// SPDX-License-Identifier: MIT
/// The first flight: each lesson ends when the user has done it, and it can be skipped.
#include "fly/modes/game/first_minute.h"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <string>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "fly/modes/game/player_face.h"
#include "fly/overlay/panels.h"

namespace nearmiss::app::fly {
namespace {

using Lesson = FirstMinute::Lesson;

class FirstFlight : public Modes {
 protected:
  FirstFlight() {
    context.ui.view.overlay = OverlayMode::Player;
    context.modes.first.begin();
  }
  /// Steers towards a place; returns the frames that it took until the lesson ended.
  int steerTo(const auto& place, Lesson during, int most) {
    int frames = 0;
    for (; context.modes.first.lesson() == during && frames < most; ++frames) {
      const Vec3 way = glm::conjugate(own().pose.rotation) * (place() - own().pose.position);
      engine::ShipControl& control = context.steering.control;
      control = {};
      control.thrust = 1.0;
      control.yaw = std::clamp(-way.x, -1.0, 1.0);
      control.pitch = std::clamp(way.y, -1.0, 1.0);
      fly();
    }
    return frames;
  }
};

TEST_F(FirstFlight, TeachesThrustTurnAndRingWithinThirtySeconds) {
  FirstMinute& first = context.modes.first;
  // Nothing happens by itself
  fly(60);
  ASSERT_EQ(first.lesson(), Lesson::Thrust);
  EXPECT_NE(playerView(context).line.find("W to thrust"), std::string::npos);
  context.steering.control.yaw = 1.0;
  fly(60);
  ASSERT_EQ(first.lesson(), Lesson::Thrust);

  const double begun = time();
  context.steering.control = {};
  context.steering.control.thrust = 1.0;
  fly(30);
  ASSERT_EQ(first.lesson(), Lesson::Turn);
  fly(60);
  ASSERT_EQ(first.lesson(), Lesson::Turn) << "thrust alone is no turn";
  context.steering.control.yaw = -1.0;
  fly(30);
  ASSERT_EQ(first.lesson(), Lesson::Ring);
  fly();
  EXPECT_TRUE(first.gates().empty()) << "not beside a user who is still turning";
  context.steering.control.yaw = 0.0;
  fly();
  ASSERT_EQ(first.gates().size(), 1u);
  (void)steerTo([&] { return first.gates().empty() ? Vec3(0.0) : first.gates()[0].centre; },
                Lesson::Ring, 25 * 60);
  EXPECT_EQ(first.lesson(), Lesson::NearMiss);
  EXPECT_TRUE(first.gates().empty());
  EXPECT_LT(time() - begun, 30.0);
}

TEST_F(FirstFlight, PutsARingThatWasMissedAheadAgain) {
  FirstMinute& first = context.modes.first;
  apply(context, Action::Confirm);
  apply(context, Action::Confirm);
  ASSERT_EQ(first.lesson(), Lesson::Ring);
  fly();
  const Vec3 before = first.gates()[0].centre, axis = first.gates()[0].axis;
  EXPECT_LT(glm::distance(before, own().pose.position), 14.0);
  // Beside it, and on
  const double arena = context.flight().world().ships().arena().radius;
  engine::HandAct away;
  away.ship = own().key;
  for (const double along : {-1.0, 4.0}) {
    const Vec3 aside = glm::normalize(glm::cross(axis, Vec3(0.0, 1.0, 0.0)));
    away.position = before + 4.0 * aside + along * axis;
    context.flight().acts().add(away);
    fly();
    ASSERT_EQ(first.lesson(), Lesson::Ring);
  }
  EXPECT_LT(glm::dot(axis, first.gates()[0].axis), 0.5) << "it faces the ship again";
  EXPECT_LT(glm::length(first.gates()[0].centre), arena);
  EXPECT_GT(glm::distance(first.gates()[0].centre, own().pose.position), 2.0);
}

TEST_F(FirstFlight, IsSkippedByAKeyAndEndsWithAnOffer) {
  FirstMinute& first = context.modes.first;
  for (const Lesson lesson :
       {Lesson::Thrust, Lesson::Turn, Lesson::Ring, Lesson::NearMiss, Lesson::Hit, Lesson::Offer}) {
    ASSERT_EQ(first.lesson(), lesson);
    EXPECT_FALSE(first.line(context).empty());
    EXPECT_EQ(first.line(context).find('\n'), std::string::npos);
    apply(context, Action::Confirm);
  }
  EXPECT_FALSE(first.on());
  EXPECT_TRUE(first.line(context).empty());
  // Again by its command, and Escape ends it
  first.toggle(context);
  EXPECT_EQ(first.lesson(), Lesson::Thrust);
  apply(context, Action::Back);
  EXPECT_FALSE(first.on());
  EXPECT_FALSE(context.ui.pages.quitQuestion);
}

TEST_F(FirstFlight, TheLaboratoryIsOneKeyAway) {
  while (context.modes.first.lesson() != Lesson::Offer) apply(context, Action::Confirm);
  const std::string offer = context.modes.first.line(context);
  for (const Action action : {Action::Run, Action::Tour, Action::NextOverlay})
    EXPECT_NE(offer.find(firstKeyName(action)), std::string::npos) << offer;
  apply(context, Action::NextOverlay);
  EXPECT_EQ(context.ui.view.overlay, OverlayMode::Full);
  EXPECT_FALSE(context.modes.first.on());
  for (const OverlayMode mode : {OverlayMode::Compact, OverlayMode::Off, OverlayMode::Player}) {
    apply(context, Action::NextOverlay);
    EXPECT_EQ(context.ui.view.overlay, mode);
  }
}

/// The player's face comes at the first start; then the one that was used last.
TEST(FirstStart, ShowsThePlayersFaceOnceAndRemembersTheChoice) {
  const nearmiss::test::TemporaryFolder folder;
  const SettingsMemory memory{folder / "window.toml", false};
  const Options options;
  {
    FlightContext first(options, {}, memory);
    EXPECT_TRUE(first.remembered.firstStart);
    EXPECT_EQ(first.ui.view.overlay, OverlayMode::Player);
    remember(first);
  }
  {
    FlightContext second(options, {}, memory);
    EXPECT_FALSE(second.remembered.firstStart);
    EXPECT_EQ(second.ui.view.overlay, OverlayMode::Player);
    second.ui.view.overlay = OverlayMode::Full;
    remember(second);
  }
  FlightContext third(options, {}, memory);
  EXPECT_EQ(third.ui.view.overlay, OverlayMode::Full);
  // --defaults is a first start again
  FlightContext fresh(options, {}, {memory.file, true});
  EXPECT_TRUE(fresh.remembered.firstStart);

  // Flights that nobody flies show the laboratory
  Options headless;
  headless.window.headless = true;
  const SettingsMemory other{folder / "other.toml", false};
  EXPECT_EQ(FlightContext(headless, {}, other).ui.view.overlay, OverlayMode::Full);
  Options ending;
  ending.frames = 10;
  EXPECT_EQ(FlightContext(ending, {}, other).ui.view.overlay, OverlayMode::Full);
  EXPECT_EQ(FlightContext(options, {}).ui.view.overlay, OverlayMode::Full) << "without a file";
}

/// The face shows one sentence and three figures, and none of the laboratory's.
TEST_F(FirstFlight, ShowsOneLineSpeedThreatAndScore) {
  const DrawnText type(1280.0f, 720.0f, 1.0f);
  fly(30);
  context.view.label(Ink(), context.flight(), context.ui, {1280.0f, 720.0f},
                     {0.0f, 0.0f, 1280.0f, 720.0f}, {});
  const PlayerView player = playerView(context);
  EXPECT_TRUE(player.nearest.has_value());
  HoverSpots spots;
  drawPlayerPanel(Ink(&spots), {310.0f, 650.0f, 660.0f, 57.0f}, player);
  const std::string text = type.text();
  EXPECT_EQ(text.find("L1"), std::string::npos) << "a tag of the laboratory";
  for (const char* name : {"thrust", "speed", "threat", "score"})
    EXPECT_NE(text.find(name), std::string::npos) << text;
  for (const HoverSpot& spot : spots.all()) EXPECT_FALSE(wordsFor(spot.name).empty()) << spot.name;
  for (const Rect& letter : type.letters()) {
    EXPECT_GE(letter.x, 310.0f);
    EXPECT_LE(letter.right(), 970.5f);
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
