// SPDX-License-Identifier: MIT
/// The table of keys: no key means two things, nothing is left without help.
#include "fly/host/key_bindings.h"

#include <SDL_keyboard.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "fly/actions.h"

namespace nearmiss::app {
namespace {

TEST(KeyBindings, EveryKeyMeansOneThing) {
  std::map<std::pair<SDL_Scancode, bool>, Action> taken;
  for (const KeyBinding& binding : keyBindings()) {
    for (const SDL_Scancode key : {binding.key, binding.otherKey}) {
      if (key == SDL_SCANCODE_UNKNOWN) continue;
      const auto [place, isNew] = taken.insert({{key, binding.shift}, binding.action});
      EXPECT_TRUE(isNew) << SDL_GetScancodeName(key);
    }
  }
  EXPECT_GT(taken.size(), 40u);
}

TEST(KeyBindings, EveryActionHasOneKeyAndAText) {
  std::set<Action> bound;
  for (const KeyBinding& binding : keyBindings()) {
    EXPECT_TRUE(bound.insert(binding.action).second) << binding.text;
    EXPECT_FALSE(binding.text.empty());
    EXPECT_NE(binding.key, SDL_SCANCODE_UNKNOWN);
  }
  // Confirm is the last of the actions
  EXPECT_EQ(bound.size(), static_cast<std::size_t>(Action::Confirm) + 1);
}

TEST(KeyBindings, EveryKeyThatIsPressedHasAnEffectAndOneThatIsHeldHasNone) {
  for (const KeyBinding& binding : keyBindings())
    EXPECT_EQ(hasEffect(binding.action), !binding.held) << binding.text;
}

}  // namespace
}  // namespace nearmiss::app
