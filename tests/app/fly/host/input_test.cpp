// SPDX-License-Identifier: MIT
#include <SDL.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "fly/host/input.h"

namespace nearmiss::app::fly {

// From keys to sticks and actions, by whatever keys are in force.

namespace {

/// Events without a window; the usual keys afterwards.
class Keyboard : public testing::Test {
 protected:
  Keyboard() {
    SDL_Init(SDL_INIT_EVENTS);
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
  }
  ~Keyboard() override {
    useKeys({});
    ImGui::DestroyContext();
    SDL_Quit();
  }
  const InputEvents& push(SDL_Scancode key, bool down = true, SDL_Keymod modifiers = KMOD_NONE) {
    SDL_Event event{};
    event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
    event.key.keysym.scancode = key;
    event.key.keysym.mod = static_cast<Uint16>(modifiers);
    SDL_PushEvent(&event);
    return input_.poll(ui_);
  }
  void give(Action action, KeyPress key) {
    KeyMap keys = currentKeys();
    ASSERT_TRUE(keys.add(action, key).has_value());
    useKeys(keys);
  }

  UiState ui_;
  Input input_;
};

TEST_F(Keyboard, FliesByEveryKeyOfAnAction) {
  give(Action::ThrustForward, {SDL_SCANCODE_9});
  for (const SDL_Scancode key : {SDL_SCANCODE_W, SDL_SCANCODE_9}) {
    push(key);
    EXPECT_EQ(input_.control(ui_).thrust, 1.0);
    push(key, false);
    EXPECT_EQ(input_.control(ui_).thrust, 0.0);
  }
}

TEST_F(Keyboard, GivesAKeyOfTwoActionsToOneOfThem) {
  give(Action::RollLeft, {SDL_SCANCODE_W});
  push(SDL_SCANCODE_W);
  EXPECT_EQ(input_.control(ui_).thrust, 0.0);
  EXPECT_EQ(input_.control(ui_).roll, -1.0);
  // One that acts once is not held
  push(SDL_SCANCODE_W, false);
  give(Action::Pause, {SDL_SCANCODE_S});
  EXPECT_EQ(push(SDL_SCANCODE_S).pressed.size(), 1u);
  EXPECT_EQ(input_.control(ui_).thrust, 0.0);
}

TEST_F(Keyboard, FliesWithShiftUnlessThatMeansSomethingElse) {
  push(SDL_SCANCODE_LSHIFT);
  push(SDL_SCANCODE_W, true, KMOD_LSHIFT);
  EXPECT_EQ(input_.control(ui_).thrust, 1.0);
  give(Action::Pause, {SDL_SCANCODE_W, true});
  EXPECT_EQ(input_.control(ui_).thrust, 0.0);
}

TEST_F(Keyboard, SearchesWhileHelpIsOpen) {
  ui_.pages.help = true;
  EXPECT_EQ(push(SDL_SCANCODE_B).typed, "b");
  EXPECT_TRUE(push(SDL_SCANCODE_W).pressed.empty());
  EXPECT_EQ(input_.control(ui_).thrust, 0.0) << "letters do not fly";
  EXPECT_EQ(push(SDL_SCANCODE_BACKSPACE).typed, "\b");
  EXPECT_EQ(push(SDL_SCANCODE_F1).pressed, std::vector<Action>{Action::Help});
  EXPECT_EQ(push(SDL_SCANCODE_ESCAPE).pressed, std::vector<Action>{Action::Back});
  ui_.pages.help = false;
  EXPECT_TRUE(push(SDL_SCANCODE_B).typed.empty());
}

/// A pointer over the window, told by events.
class Pointer : public Keyboard {
 protected:
  std::optional<glm::vec2> move(int x, int y, int dx = 0, int dy = 0) {
    SDL_Event event{};
    event.type = SDL_MOUSEMOTION;
    event.motion.x = x;
    event.motion.y = y;
    event.motion.xrel = dx;
    event.motion.yrel = dy;
    SDL_PushEvent(&event);
    (void)input_.poll(ui_);
    return input_.pointer();
  }
  std::optional<glm::vec2> window(Uint8 what) {
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = what;
    SDL_PushEvent(&event);
    (void)input_.poll(ui_);
    return input_.pointer();
  }
  /// What ImGui takes for the pointer, whatever its back end has read.
  [[nodiscard]] glm::vec2 placed() const {
    ImGui::GetIO().MousePos = {7.0f, 7.0f};
    input_.placePointer();
    return {ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
  }
};

TEST_F(Pointer, IsWhereItsLastEventSaysWithAndWithoutTheKeyboard) {
  EXPECT_FALSE(input_.pointer());
  EXPECT_EQ(move(120, 80), glm::vec2(120.0f, 80.0f));
  EXPECT_EQ(placed(), glm::vec2(120.0f, 80.0f));
  EXPECT_TRUE(window(SDL_WINDOWEVENT_FOCUS_LOST));
  EXPECT_EQ(move(121, 82, 1, 2), glm::vec2(121.0f, 82.0f));
  EXPECT_EQ(placed(), glm::vec2(121.0f, 82.0f));
  // A jump within the window is one event
  EXPECT_EQ(move(900, 10), glm::vec2(900.0f, 10.0f));
}

TEST_F(Pointer, IsNowhereAfterItHasLeft) {
  EXPECT_TRUE(window(SDL_WINDOWEVENT_ENTER));
  move(120, 80);
  EXPECT_FALSE(window(SDL_WINDOWEVENT_LEAVE));
  EXPECT_LT(placed().x, -1e6f);
  // Back at the same place there is no motion
  EXPECT_EQ(window(SDL_WINDOWEVENT_ENTER), glm::vec2(120.0f, 80.0f));
}

TEST_F(Pointer, IsNowhereWhileItSteers) {
  move(120, 80);
  ui_.steering.mouseSteering = true;
  EXPECT_FALSE(move(120, 80, 40, 0)) << "relative motion";
  EXPECT_FALSE(move(120, 80, 40, 0));
  EXPECT_GT(ui_.steering.stick.x, 0.0f);
  ui_.steering.mouseSteering = false;
  EXPECT_TRUE(move(130, 80, 10, 0));
}

TEST_F(Keyboard, HandsOverTheKeyThatWasAskedForAndNothingElse) {
  ui_.pages.controls = ui_.pages.keyPage = ui_.pages.asksForKey = true;
  EXPECT_FALSE(push(SDL_SCANCODE_LSHIFT).given.has_value());
  const InputEvents& events = push(SDL_SCANCODE_UP, true, KMOD_LSHIFT);
  EXPECT_EQ(events.given, (KeyPress{SDL_SCANCODE_UP, true}));
  EXPECT_TRUE(events.pressed.empty());
  EXPECT_TRUE(events.panelKeys.empty());
  EXPECT_EQ(input_.control(ui_).pitch, 0.0);
  ui_.pages.asksForKey = false;
  EXPECT_FALSE(push(SDL_SCANCODE_UP).given.has_value());
}

}  // namespace

// A controller that SDL pretends: it comes and goes, its sticks and buttons mean what help says.

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

