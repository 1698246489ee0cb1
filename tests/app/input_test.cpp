// SPDX-License-Identifier: MIT
/// From keys to sticks and actions, by whatever keys are in force.
#include "fly/host/input.h"

#include <SDL.h>
#include <gtest/gtest.h>
#include <imgui.h>

namespace nearmiss::app {
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
    KeyMap keys = keysInForce();
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

TEST_F(Keyboard, HandsOverTheKeyThatWasAskedForAndNothingElse) {
  ui_.controls = ui_.keyPage = ui_.asksForKey = true;
  EXPECT_FALSE(push(SDL_SCANCODE_LSHIFT).given.has_value());
  const InputEvents& events = push(SDL_SCANCODE_UP, true, KMOD_LSHIFT);
  EXPECT_EQ(events.given, (KeyPress{SDL_SCANCODE_UP, true}));
  EXPECT_TRUE(events.pressed.empty());
  EXPECT_TRUE(events.panelKeys.empty());
  EXPECT_EQ(input_.control(ui_).pitch, 0.0);
  ui_.asksForKey = false;
  EXPECT_FALSE(push(SDL_SCANCODE_UP).given.has_value());
}

}  // namespace
}  // namespace nearmiss::app
