// SPDX-License-Identifier: MIT
/// The lessons of the first flight at their limits: how long, how much, where the ring is placed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <string>

#include "app/fly/modes.h"
#include "fly/modes/game/first_minute.h"

namespace nearmiss::app::fly {
namespace {

using Lesson = FirstMinute::Lesson;

class Lessons : public Modes {
 protected:
  Lessons() {
    context.ui.view.overlay = OverlayMode::Player;
    first.begin();
  }
  void skipTo(Lesson lesson) {
    while (first.lesson() != lesson) ASSERT_TRUE(first.handle(context, Action::Confirm));
  }
  /// Frames until the lesson ends.
  int framesOf(Lesson lesson, int most = 4000) {
    int frames = 0;
    for (; first.lesson() == lesson && frames < most; ++frames) fly();
    return frames;
  }
  void put(const Vec3& place) {
    context.flight().acts().add({engine::HandAct::Kind::Put, own().key, place, Vec3(0.0)});
    fly();
  }
  FirstMinute& first = context.modes.first;
};

/// The time while the user does it is added up; it starts with the second frame.
TEST_F(Lessons, LastAsLongAsTheySay) {
  context.steering.control.thrust = 0.1;
  fly(12);
  context.steering.control.thrust = 0.0;
  fly(50);
  ASSERT_EQ(first.lesson(), Lesson::Thrust);
  context.steering.control.thrust = -1.0;
  fly(50);
  ASSERT_EQ(first.lesson(), Lesson::Thrust) << "braking is no thrust";
  context.steering.control.thrust = 1.0;
  EXPECT_NEAR(framesOf(Lesson::Thrust), 24 - 11, 1);
  // A little of yaw and pitch together
  context.steering.control = {};
  context.steering.control.yaw = -0.05;
  context.steering.control.pitch = 0.04;
  fly(60);
  ASSERT_EQ(first.lesson(), Lesson::Turn) << "that is hardly a turn";
  context.steering.control.pitch = -0.06;
  EXPECT_NEAR(framesOf(Lesson::Turn), 18, 1);
}

TEST_F(Lessons, OfferForThirtySeconds) {
  skipTo(Lesson::Offer);
  context.ui.pace.speedExponent = 0;
  EXPECT_NEAR(framesOf(Lesson::Offer), 30 * 60, 2);
  EXPECT_FALSE(first.on());
}

/// A pause of the lessons, such as another mode, does not count as time of the user's.
TEST_F(Lessons, CountNoTimeWithoutTheUser) {
  context.steering.control.thrust = 1.0;
  fly(3);
  engine::FrameInput input;
  input.dt = 1.0 / 60.0;
  for (int i = 0; i < 100; ++i) (void)context.flight().advance(input);
  fly(1);
  EXPECT_EQ(first.lesson(), Lesson::Thrust) << "at most 0.2 s at once";
  // A restart goes back in time
  EXPECT_TRUE(context.restart(3));
  fly(1);
  EXPECT_EQ(first.lesson(), Lesson::Thrust);
}

TEST_F(Lessons, PlaceTheRingAheadWhenTheUserHasTurned) {
  skipTo(Lesson::Ring);
  // While turning it waits, for a second and a half
  context.steering.control.yaw = 0.2;
  fly(80);
  EXPECT_TRUE(first.gates().empty());
  fly(20);
  EXPECT_FALSE(first.gates().empty());
  first.begin();
  skipTo(Lesson::Ring);
  EXPECT_TRUE(first.gates().empty());
  context.steering.control.yaw = 0.05;
  context.steering.control.pitch = 0.04;
  // Into the middle of the arena, where there is space
  put({0.0, 0.0, 0.0});
  ASSERT_FALSE(first.gates().empty());
  const engine::Gate& ring = first.gates()[0];
  const double arena = context.flight().world().ships().arena().radius;
  const Vec3 ahead = transformed(own().pose, Vec3(2.0, 1.2, -11.0));
  const double out = glm::length(ahead);
  const Vec3 expected = out > 0.75 * arena ? ahead * (0.75 * arena / out) : ahead;
  EXPECT_LT(glm::distance(ring.centre, expected), 1e-9);
  EXPECT_LT(glm::distance(ring.axis, glm::normalize(ring.centre - own().pose.position)), 1e-9);
}

TEST_F(Lessons, PlaceTheRingWithinTheArenaAndNotAtTheShip) {
  const double arena = context.flight().world().ships().arena().radius;
  std::size_t moved = 0;
  for (const Vec3& way : {Vec3(0.0, 0.0, -1.0), Vec3(1.0, 0.0, 0.0), Vec3(0.0, 0.0, 1.0),
                          Vec3(0.0, 1.0, 0.0), glm::normalize(Vec3(0.2, 0.1, -1.0))}) {
    first.begin();
    skipTo(Lesson::Ring);
    const Vec3 place = 0.74 * arena * way;
    put(place);
    ASSERT_FALSE(first.gates().empty());
    const Vec3& centre = first.gates()[0].centre;
    const Vec3& ship = own().pose.position;
    EXPECT_LE(glm::length(centre), 0.75 * arena + 1e-9);
    EXPECT_GE(glm::distance(centre, ship), std::min(4.0, 1.5 * glm::length(ship)) - 1e-9);
    Vec3 ahead = transformed(own().pose, Vec3(2.0, 1.2, -11.0));
    if (glm::length(ahead) > 0.75 * arena) ahead *= 0.75 * arena / glm::length(ahead);
    if (glm::distance(ahead, ship) < 4.0) {
      ++moved;
      EXPECT_LT(glm::distance(centre, -0.5 * ship), 1e-9) << "on the other side of the middle";
    } else {
      EXPECT_LT(glm::distance(centre, ahead), 1e-9);
    }
  }
  EXPECT_GT(moved, 0u);
}

/// A ring that was passed, or that is far away, is placed again; one beside the ship is not.
TEST_F(Lessons, PlaceTheRingAgainBehindIt) {
  skipTo(Lesson::Ring);
  put({0.0, 0.0, 0.0});
  ASSERT_FALSE(first.gates().empty());
  const engine::Gate ring = first.gates()[0];
  const Vec3 aside = glm::normalize(glm::cross(ring.axis, Vec3(0.0, 1.0, 0.0)));
  put(ring.centre + 4.0 * aside - 1.0 * ring.axis);
  EXPECT_EQ(first.gates()[0].centre, ring.centre);
  put(ring.centre + 4.0 * aside + 2.5 * ring.axis);
  EXPECT_EQ(first.gates()[0].centre, ring.centre) << "just behind it";
  put(ring.centre + 4.0 * aside + 3.5 * ring.axis);
  EXPECT_NE(first.gates()[0].centre, ring.centre);
  EXPECT_EQ(first.lesson(), Lesson::Ring);
  // Far in front of it
  const engine::Gate other = first.gates()[0];
  put(other.centre - 29.0 * other.axis);
  EXPECT_EQ(first.gates()[0].centre, other.centre);
  put(other.centre - 31.0 * other.axis);
  EXPECT_NE(first.gates()[0].centre, other.centre);
  // Straight through it ends the lesson
  const engine::Gate last = first.gates()[0];
  put(last.centre - 1.0 * last.axis);
  put(last.centre + 1.0 * last.axis);
  EXPECT_EQ(first.lesson(), Lesson::NearMiss);
}

/// The way from the place before the ring was placed again leads through nothing.
TEST_F(Lessons, BeginTheWayToTheRingWhereItWasPlaced) {
  skipTo(Lesson::Ring);
  put({0.0, 0.0, 0.0});
  const engine::Gate ring = first.gates()[0];
  // Another flight places the ring again
  first.beginAgain();
  EXPECT_TRUE(first.gates().empty());
  put(ring.centre + 0.5 * ring.axis);
  EXPECT_EQ(first.lesson(), Lesson::Ring);
  EXPECT_FALSE(first.gates().empty());
}

TEST_F(Lessons, NameTheKeysOfTheUser) {
  const auto key = [](Action action) { return firstKeyName(action); };
  EXPECT_EQ(first.line(context),
            fmt::format("Hold {} to thrust. (Enter skips)", key(Action::ThrustForward)));
  skipTo(Lesson::Turn);
  EXPECT_EQ(first.line(context),
            fmt::format("Hold {}, {}, {} or {} to turn. (Enter skips)", key(Action::YawLeft),
                        key(Action::YawRight), key(Action::PitchUp), key(Action::PitchDown)));
  skipTo(Lesson::Ring);
  EXPECT_EQ(first.line(context), "Fly through the bright ring. (Enter skips)");
  skipTo(Lesson::NearMiss);
  EXPECT_NE(first.line(context).find("Pass a ship closely"), std::string::npos);
  skipTo(Lesson::Hit);
  EXPECT_NE(first.line(context).find("touch a ship"), std::string::npos);
  skipTo(Lesson::Offer);
  EXPECT_EQ(first.line(context), fmt::format("Play: {}   Tour: {}   Lab: {}", key(Action::Run),
                                             key(Action::Tour), key(Action::NextOverlay)));
}

TEST_F(Lessons, EndWithAChoiceAndAreSkippedOnlyOnThePlayersFace) {
  // A page above takes the key
  context.ui.pages.numbers = true;
  EXPECT_FALSE(first.handle(context, Action::Confirm));
  EXPECT_EQ(first.lesson(), Lesson::Thrust);
  context.ui.pages.numbers = false;
  context.ui.view.overlay = OverlayMode::Full;
  EXPECT_FALSE(first.handle(context, Action::Confirm));
  EXPECT_EQ(first.lesson(), Lesson::Thrust);
  context.ui.view.overlay = OverlayMode::Player;
  EXPECT_FALSE(first.handle(context, Action::NextOverlay));
  EXPECT_TRUE(first.on()) << "only as the offer";
  EXPECT_FALSE(first.handle(context, Action::Wireframe));
  EXPECT_TRUE(first.on());
  for (const Action choice : {Action::Run, Action::NextMission, Action::Tour}) {
    first.begin();
    EXPECT_FALSE(first.handle(context, choice)) << "the command itself is done as well";
    EXPECT_FALSE(first.on());
  }
  EXPECT_FALSE(first.handle(context, Action::Confirm)) << "it is over";
  first.begin();
  skipTo(Lesson::Offer);
  EXPECT_FALSE(first.handle(context, Action::NextOverlay));
  EXPECT_FALSE(first.on());
  // The command starts them on the player's face
  context.ui.view.overlay = OverlayMode::Full;
  context.ui.view.folded = true;
  first.toggle(context);
  EXPECT_EQ(first.lesson(), Lesson::Thrust);
  EXPECT_EQ(context.ui.view.overlay, OverlayMode::Player);
  EXPECT_FALSE(context.ui.view.folded);
  first.toggle(context);
  EXPECT_FALSE(first.on());
}

}  // namespace
}  // namespace nearmiss::app::fly
