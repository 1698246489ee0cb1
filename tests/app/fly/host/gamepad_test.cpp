// SPDX-License-Identifier: MIT
/// A controller that SDL pretends: it comes and goes, its sticks and buttons mean what help says.
#include "fly/host/gamepad.h"

#include <SDL.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "fly/host/input.h"

namespace nearmiss::app::fly {
namespace {

TEST(StickCurve, IsStillInTheMiddleAndFullAtTheStop) {
  EXPECT_EQ(stickCurve(0.0), 0.0);
  EXPECT_EQ(stickCurve(0.15), 0.0);
  EXPECT_EQ(stickCurve(-0.15), 0.0);
  EXPECT_DOUBLE_EQ(stickCurve(1.0), 1.0);
  EXPECT_DOUBLE_EQ(stickCurve(-1.0), -1.0);
  EXPECT_DOUBLE_EQ(stickCurve(-1.1), -1.0);
  EXPECT_NEAR(stickCurve(0.575), 0.125, 1e-12) << "half of the way is an eighth";
  for (double d = 0.16; d < 1.0; d += 0.02) EXPECT_GT(stickCurve(d + 0.02), stickCurve(d));
}

class GamepadTest : public testing::Test {
 protected:
  void SetUp() override {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    ASSERT_EQ(SDL_Init(SDL_INIT_EVENTS), 0) << SDL_GetError();
    pad_.emplace().start();
    device_ = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                        SDL_CONTROLLER_BUTTON_MAX, 1);
    ASSERT_GE(device_, 0) << SDL_GetError();
    listen();
    joystick_ = SDL_JoystickOpen(device_);
    ASSERT_NE(joystick_, nullptr);
    // Triggers rest at their lower end
    set(SDL_CONTROLLER_AXIS_TRIGGERLEFT, SDL_JOYSTICK_AXIS_MIN);
    set(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MIN);
    came_ = events_.padCame;
    listen();
  }
  void TearDown() override {
    if (joystick_) SDL_JoystickClose(joystick_);
    if (device_ >= 0 && !gone_) SDL_JoystickDetachVirtual(device_);
    pad_.reset();
    SDL_Quit();
  }

  void listen(PadFocus focus = PadFocus::Ship) {
    events_ = {};
    SDL_Event event;
    while (SDL_PollEvent(&event)) pad_->take(event, focus, events_);
  }
  void set(SDL_GameControllerAxis axis, Sint16 value) {
    SDL_JoystickSetVirtualAxis(joystick_, axis, value);
  }
  std::vector<Action> press(SDL_GameControllerButton button, PadFocus focus = PadFocus::Ship) {
    SDL_JoystickSetVirtualButton(joystick_, button, 1);
    listen(focus);
    const InputEvents seen = events_;
    SDL_JoystickSetVirtualButton(joystick_, button, 0);
    listen(focus);
    events_ = seen;
    return seen.pressed;
  }

  int device_ = -1;
  bool gone_ = false;
  SDL_Joystick* joystick_ = nullptr;
  std::string came_;
  InputEvents events_;
  std::optional<Gamepad> pad_;
};

TEST_F(GamepadTest, ComesAndGoes) {
  EXPECT_FALSE(came_.empty());
  set(SDL_CONTROLLER_AXIS_LEFTX, SDL_JOYSTICK_AXIS_MAX);
  listen();
  EXPECT_NEAR(pad_->control().yaw, -1.0, 1e-3);
  SDL_JoystickClose(joystick_);
  joystick_ = nullptr;
  ASSERT_EQ(SDL_JoystickDetachVirtual(device_), 0);
  gone_ = true;
  listen();
  EXPECT_EQ(events_.padWent, came_);
  EXPECT_EQ(pad_->control().yaw, 0.0);
}

TEST_F(GamepadTest, SteersByItsSticks) {
  EXPECT_EQ(pad_->control().yaw, 0.0);
  EXPECT_EQ(pad_->control().thrust, 0.0);
  // Within the dead zone, then beyond it
  set(SDL_CONTROLLER_AXIS_LEFTX, 4000);
  listen();
  EXPECT_EQ(pad_->control().yaw, 0.0);
  set(SDL_CONTROLLER_AXIS_LEFTY, SDL_JOYSTICK_AXIS_MIN);
  set(SDL_CONTROLLER_AXIS_TRIGGERRIGHT, SDL_JOYSTICK_AXIS_MAX);
  listen();
  EXPECT_NEAR(pad_->control().pitch, 1.0, 1e-3) << "forward is nose up, as the key of that arrow";
  EXPECT_NEAR(pad_->control().thrust, 1.0, 1e-3);
  set(SDL_CONTROLLER_AXIS_RIGHTX, SDL_JOYSTICK_AXIS_MAX);
  listen();
  EXPECT_NEAR(pad_->look().x, 1.0f, 1e-3f);
}

TEST_F(GamepadTest, PressesWhatKeysPress) {
  using Pressed = std::vector<Action>;
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_B), Pressed{Action::NextMethod});
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_START), Pressed{Action::Pause});
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_DPAD_LEFT), Pressed{Action::Tow});
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_DPAD_RIGHT), Pressed{Action::Shoot});
  EXPECT_TRUE(press(SDL_CONTROLLER_BUTTON_DPAD_UP).empty());
  EXPECT_EQ(events_.capSteps, 1);
}

TEST_F(GamepadTest, GoesThroughThePanelWhileThatIsOpen) {
  EXPECT_TRUE(press(SDL_CONTROLLER_BUTTON_DPAD_UP, PadFocus::Panel).empty());
  EXPECT_EQ(events_.capSteps, 0);
  EXPECT_EQ(events_.panelKeys, std::vector<PanelKey>{PanelKey::Up});
  EXPECT_TRUE(press(SDL_CONTROLLER_BUTTON_A, PadFocus::Panel).empty());
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_B, PadFocus::Panel), std::vector<Action>{Action::Back});
}

TEST_F(GamepadTest, AnswersTheCardAtTheEndOfAGame) {
  using Pressed = std::vector<Action>;
  // Also if it steers the second ship of a duel
  for (const bool second : {false, true}) {
    pad_->setSecondPlayer(second);
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_A, PadFocus::Card), Pressed{Action::Restart});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_B, PadFocus::Card), Pressed{Action::Back});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_X, PadFocus::Card), Pressed{Action::Confirm});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_Y, PadFocus::Card), Pressed{Action::NextMission});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_START, PadFocus::Card), Pressed{Action::Pause});
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
