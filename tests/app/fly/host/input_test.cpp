// SPDX-License-Identifier: MIT
/// How keys become stick positions and actions, with the usual keys and with others.
#include <SDL.h>
#include <gtest/gtest.h>
#include <imgui.h>

#include <optional>
#include <string>
#include <vector>

#include "fly/host/input.h"

namespace nearmiss::app::fly {
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

}  // namespace nearmiss::app::fly
