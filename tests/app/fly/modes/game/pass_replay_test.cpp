// SPDX-License-Identifier: MIT
/// The replay of close passes: keys, times, film and texts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <glm/geometric.hpp>
#include <limits>
#include <string>
#include <vector>

#include "app/fly/drawn_text.h"
#include "app/fly/modes.h"
#include "console/text.h"
#include "fly/loop/frame_times.h"

namespace nearmiss::app::fly {
namespace {

/// A finished run whose page offers its closest passes.
class ShownPasses : public Modes {
 protected:
  ShownPasses() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder.path());
    context.screen.width = 64;
    context.screen.height = 48;
    flyRun(2);
    context.ui.pace.speedExponent = 0;
    EXPECT_GE(best().size(), 2u);
  }
  ~ShownPasses() override { std::filesystem::current_path(before_); }
  [[nodiscard]] std::span<const ClosePass> best() const { return replay.passes().best(); }
  [[nodiscard]] Vec3 shown(std::size_t ship) const {
    return context.flight().output().bodies[ship].pose.position;
  }
  /// Where the ship of a pass was at a time.
  [[nodiscard]] static Vec3 placeAt(const ClosePass& pass, double time, std::size_t ship) {
    const auto& frames = pass.frames;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      if (frames[i].time < time) continue;
      const double share = (time - frames[i - 1].time) / (frames[i].time - frames[i - 1].time);
      return glm::mix(frames[i - 1].poses[ship].position, frames[i].poses[ship].position, share);
    }
    return frames.back().poses[ship].position;
  }

  PassReplay& replay = context.modes.passes;

 private:
  std::filesystem::path before_;
};

TEST_F(ShownPasses, AreListedOnThePage) {
  const PageGroup group = passesGroup(context);
  EXPECT_EQ(group.heading, "Closest passes");
  ASSERT_EQ(group.rows.size(), best().size() + 1);
  for (std::size_t i = 0; i < best().size(); ++i) {
    EXPECT_EQ(group.rows[i].left, fmt::format("{:.1f} s", best()[i].miss.time));
    EXPECT_EQ(group.rows[i].right, best()[i].words());
  }
  EXPECT_EQ(group.rows.back().left, "Enter");
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_EQ(view.modes.runEnd->groups.back().heading, "Closest passes");
  EXPECT_EQ(view.modes.runEnd->groups.back().rows.size(), group.rows.size());
  replay.clear(context);
  const PageGroup none = passesGroup(context);
  ASSERT_EQ(none.rows.size(), 1u);
  EXPECT_EQ(none.rows[0].left, "none");
  EXPECT_FALSE(replay.handle(context, Action::Confirm)) << "there is nothing to show";
  EXPECT_FALSE(replay.on());
}

TEST_F(ShownPasses, ShowShipsBetweenTheirFramesAndBeginAgain) {
  ASSERT_TRUE(replay.handle(context, Action::Confirm));
  const ClosePass& pass = best()[0];
  const std::size_t user = context.flight().simulation().userIndex();
  double time = pass.frames.front().time;
  context.times.turnSeconds = 0.1;
  bool began = false;
  for (int turn = 0; turn < 400 && !began; ++turn) {
    context.times.advanced = true;
    EXPECT_TRUE(replay.advance(context));
    EXPECT_FALSE(context.times.advanced) << "nothing is measured";
    time += 0.1 * PassReplay::speed;
    began = time > pass.frames.back().time;
    if (began) time = pass.frames.front().time;
    for (const std::size_t ship : {user, std::size_t{pass.miss.ship}})
      ASSERT_LT(glm::distance(shown(ship), placeAt(pass, time, ship)), 1e-6) << turn;
  }
  EXPECT_TRUE(began) << "the pass is shown again and again";
  // A turn that took long does not skip the pass
  context.times.turnSeconds = 100.0;
  (void)replay.advance(context);
  time += longestRealFrame * PassReplay::speed;
  EXPECT_LT(glm::distance(shown(user), placeAt(pass, time, user)), 1e-6);
}

