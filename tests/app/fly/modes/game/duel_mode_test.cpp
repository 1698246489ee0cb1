// SPDX-License-Identifier: MIT
/// Duels against the computer: views, refusals, the end card, and replays.
#include <engine/game/tow_beam.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/duel_flight.h"
#include "fly/flight/throttle.h"
#include "fly/loop/loop.h"
#include "fly/modes/game/player_face.h"

namespace nearmiss::app::fly {
namespace {

TEST_F(DuelFlight, IsFlownAgainstTheComputerWithoutAController) {
  ASSERT_TRUE(mode().on());
  EXPECT_FALSE(mode().splits(context));
  EXPECT_TRUE(context.toasts.contains("against the computer"));
  context.ui.view.overlay = OverlayMode::Player;
  EXPECT_NE(playerView(context).line.find("the computer 5 times"), std::string::npos);
  EXPECT_TRUE(isHeavy(context.flight().scene()));
  const auto& limits = context.flight().world().ships().definition(Duel::rival).limits;
  EXPECT_EQ(limits, heavyLimits) << "both ships are equal";
  EXPECT_EQ(context.flight().world().ships().definition(Duel::rival).mass,
            context.flight().world().ships().definition(0).mass);
  // A user who does nothing is shot
  bool shot = false;
  for (int frame = 0; mode().on() && frame < 181 * 60; ++frame) {
    fly();
    ASSERT_EQ(actsOf(Kind::Steer).size(), 1u);
    shot = shot || !actsOf(Kind::Shoot).empty();
    if (frame < 170) {
      ASSERT_FALSE(shot) << "weapons are cold";
    }
  }
  EXPECT_TRUE(shot);
  ASSERT_TRUE(mode().ended());
  EXPECT_EQ(duel().state(), DuelState::SecondWon);
  EXPECT_TRUE(context.ui.pages.runEnd && context.ui.pace.paused);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_NE(view.modes.runEnd->title.find("Computer wins 5 : 0"), std::string::npos);
  ASSERT_EQ(view.modes.runEnd->groups.size(), 3u);
  EXPECT_EQ(view.modes.runEnd->groups[0].rows[1].left, "Computer");
  EXPECT_NE(view.modes.runEnd->groups[0].rows[1].right.find("5 by shots"), std::string::npos);
  EXPECT_EQ(view.modes.runEnd->groups[1].heading, "Next time");
  EXPECT_EQ(duel().points(0), 0);
  EXPECT_TRUE(engine::readBestRuns(engine::bestRunsFolder())->runs.empty()) << "earned nothing";
  expectReplayed();
  // Again
  EXPECT_TRUE(context.restart(3));
  ASSERT_TRUE(mode().on());
  EXPECT_FALSE(context.ui.pages.runEnd || context.ui.pace.paused);
  EXPECT_EQ(duel().hits(1).total(), 0u);
  EXPECT_EQ(duel().time(), 0.0);
}

TEST_F(DuelFlight, CountsTheUsersShotsAndThrows) {
  warmUp();
  // The rival stands before the user's bow
  const auto shootAtRival = [&] {
    for (int frame = 0; frame < 90; ++frame) {
      put(Duel::rival, body(0).pose.position + 5.0 * noseOf(body(0)));
      fly();
      // Several presses in one frame are one shot
      if (frame == 2) {
        apply(context, Action::Shoot);
        apply(context, Action::Shoot);
      }
    }
  };
  put(0, {0.0, 30.0, 0.0});
  shootAtRival();
  EXPECT_EQ(duel().shots(0), 1u);
  EXPECT_EQ(duel().hits(0).shots, 1u);
  // A rock, grabbed and thrown
  constexpr std::size_t rock = 2;
  for (int frame = 0; frame < 3; ++frame) {
    put(Duel::rival, {0.0, -30.0, 0.0});
    put(rock, body(0).pose.position + 5.0 * noseOf(body(0)));
    fly();
  }
  apply(context, Action::Tow);
  ASSERT_EQ(context.modes.tow.beam().body(), body(rock).key);
  fly(5);
  apply(context, Action::Shoot);
  EXPECT_FALSE(context.modes.tow.on());
  const Vec3 target = body(rock).pose.position + 5.0 * noseOf(body(0));
  for (int frame = 0; frame < 150 && duel().hits(0).throws == 0; ++frame) {
    put(Duel::rival, target);
    fly();
  }
  EXPECT_EQ(duel().hits(0).throws, 1u);
  EXPECT_EQ(duel().shots(0), 1u);
  // Neither the other ship nor shots can be towed
  context.modes.tow.release();
  put(rock, {0.0, 0.0, -20.0});
  put(Duel::rival, body(0).pose.position + 4.0 * noseOf(body(0)));
  fly();
  apply(context, Action::Tow);
  EXPECT_FALSE(context.modes.tow.on());
}

TEST_F(DuelFlight, IsAmongTheBestRunsOnceItIsWon) {
  warmUp();
  put(0, {0.0, 30.0, 0.0});
  for (int frame = 0; mode().on() && frame < 181 * 60; ++frame) {
    if (frame % 3 == 0) put(Duel::rival, body(0).pose.position + 5.0 * noseOf(body(0)));
    if (frame % 3 == 0) apply(context, Action::Shoot);
    fly();
  }
  ASSERT_EQ(duel().state(), DuelState::FirstWon);
  const auto best = engine::readBestRuns(engine::bestRunsFolder());
  ASSERT_EQ(best->runs.size(), 1u);
  EXPECT_EQ(best->runs[0].scene, Duel::scene);
  EXPECT_EQ(best->runs[0].points, duel().points(0));
  EXPECT_GT(best->runs[0].points, 0);
  EXPECT_EQ(best->runs[0].hits, duel().hits(1).total());
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_TRUE(view.modes.runEnd->groups.back().rows[0].right.ends_with(", this run"));
}

TEST_F(DuelFlight, FliesBack) {
  warmUp();
  put(0, {0.0, 30.0, 0.0});
  fly();
  const Vec3 target = body(0).pose.position + 5.0 * noseOf(body(0));
  const auto flyAtRival = [&](int frames) {
    for (int frame = 0; frame < frames; ++frame) {
      put(Duel::rival, target);
      fly();
    }
  };
  flyAtRival(2);
  apply(context, Action::Shoot);
  flyAtRival(5);
  const Real between = time();
  flyAtRival(90);
  ASSERT_EQ(duel().hits(0).shots, 1u);
  ASSERT_EQ(duel().shots(0), 1u);
  // To a moment between the shot and its hit
  context.steering.rewinds = true;
  for (int turn = 0; turn < 1000 && time() > between; ++turn) fly();
  context.steering.rewinds = false;
  flyAtRival(1);
  EXPECT_EQ(duel().hits(0).shots, 0u);
  EXPECT_EQ(duel().shots(0), 1u);
  EXPECT_NEAR(duel().time(), time(), 1e-9);
  flyAtRival(90);
  EXPECT_EQ(duel().hits(0).shots, 1u) << "it hits again";
  EXPECT_TRUE(mode().on());
  expectReplayed();
}

TEST_F(DuelFlight, RefusesWhatItCannotBeCombinedWith) {
  apply(context, Action::SplitView);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_TRUE(context.toasts.contains("one view only"));
  context.modes.split.await();
  context.modes.split.pursue(context);
  EXPECT_FALSE(context.modes.split.on());
  EXPECT_TRUE(context.toasts.contains("one detector"));
  apply(context, Action::Faster);
  EXPECT_EQ(context.ui.pace.speedExponent, 0);
  // The key of runs restarts the duel
  fly(30);
  apply(context, Action::Run);
  EXPECT_FALSE(context.modes.run.on());
  ASSERT_TRUE(mode().on());
  EXPECT_LT(duel().time(), 0.01);
  // It waits for the bench, and has no tour
  fly(5);
  const Real waited = duel().time();
  context.ui.view.twoViews = true;
  EXPECT_TRUE(mode().splits(context));
  apply(context, Action::Tour);
  EXPECT_FALSE(context.modes.tour.on());
  EXPECT_TRUE(context.toasts.contains("a duel has no tour"));
  apply(context, Action::Bench);
  ASSERT_TRUE(context.modes.bench.on());
  EXPECT_FALSE(mode().splits(context) || mode().shown(context));
  fly(5);
  EXPECT_EQ(duel().time(), waited);
  apply(context, Action::Bench);
  ASSERT_FALSE(context.modes.bench.on());
  fly();
  EXPECT_GT(duel().time(), waited);
  EXPECT_LT(duel().time(), waited + 0.1);
  // Photo mode has a camera of its own
  apply(context, Action::Photo);
  EXPECT_FALSE(mode().splits(context));
  apply(context, Action::Photo);
  EXPECT_TRUE(mode().splits(context));
  // Ships are not moved by hand, and nothing is picked in two views
  EXPECT_TRUE(mode().grab(context, {600.0f, 400.0f}));
}

TEST_F(DuelFlight, StartsOnlyWhereSomebodyFliesItsScene) {
  LoadedScene scene = duelScene();
  scene.scene.arena.flown = false;
  takeOffRecorded(scene);
  mode().beginAgain(context);
  EXPECT_EQ(mode().duel(), nullptr);
  scene = duelScene();
  scene.scene.name = "other";
  takeOffRecorded(scene);
  mode().beginAgain(context);
  EXPECT_EQ(mode().duel(), nullptr);
  EXPECT_TRUE(mode().takeShot());
  EXPECT_TRUE(mode().notTowed(context.flight()).empty());
}

/// The letters of both halves, and which of them meet.
TEST_F(DuelFlight, WritesTheScoreOfEachPlayer) {
  for (const OverlayMode overlay : {OverlayMode::Player, OverlayMode::Full})
    for (const bool two : {false, true})
      for (const glm::vec2 size : {glm::vec2(1280.0f, 720.0f), glm::vec2(900.0f, 600.0f)}) {
        const DrawnText drawn(size.x, size.y, 1.0f);
        context.screen.width = static_cast<int>(size.x);
        context.screen.height = static_cast<int>(size.y);
        context.ui.view.overlay = overlay;
        context.ui.view.twoViews = two;
        holdNumbers(context);
        const OverlayView view = describeScreen(context, false);
        EXPECT_EQ(view.player.has_value(), overlay == OverlayMode::Player && !two);
        (void)context.panels.overlay.place(view);
        const Ink ink;
        for (Mode* each : context.modes.all())
          if (each->label(context, ink, size, context.panels.overlay.grounds())) break;
        const auto letters = drawn.drawn();
        const Rect left{0.0f, 0.0f, 0.5f * size.x, size.y};
        const Rect right{0.5f * size.x, 0.0f, 0.5f * size.x, size.y};
        const auto has = [&](const Rect& area, std::string_view words) {
          return DrawnText::textIn(area, letters).find(words) != std::string::npos;
        };
        if (two) {
          EXPECT_TRUE(has(left, "3:00")) << DrawnText::textIn(left, letters);
          EXPECT_TRUE(has(right, "3:00")) << DrawnText::textIn(right, letters);
          for (const Rect& half : {left, right}) {
            EXPECT_TRUE(has(half, "Player1"));
            EXPECT_TRUE(has(half, "Computer"));
            EXPECT_TRUE(has(half, "Weaponsarereadyin3s"));
          }
        } else {
          EXPECT_TRUE(has({0.0f, 0.0f, size.x, size.y}, "3:00"));
          EXPECT_TRUE(has({0.0f, 0.0f, size.x, size.y}, "Weaponsarereadyin3s"));
        }
        // No letter lies over another one
        for (std::size_t i = 0; i < letters.size(); ++i)
          for (std::size_t j = i + 1; j < letters.size(); ++j)
            ASSERT_FALSE(meets(letters[i].rect.inset(1.0f), letters[j].rect.inset(1.0f)))
                << drawn.text();
      }
}

TEST(DuelAdvice, IsOneSentence) {
  std::vector<BodyState> bodies(2 + engine::Shots::most);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].key = static_cast<std::uint32_t>(i + 1);
  for (const std::size_t shots : {0u, 6u, 30u})
    for (const std::size_t hits : {0u, 3u})
      for (const std::size_t throws : {0u, 5u}) {
        engine::Duel duel;
        duel.begin(bodies, 0, 1);
        engine::FrameOutput output;
        output.bodies = bodies;
        output.shots = engine::Shots::most;
        engine::HandAct shoot;
        shoot.kind = engine::HandAct::Kind::Shoot;
        const std::vector<engine::HandAct> acts(shots, shoot);
        std::vector<engine::Collision> collisions;
        for (std::size_t i = 0; i < hits; ++i) {
          collisions.emplace_back().a = 1;
          collisions.back().b = static_cast<std::uint32_t>(2 + i);
        }
        output.collisions = collisions;
        output.profile.simTime = 1.0;
        (void)duel.take(output, acts);
        for (std::size_t i = 0; i < throws; ++i) duel.noteThrow(0, 99);
        for (const std::size_t player : {0u, 1u}) {
          const std::string advice = duelAdvice(duel, player);
          EXPECT_TRUE(advice.ends_with(".")) << advice;
          EXPECT_EQ(advice.find(". "), std::string::npos) << advice;
        }
      }
}

}  // namespace
}  // namespace nearmiss::app::fly
