// SPDX-License-Identifier: MIT
/// A duel of two players: the second one has a controller.
#include <SDL.h>
#include <engine/game/tow_beam.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>

#include "app/fly/drawn_text.h"
#include "app/fly/duel_flight.h"
#include "fly/flight/throttle.h"
#include "fly/loop/loop.h"
#include "fly/modes/game/player_face.h"

namespace nearmiss::app::fly {
namespace {

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
  EXPECT_EQ(duel().shots(1), shots) << "a press that throws does not shoot as well";
  expectReplayed();
}

/// A duel of two people does not enter the best runs, and the advice is for the loser.
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

}  // namespace
}  // namespace nearmiss::app::fly
