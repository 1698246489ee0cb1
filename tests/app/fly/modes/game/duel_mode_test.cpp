// SPDX-License-Identifier: MIT
/// Duels in the window: the computer and a controller as second player, views, refusals, the end
/// card, and replays.
#include "fly/modes/game/duel_mode.h"

#include <SDL.h>
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
#include "app/fly/modes.h"
#include "fly/flight/throttle.h"
#include "fly/loop/loop.h"
#include "fly/modes/game/player_face.h"

namespace nearmiss::app::fly {
namespace {

using engine::Duel;
using engine::DuelState;
using Kind = engine::HandAct::Kind;

const LoadedScene& duelScene() {
  static const LoadedScene loaded = flownScene(std::string(Duel::scene), true);
  return loaded;
}

class DuelFlight : public Modes {
 protected:
  DuelFlight() {
    takeOffRecorded(duelScene());
    context.times.turnSeconds = 1.0 / 60.0;
    mode().beginAgain(context);
  }
  [[nodiscard]] DuelMode& mode() noexcept { return context.modes.duel; }
  [[nodiscard]] const Duel& duel() const { return *context.modes.duel.duel(); }
  [[nodiscard]] static Vec3 noseOf(const BodyState& ship) {
    return ship.pose.rotation * Vec3(0.0, 0.0, -1.0);
  }
  /// Puts a body at rest with the next frame.
  void put(std::size_t index, const Vec3& place) {
    engine::HandAct act;
    act.ship = body(index).key;
    act.position = place;
    context.flight().acts().add(act);
  }
  /// Acts of the last frame by the second ship.
  [[nodiscard]] std::vector<engine::HandAct> actsOf(Kind kind) const {
    std::vector<engine::HandAct> found;
    for (const engine::HandAct& act : context.flight().acts().last())
      if (act.kind == kind && act.ship == body(Duel::rival).key) found.push_back(act);
    return found;
  }
  void warmUp() { fly(static_cast<int>(60.0 * Duel::warmUp) + 1); }
  /// Repeats the flight so far from its session.
  void expectReplayed() {
    auto player = savedSession();
    ASSERT_TRUE(player.has_value()) << player.error().message;
    while (!(*player)->atEnd()) ASSERT_TRUE((*player)->step());
    EXPECT_FALSE((*player)->difference());
    EXPECT_EQ(engine::stateHash((*player)->simulation().world().ships()), state());
  }
};

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

/// A controller that SDL pretends.
class DuelOfTwo : public DuelFlight {
 protected:
  void SetUp() override {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    ASSERT_EQ(SDL_Init(SDL_INIT_EVENTS), 0) << SDL_GetError();
    imgui_.emplace(1280.0f, 720.0f, 1.0f);
    context.input.startGamepad();
    ASSERT_FALSE(context.input.gamepad().connected());
  }
  void TearDown() override {
    detach();
    imgui_.reset();
  }
  ~DuelOfTwo() override { SDL_QuitSubSystem(SDL_INIT_EVENTS); }
  void attach() {
    device_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                        SDL_CONTROLLER_BUTTON_MAX, 1);
    ASSERT_GE(device_, 0) << SDL_GetError();
    joystick_ = SDL_JoystickOpen(device_);
    ASSERT_NE(joystick_, nullptr);
    // Triggers rest at their lower end
    set(SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
    set(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
    turn(2);
  }
  void detach() {
    if (!joystick_) return;
    SDL_JoystickClose(joystick_);
    joystick_ = nullptr;
    SDL_JoystickDetachVirtual(device_);
  }
  void set(SDL_GameControllerAxis axis, Sint16 value) {
    SDL_JoystickSetVirtualAxis(joystick_, axis, value);
  }
  void press(SDL_GameControllerButton button, bool down = true) {
    SDL_JoystickSetVirtualButton(joystick_, button, down);
  }
  /// Turns of the loop with their input.
  void turn(int turns = 1) {
    for (int i = 0; i < turns; ++i) {
      handleUserInput(context);
      fly();
    }
  }

  int device_ = -1;
  SDL_Joystick* joystick_ = nullptr;
  std::optional<DrawnText> imgui_;
};

TEST_F(DuelOfTwo, IsTakenOverByAControllerAndByTheComputer) {
  turn(10);
  EXPECT_FALSE(mode().secondPlayer().human());
  attach();
  EXPECT_TRUE(mode().secondPlayer().human());
  EXPECT_TRUE(mode().splits(context));
  EXPECT_TRUE(context.toasts.contains("the controller steers the second ship"));
  // It steers the second ship only
  set(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
  set(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MAX);
  turn(2);
  ASSERT_EQ(actsOf(Kind::Steer).size(), 1u);
  EXPECT_NEAR(actsOf(Kind::Steer)[0].control.yaw, -1.0, 1e-3);
  EXPECT_GT(actsOf(Kind::Steer)[0].control.thrust, 0.3);
  EXPECT_EQ(context.steering.control.yaw, 0.0);
  EXPECT_EQ(context.steering.control.thrust, 0.0);
  // Its buttons change nothing of the first player's window
  const Method method = context.ui.detection.method;
  const CameraMode camera = context.view.rig.mode();
  for (const auto button : {SDL_CONTROLLER_BUTTON_B, SDL_CONTROLLER_BUTTON_Y,
                            SDL_CONTROLLER_BUTTON_DPAD_LEFT, SDL_CONTROLLER_BUTTON_BACK}) {
    press(button);
    turn();
    press(button, false);
    turn();
  }
  EXPECT_EQ(context.ui.detection.method, method);
  EXPECT_EQ(context.view.rig.mode(), camera);
  EXPECT_FALSE(context.modes.tow.on());
  press(SDL_CONTROLLER_BUTTON_START);
  turn();
  EXPECT_TRUE(context.ui.pace.paused);
  press(SDL_CONTROLLER_BUTTON_START, false);
  turn();
  press(SDL_CONTROLLER_BUTTON_START);
  turn();
  press(SDL_CONTROLLER_BUTTON_START, false);
  EXPECT_FALSE(context.ui.pace.paused);
  detach();
  turn(3);
  EXPECT_FALSE(mode().secondPlayer().human());
  EXPECT_FALSE(mode().splits(context));
  EXPECT_TRUE(context.toasts.contains("against the computer"));
  ASSERT_EQ(actsOf(Kind::Steer).size(), 1u);
  expectReplayed();
}

TEST_F(DuelOfTwo, LooksAroundBehindTheSecondShip) {
  attach();
  const auto seen = [&](FlightView& view) {
    view.look(context.flight(), context.ui, 0.0);
    return view.camera.pose.rotation;
  };
  const Quat first = seen(context.view), second = seen(mode().secondView());
  const BodyState &own = body(Duel::rival), &other = body(0);
  const Vec3 eye = mode().secondView().camera.pose.position;
  EXPECT_LT(glm::distance(eye, own.pose.position), 8.0 * own.shape.radius());
  EXPECT_GT(glm::distance(eye, other.pose.position), 4.0 * own.shape.radius());
  context.ui.pace.paused = true;
  set(SDL_CONTROLLER_AXIS_RIGHTX, SDL_JOYSTICK_AXIS_MAX);
  turn(20);
  set(SDL_CONTROLLER_AXIS_RIGHTX, 0);
  EXPECT_LT(std::abs(glm::dot(seen(mode().secondView()), second)), 0.99);
  EXPECT_NEAR(std::abs(glm::dot(seen(context.view), first)), 1.0, 1e-9);
  press(SDL_CONTROLLER_BUTTON_RIGHTSTICK);
  turn();
  press(SDL_CONTROLLER_BUTTON_RIGHTSTICK, false);
  EXPECT_NEAR(std::abs(glm::dot(seen(mode().secondView()), second)), 1.0, 1e-6);
}

TEST_F(DuelOfTwo, SteersTheUsersShipInOtherScenes) {
  attach();
  takeOffRecorded(lamps());
  mode().beginAgain(context);
  EXPECT_EQ(mode().duel(), nullptr);
  set(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
  turn(2);
  EXPECT_NEAR(context.steering.control.yaw, -1.0, 1e-3);
  EXPECT_TRUE(context.flight().acts().last().empty());
}

TEST_F(DuelOfTwo, ShootsAtItsPaceAndThrows) {
  attach();
  put(Duel::rival, {0.0, 30.0, 0.0});
  put(0, {0.0, -30.0, 0.0});
  warmUp();
  // While the button is down
  press(SDL_CONTROLLER_BUTTON_A);
  std::size_t shots = 0;
  for (int frame = 0; frame < 120; ++frame) {
    turn();
    shots += actsOf(Kind::Shoot).size();
  }
  press(SDL_CONTROLLER_BUTTON_A, false);
  EXPECT_GE(shots, 4u);
  EXPECT_LE(shots, 5u);
  EXPECT_EQ(duel().shots(1), shots);
  EXPECT_EQ(duel().shots(0), 0u);
  // A rock before the bow, thrown at the first ship
  constexpr std::size_t rock = 2;
  for (int frame = 0; frame < 3; ++frame) {
    put(rock, body(Duel::rival).pose.position + 5.0 * noseOf(body(Duel::rival)));
    turn();
  }
  press(SDL_CONTROLLER_BUTTON_X);
  turn();
  press(SDL_CONTROLLER_BUTTON_X, false);
  turn(5);
  ASSERT_EQ(mode().secondPlayer().beam().body(), body(rock).key);
  EXPECT_FALSE(actsOf(Kind::Push).empty()) << "the ship feels its load";
  press(SDL_CONTROLLER_BUTTON_A);
  turn();
  EXPECT_FALSE(mode().secondPlayer().beam().on());
  const Vec3 target = body(rock).pose.position + 5.0 * noseOf(body(Duel::rival));
  for (int frame = 0; frame < 150 && duel().hits(1).throws == 0; ++frame) {
    put(0, target);
    turn();
  }
  EXPECT_EQ(duel().hits(1).throws, 1u);
  EXPECT_EQ(duel().shots(1), shots) << "a button that has thrown does not shoot";
  expectReplayed();
}

/// Two people: no best runs, and the advice is for the loser.
TEST_F(DuelOfTwo, EndsWithACard) {
  attach();
  warmUp();
  for (int frame = 0; mode().on() && frame < 181 * 60; ++frame) {
    if (frame % 3 == 0) put(Duel::rival, body(0).pose.position + 5.0 * noseOf(body(0)));
    if (frame % 3 == 0) apply(context, Action::Shoot);
    turn();
  }
  ASSERT_EQ(duel().state(), DuelState::FirstWon);
  const OverlayView view = described();
  ASSERT_TRUE(view.modes.runEnd.has_value());
  EXPECT_EQ(view.modes.runEnd->title, "Duel: Player 1 wins 5 : 0");
  ASSERT_EQ(view.modes.runEnd->groups.size(), 2u);
  EXPECT_EQ(view.modes.runEnd->groups[1].heading, "Next time, Player 2");
  EXPECT_TRUE(engine::readBestRuns(engine::bestRunsFolder())->runs.empty());
}

TEST(DuelAdvice, IsOneSentence) {
  std::vector<BodyState> bodies(2 + engine::Shots::most);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].key = static_cast<std::uint32_t>(i + 1);
  for (const std::size_t shots : {0u, 6u, 30u})
    for (const std::size_t hits : {0u, 3u})
      for (const std::size_t throws : {0u, 5u}) {
        Duel duel;
        duel.begin(bodies, 0, 1);
        engine::FrameOutput output;
        output.bodies = bodies;
        output.shots = engine::Shots::most;
        engine::HandAct shoot;
        shoot.kind = Kind::Shoot;
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
