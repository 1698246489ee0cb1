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
#include "support/campaign.h"

namespace nearmiss::app {
namespace {

using namespace std::chrono_literals;

TEST(Window, SurvivesAMonkey) {
  const OwnFolder folder;
  Options options = smallWindow();
  const int events = test::cases(600);
  SplitMix random(20);
  const auto below = [&random](std::size_t n) {
    return static_cast<std::size_t>(random.bits() % n);
  };
  const int code = flyAlong(options, [&] {
    const auto bindings = keyBindings();
    for (int i = 0; i < events; ++i) {
      SDL_Event event{};
      const std::size_t kind = below(20);
      if (kind < 15) {
        const KeyBinding& binding = bindings[below(bindings.size())];
        // Leaving is for the end, and full screen and pictures are slow
        using enum Action;
        const bool leaves = binding.action == Confirm || binding.action == FullScreen ||
                            binding.action == Screenshot;
        if (!leaves) pushKey(binding.key, kind != 0, binding.shift ? KMOD_LSHIFT : KMOD_NONE);
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
  });
  EXPECT_EQ(code, Ok);
}

}  // namespace
}  // namespace nearmiss::app
