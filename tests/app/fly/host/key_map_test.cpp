// SPDX-License-Identifier: MIT
/// Keys as the user has them: found, given, taken away, refused; and what help says of them.
#include "fly/host/key_map.h"

#include <SDL_keyboard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "fly/overlay/panels.h"
#include "fly/panel/key_editor.h"

namespace nearmiss::app::fly {
namespace {

/// The usual keys afterwards, whatever a test does.
class KeysInForce : public testing::Test {
 protected:
  ~KeysInForce() override { useKeys({}); }
};

Action done(const KeyMap& keys, KeyPress key) {
  const Command* found = keys.find(key);
  EXPECT_NE(found, nullptr) << keyName(key);
  return found ? found->action : Action::Confirm;
}

TEST(KeyMap, FindsTheUsualKeysWithAndWithoutShift) {
  const KeyMap keys;
  EXPECT_EQ(done(keys, {SDL_SCANCODE_R, false}), Action::Restart);
  EXPECT_EQ(done(keys, {SDL_SCANCODE_R, true}), Action::NewSeed);
  // Shift does not hide a key that means nothing else with it
  EXPECT_EQ(done(keys, {SDL_SCANCODE_F, true}), Action::NextTree);
  EXPECT_EQ(done(keys, {SDL_SCANCODE_B, true}), Action::NextBroadPhase);
  EXPECT_EQ(done(keys, {SDL_SCANCODE_KP_3, false}), Action::Cap3);
  EXPECT_EQ(keys.find({SDL_SCANCODE_UNKNOWN, false}), nullptr);
  // They belong to debuggers
  EXPECT_EQ(keys.find({SDL_SCANCODE_F12, false}), nullptr);
  EXPECT_EQ(keys.find({SDL_SCANCODE_PRINTSCREEN, false}), nullptr);
  EXPECT_TRUE(keys.conflicts().empty());
}

TEST(KeyMap, HasAnyNumberOfKeysForAnAction) {
  KeyMap keys;
  const KeyPress nine{SDL_SCANCODE_9, false}, menu{SDL_SCANCODE_MENU, true};
  ASSERT_TRUE(keys.add(Action::Pause, nine).has_value());
  ASSERT_TRUE(keys.add(Action::Pause, menu).has_value());
  ASSERT_TRUE(keys.add(Action::Pause, menu).has_value());
  EXPECT_EQ(keys.of(Action::Pause).size(), 3u);
  for (const KeyPress& key : {nine, menu, KeyPress{SDL_SCANCODE_SPACE, false}})
    EXPECT_EQ(done(keys, key), Action::Pause);
  EXPECT_FALSE(keys.isDefault(Action::Pause));
  ASSERT_TRUE(keys.remove(Action::Pause, nine).has_value());
  EXPECT_EQ(keys.find(nine), nullptr);
  keys.setDefault(Action::Pause);
  EXPECT_TRUE(keys == KeyMap());
}

TEST(KeyMap, DoesWhatTheUserGaveAKeyAndTellsWhatItUsuallyDoes) {
  for (const auto& [given, usual] : {std::pair{Action::Wireframe, Action::NearestShips},
                                     std::pair{Action::Help, Action::NearestShips}}) {
    KeyMap keys;
    const KeyPress k{SDL_SCANCODE_K, false};
    ASSERT_TRUE(keys.add(given, k).has_value());
    EXPECT_EQ(done(keys, k), given);
    const auto conflicts = keys.conflicts();
    ASSERT_EQ(conflicts.size(), 1u);
    EXPECT_EQ(conflicts[0].key, k);
    EXPECT_EQ(conflicts[0].done, given);
    EXPECT_EQ(conflicts[0].idle, usual);
    ASSERT_TRUE(keys.remove(usual, k).has_value());
    EXPECT_TRUE(keys.conflicts().empty());
  }
}

TEST(KeyMap, NeverLosesTheWayBack) {
  KeyMap keys;
  for (const SDL_Scancode key : {SDL_SCANCODE_ESCAPE, SDL_SCANCODE_RETURN, SDL_SCANCODE_KP_ENTER}) {
    for (const bool shift : {false, true})
      EXPECT_FALSE(keys.add(Action::Pause, {key, shift}).has_value());
    EXPECT_FALSE(keys.remove(key == SDL_SCANCODE_ESCAPE ? Action::Back : Action::Confirm, {key})
                     .has_value());
  }
  EXPECT_TRUE(keys.set(Action::Back, {}).has_value());
  EXPECT_EQ(done(keys, {SDL_SCANCODE_ESCAPE, false}), Action::Back);
  EXPECT_FALSE(keys.remove(Action::OpenControls, {SDL_SCANCODE_F2}).has_value());
  EXPECT_FALSE(keys.set(Action::OpenControls, {}).has_value());
  // With a second one the first may go
  ASSERT_TRUE(keys.add(Action::OpenControls, {SDL_SCANCODE_9}).has_value());
  EXPECT_TRUE(keys.remove(Action::OpenControls, {SDL_SCANCODE_F2}).has_value());
}

TEST(KeyMap, RefusesKeysThatCannotDoIt) {
  KeyMap keys;
  EXPECT_FALSE(keys.add(Action::Pause, {SDL_SCANCODE_F12}).has_value());
  EXPECT_FALSE(keys.add(Action::Pause, {SDL_SCANCODE_LSHIFT}).has_value());
  EXPECT_FALSE(keys.add(Action::YawLeft, {SDL_SCANCODE_9, true}).has_value());
  // Boost acts beside the keys that Shift modifies
  KeyMap other;
  EXPECT_TRUE(other.add(Action::Boost, {SDL_SCANCODE_RSHIFT}).has_value());
  EXPECT_EQ(done(other, {SDL_SCANCODE_RSHIFT, true}), Action::Boost);
  // Keys without a name could not be remembered
  EXPECT_FALSE(keys.add(Action::Pause, {SDL_SCANCODE_UNKNOWN}).has_value());
  EXPECT_FALSE(keys.add(Action::Pause, {static_cast<SDL_Scancode>(3), true}).has_value());
  EXPECT_TRUE(keys == KeyMap());
}

TEST(KeyNames, ReadBack) {
  for (const std::string_view name : allKeyNames())
    for (const bool shift : {false, true}) {
      const auto key = keyNamed(name);
      ASSERT_TRUE(key.has_value()) << name;
      EXPECT_EQ(keyNamed(keyName({key->key, shift})), (KeyPress{key->key, shift})) << name;
    }
  EXPECT_GT(allKeyNames().size(), 100u);
  EXPECT_FALSE(keyNamed("Shift+").has_value());
  EXPECT_FALSE(keyNamed("").has_value());
}

TEST(KeyLayouts, ReachEveryActionAndMeanOneThing) {
  ASSERT_GE(keyLayouts().size(), 3u);
  EXPECT_TRUE(keyLayouts().front().keys() == KeyMap());
  for (const KeyLayout& layout : keyLayouts()) {
    const KeyMap keys = layout.keys();
    EXPECT_TRUE(keys.conflicts().empty()) << layout.name;
    for (const Command& command : commands())
      EXPECT_EQ(keys.of(command.action).empty(), !command.hasDefaultKey())
          << layout.name << ": " << command.name;
  }
}

TEST(KeyLayouts, HaveForOneHandAllThatFlies) {
  using enum Action;
  // Keys from the left edge to the middle, and from the middle to the right edge
  const std::string left = "QWERTASDFGZXCVB`123456", right = "YUIOPHJKLNM7890-=[];'\\,./";
  const std::array hands{std::pair{left, 1u}, std::pair{right, 2u}};
  for (const auto& [reach, layout] : hands) {
    const KeyMap keys = keyLayouts()[layout].keys();
    for (const Command& command : commands()) {
      const bool often = command.action == StopRotation || command.action == FineControl ||
                         command.action == MouseSteering || command.action == NextMethod ||
                         command.action == NextCamera || command.action == Wireframe;
      if (!command.held && !often) continue;
      EXPECT_TRUE(std::ranges::any_of(keys.of(command.action),
                                      [&reach = reach](const KeyPress& key) {
                                        const std::string name = SDL_GetScancodeName(key.key);
                                        return name.size() == 1 &&
                                               reach.find(name) != std::string::npos;
                                      }))
          << keyLayouts()[layout].name << ": " << command.name;
    }
  }
}

TEST_F(KeysInForce, AreWhatHelpShows) {
  KeyMap keys;
  ASSERT_TRUE(keys.add(Action::Pause, {SDL_SCANCODE_9, true}).has_value());
  ASSERT_TRUE(keys.set(Action::Sound, {}).has_value());
  ASSERT_TRUE(keys.set(Action::Cap1, std::array{KeyPress{SDL_SCANCODE_KP_1}}).has_value());
  ASSERT_TRUE(keys.add(Action::Wireframe, {SDL_SCANCODE_K}).has_value());
  useKeys(keys);
  const auto shown = [](std::string_view text) {
    for (const PageGroup& group : helpGroups())
      for (const PageRow& row : group.rows)
        if (row.right == text) return row.left;
    return std::string();
  };
  EXPECT_EQ(shown("Pause"), "Space, Shift+9");
  EXPECT_EQ(shown("All sound; its volumes are below"), "no key");
  EXPECT_EQ(shown("Refine to level 1 at most"), "Keypad 1");
  EXPECT_EQ(shown("Level 2 at most"), "2");
  // A key that two have is shown where it does something
  EXPECT_EQ(shown("Wireframe"), "V, K");
  EXPECT_EQ(shown("Which of two ships is nearer, and how far"), "no key");
}

}  // namespace
}  // namespace nearmiss::app::fly