  void listen(PadFor use = PadFor::Ship) {
    events_ = {};
    SDL_Event event;
    while (SDL_PollEvent(&event)) pad_->take(event, use, events_);
  }
  void set(SDL_GameControllerAxis axis, Sint16 value) {
    SDL_JoystickSetVirtualAxis(joystick_, axis, value);
  }
  std::vector<Action> press(SDL_GameControllerButton button, PadFor use = PadFor::Ship) {
    SDL_JoystickSetVirtualButton(joystick_, button, 1);
    listen(use);
    const InputEvents seen = events_;
    SDL_JoystickSetVirtualButton(joystick_, button, 0);
    listen(use);
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
  EXPECT_TRUE(press(SDL_CONTROLLER_BUTTON_DPAD_UP, PadFor::Panel).empty());
  EXPECT_EQ(events_.capSteps, 0);
  EXPECT_EQ(events_.panelKeys, std::vector<PanelKey>{PanelKey::Up});
  EXPECT_TRUE(press(SDL_CONTROLLER_BUTTON_A, PadFor::Panel).empty());
  EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_B, PadFor::Panel), std::vector<Action>{Action::Back});
}

TEST_F(GamepadTest, AnswersTheCardAtTheEndOfAGame) {
  using Pressed = std::vector<Action>;
  // Also if it steers the second ship of a duel
  for (const bool second : {false, true}) {
    pad_->setSecondPlayer(second);
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_A, PadFor::Card), Pressed{Action::Restart});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_B, PadFor::Card), Pressed{Action::Back});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_X, PadFor::Card), Pressed{Action::Confirm});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_Y, PadFor::Card), Pressed{Action::NextMission});
    EXPECT_EQ(press(SDL_CONTROLLER_BUTTON_START, PadFor::Card), Pressed{Action::Pause});
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