TEST_F(ShownPasses, PickItsShipsAndLookAtThem) {
  context.ui.view.picked = {best()[1].miss.ship, 0};
  context.view.rig.setMode(CameraMode::Cockpit);
  const auto keyOf = [&](std::size_t ship) { return context.flight().output().bodies[ship].key; };
  const std::uint32_t own = keyOf(context.flight().simulation().userIndex());
  const PickedShips before = context.ui.view.picked;
  apply(context, Action::Confirm);
  EXPECT_EQ(context.ui.view.picked, (PickedShips{own, keyOf(best()[0].miss.ship)}));
  EXPECT_TRUE(context.view.rig.looking());
  EXPECT_FALSE(context.ui.pages.runEnd);
  EXPECT_EQ(replay.line(),
            fmt::format("Pass 1 of {} at 1/8 speed: {}. Enter: next, {}: film.", best().size(),
                        best()[0].words(), firstKeyName(Action::RecordSession)));
  apply(context, Action::Confirm);
  EXPECT_EQ(context.ui.view.picked.b, keyOf(best()[1].miss.ship));
  EXPECT_NE(replay.line().find("Pass 2 of"), std::string::npos);
  EXPECT_EQ(shown(best()[1].miss.ship),
            best()[1].frames.front().poses[best()[1].miss.ship].position);
  // Escape ends it, as do other commands, which are then done
  EXPECT_TRUE(replay.handle(context, Action::Back));
  EXPECT_FALSE(replay.on());
  EXPECT_TRUE(replay.line().empty());
  EXPECT_TRUE(context.ui.pages.runEnd);
  EXPECT_EQ(context.ui.view.picked, before);
  EXPECT_FALSE(context.view.rig.looking());
  EXPECT_EQ(context.view.rig.mode(), CameraMode::Cockpit);
  for (std::size_t i = 0; i < context.flight().output().bodies.size(); ++i)
    EXPECT_EQ(shown(i), context.flight().world().states()[i].pose.position);
  apply(context, Action::Confirm);
  ASSERT_TRUE(replay.on());
  EXPECT_FALSE(replay.handle(context, Action::NextOverlay));
  EXPECT_TRUE(replay.on());
  EXPECT_FALSE(replay.handle(context, Action::Wireframe));
  EXPECT_EQ(replay.on(), commandOf(Action::Wireframe).isSafeIn(SafeIn::All));
  if (!replay.on()) {
    EXPECT_TRUE(replay.handle(context, Action::Confirm));
  }
  EXPECT_FALSE(replay.handle(context, Action::Pause));
  EXPECT_EQ(replay.on(), commandOf(Action::Pause).isSafeIn(SafeIn::All));
}

TEST_F(ShownPasses, LeaveKeysToThePagesAbove) {
  for (bool OpenPages::*page : {&OpenPages::help, &OpenPages::numbers, &OpenPages::quitQuestion}) {
    context.ui.pages.*page = true;
    EXPECT_FALSE(replay.handle(context, Action::Confirm));
    EXPECT_FALSE(replay.on());
    context.ui.pages.*page = false;
  }
  EXPECT_FALSE(replay.handle(context, Action::Back)) << "it is not on";
  context.ui.pages.runEnd = false;
  EXPECT_FALSE(replay.handle(context, Action::Confirm)) << "only from the page";
  context.ui.pages.runEnd = true;
  EXPECT_TRUE(replay.handle(context, Action::Confirm));
}

TEST_F(ShownPasses, AreFilmedOnceFromTheirStart) {
  const auto films = [&] {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator("."))
      if (entry.path().extension() == ".y4m") found.push_back(entry.path());
    return found;
  };
  ASSERT_TRUE(replay.handle(context, Action::Confirm));
  const ClosePass& pass = best()[0];
  const std::size_t user = context.flight().simulation().userIndex();
  context.times.turnSeconds = 0.1;
  for (int turn = 0; turn < 20; ++turn) (void)replay.advance(context);
  EXPECT_TRUE(replay.handle(context, Action::RecordSession));
  ASSERT_TRUE(context.records.film.has_value());
  EXPECT_TRUE(context.toasts.contains("the pass is filmed once from its start"));
  EXPECT_TRUE(films().size() == 1 && films()[0].filename().string().starts_with("nearmiss-pass"));
  double time = pass.frames.front().time;
  int pictures = 0;
  while (context.records.film && pictures < 2000) {
    EXPECT_TRUE(replay.advance(context));
    if (!context.records.film) break;
    EXPECT_TRUE(context.times.advanced) << "a picture of the film is due";
    time += PassReplay::speed / 60.0;
    ++pictures;
    ASSERT_LT(glm::distance(shown(user), placeAt(pass, time, user)), 1e-6)
        << "in steps of the film";
  }
  const double seconds = pass.frames.back().time - pass.frames.front().time;
  EXPECT_NEAR(pictures, seconds * 60.0 / PassReplay::speed, 1.5);
  EXPECT_TRUE(replay.on());
  EXPECT_FALSE(context.times.advanced);
  EXPECT_TRUE(context.toasts.contains("film:"));
  // A second press, the next pass and the end stop it as well
  for (const Action stop : {Action::RecordSession, Action::Confirm, Action::Back}) {
    ASSERT_TRUE(replay.on());
    EXPECT_TRUE(replay.handle(context, Action::RecordSession));
    ASSERT_TRUE(context.records.film.has_value());
    EXPECT_TRUE(replay.handle(context, stop));
    EXPECT_FALSE(context.records.film.has_value());
    context.times.turnSeconds = 0.08;
    if (replay.on()) {
      EXPECT_TRUE(replay.advance(context));
      EXPECT_FALSE(context.times.advanced);
    }
  }
  EXPECT_EQ(films().size(), 4u);
}

