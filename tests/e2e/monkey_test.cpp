// SPDX-License-Identifier: MIT
/// Keys, clicks and sizes at random in the whole window. NEARMISS_CAMPAIGN=100 pushes 60,000
/// events.
#include <SDL.h>
#include <gtest/gtest.h>
#include <nearmiss/split_mix.h>

#include <chrono>
#include <cstddef>
#include <thread>

#include "e2e/driven_window.h"
#include "fly/host/key_bindings.h"
#include "fly/panel/key_layouts.h"
#include "fly/settings/window_settings.h"
#include "support/campaign.h"

namespace nearmiss::app {
namespace {

using namespace std::chrono_literals;

/// Keys, clicks and movements, of which a key is one of the actions' in `keys`.
void pushAtRandom(int events, SplitMix random, const KeyMap& keys) {
  const auto below = [&random](std::size_t n) {
    return static_cast<std::size_t>(random.bits() % n);
  };
  const auto bindings = keyBindings();
  for (int i = 0; i < events; ++i) {
    SDL_Event event{};
    const std::size_t kind = below(20);
    if (kind < 15) {
      const KeyBinding& binding = bindings[below(bindings.size())];
      // Leaving is for the end, and full screen and pictures are slow
      using enum Action;
      const bool leaves =
          binding.action == Confirm || binding.action == FullScreen || binding.action == Screenshot;
      const auto own = keys.of(binding.action);
      const KeyPress key = own[below(own.size())];
      if (!leaves) pushKey(key.key, kind != 0, key.shift ? KMOD_LSHIFT : KMOD_NONE);
    } else if (kind < 17) {
      event.type = kind == 15 ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
      event.button.button = static_cast<Uint8>(1 + below(3));
      event.button.x = static_cast<Sint32>(below(320));
      // Not where the question about leaving has its buttons
      event.button.y = static_cast<Sint32>(below(40));
      SDL_PushEvent(&event);
    } else if (kind < 19) {
      event.type = SDL_MOUSEMOTION;
      event.motion.state = static_cast<Uint32>(below(8));
      event.motion.x = static_cast<Sint32>(below(320));
      event.motion.y = static_cast<Sint32>(below(40));
      event.motion.xrel = static_cast<Sint32>(below(41)) - 20;
      event.motion.yrel = static_cast<Sint32>(below(41)) - 20;
      SDL_PushEvent(&event);
    } else {
      event.type = SDL_MOUSEWHEEL;
      event.wheel.preciseY = static_cast<float>(below(7)) - 3.0f;
      SDL_PushEvent(&event);
    }
    std::this_thread::sleep_for(2ms);
  }
}

TEST(Window, SurvivesAMonkey) {
  const OwnFolder folder;
  const int events = test::cases(600);
  EXPECT_EQ(flyAlong(smallWindow(), [&] { pushAtRandom(events, SplitMix(20), KeyMap()); }), Ok);
}

TEST(Window, SurvivesAMonkeyWithKeysOfItsOwn) {
  const OwnFolder folder;
  WindowSettings settings;
  settings.keys = keyLayouts().back().keys();
  settings.palette = Palette::Contrast;
  const SettingsMemory memory{folder.path() / "window.toml", false};
  ASSERT_TRUE(keepSettings(memory.file, settings).has_value());
  const int events = test::cases(300);
  const auto push = [&] { pushAtRandom(events, SplitMix(21), settings.keys); };
  EXPECT_EQ(flyAlong(smallWindow(), push, memory), Ok);
}

}  // namespace
}  // namespace nearmiss::app