/// A film that an option asked for goes on.
TEST_F(ShownPasses, LeaveTheFilmOfAnOptionAlone) {
  auto film = Film::begin("other.y4m", 64, 48, 1.0 / 60.0);
  ASSERT_TRUE(film.has_value());
  context.records.film.emplace(*std::move(film));
  ASSERT_TRUE(replay.handle(context, Action::Confirm));
  EXPECT_TRUE(replay.handle(context, Action::RecordSession));
  EXPECT_FALSE(context.toasts.contains("the pass is filmed"));
  (void)replay.advance(context);
  EXPECT_FALSE(context.times.advanced);
  EXPECT_TRUE(replay.handle(context, Action::Back));
  EXPECT_TRUE(context.records.film.has_value());
}

TEST_F(ShownPasses, WriteTheirGapAndLineIntoThePicture) {
  DrawnText text(1280.0f, 720.0f, 1.0f);
  const auto says = [&] {
    text.next();
    const bool last = replay.label(context, Ink(), {1280.0f, 720.0f}, {});
    return std::pair(last, text.text());
  };
  EXPECT_EQ(says(), std::pair(false, std::string()));
  ASSERT_TRUE(replay.handle(context, Action::Confirm));
  const ClosePass& pass = best()[0];
  // At the moment of the pass the written gap is that of the pass
  context.times.turnSeconds = (pass.miss.time - pass.frames.front().time) / PassReplay::speed;
  while (context.times.turnSeconds > 0.1) {
    const double rest = context.times.turnSeconds - 0.1;
    context.times.turnSeconds = 0.1;
    (void)replay.advance(context);
    context.times.turnSeconds = rest;
  }
  (void)replay.advance(context);
  const Vec3 middle = shown(pass.miss.ship);
  context.view.camera.pose = {middle + Vec3(0.0, 0.0, 6.0), glm::identity<Quat>()};
  context.screen.width = 1280;
  context.screen.height = 720;
  const auto [last, words] = says();
  EXPECT_TRUE(last) << "nothing else is written";
  EXPECT_NE(words.find("gap"), std::string::npos) << words;
  std::string line = replay.line();
  std::erase(line, ' ');
  EXPECT_NE(words.find(line), std::string::npos) << words;
  // On a plain ground in the middle
  const auto grounds = text.shapes(palette::panel);
  ASSERT_FALSE(grounds.empty());
  const Rect& ground = grounds.back();
  EXPECT_NEAR(ground.x + 0.5f * ground.width, 640.0f, 2.0f);
  EXPECT_NEAR(ground.y, 0.8f * 720.0f, 2.0f);
  EXPECT_EQ(DrawnText::textIn(ground, text.drawn()), line);
  const float wide = Ink().textWidth(replay.line());
  EXPECT_GT(ground.width, wide + 0.5f * textSize());
  for (const auto& letter : text.drawn())
    if (letter.rect.y > ground.y) {
      EXPECT_GE(letter.rect.x, ground.x + 0.3f * textSize());
      EXPECT_LE(letter.rect.right(), ground.right() - 0.3f * textSize());
      EXPECT_GE(letter.rect.y, ground.y);
      EXPECT_LE(letter.rect.bottom(), ground.bottom());
    }
  // The player's face has the line itself
  context.ui.view.overlay = OverlayMode::Player;
  EXPECT_TRUE(says().first);
  EXPECT_EQ(says().second.find("speed"), std::string::npos);
  context.ui.view.overlay = OverlayMode::Off;
  EXPECT_EQ(says(), std::pair(false, std::string()));
}

}  // namespace
}  // namespace nearmiss::app::fly
