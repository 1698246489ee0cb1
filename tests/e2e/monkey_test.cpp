// SPDX-License-Identifier: MIT
/// Keys, clicks, files and sizes at random in the whole window. NEARMISS_CAMPAIGN=167 pushes more
/// than 100,000 events.
#include <SDL.h>
#include <glad/gl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <utility>

#include "e2e/driven_window.h"
#include "fly/command/command.h"
#include "fly/panel/key_editor.h"
#include "fly/settings/window_settings.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/watched_window.h"

namespace nearmiss::app::fly {
namespace {

using namespace std::chrono_literals;

/// Gives the window the sizes that somebody asks for, between two frames: SDL allows that to no
/// other thread than the one that draws.
class Resizing {
 public:
  Resizing() {
    test::watchFrames([this](SDL_Window* window) {
      if (const int wanted = wanted_.exchange(0))
        SDL_SetWindowSize(window, wanted >> 16, wanted & 0xFFFF);
      int width = 0, height = 0;
      SDL_GL_GetDrawableSize(window, &width, &height);
      sizes_.emplace(width, height);
      seen_ = sizes_.size();
      ++frames_;
    });
  }
  ~Resizing() { test::watchFrames({}); }
  void ask(int width, int height) {
    wanted_ = (width << 16) | height;
    width_ = width;
    height_ = height;
  }
  /// What was asked for last.
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }
  /// Number of frame sizes so far.
  [[nodiscard]] std::size_t seen() const { return seen_; }
  /// However slow the machine is, the window shows two of them before it closes, if its first frame
  /// comes after all events too; not where the events have closed it, as they may if a slow frame
  /// takes all of them at once.
  void awaitTwo() {
    for (int frames = -1, wide = 480; seen() < 2 && frames != frames_; wide += 16) {
      ask(wide, 300);
      frames = frames_;
      std::this_thread::sleep_for(5s);
    }
  }
  /// True if a size must have changed by now.
  [[nodiscard]] bool flewOn() const { return frames_ > 20; }

 private:
  std::atomic<int> wanted_ = 0;
  int width_ = 320, height_ = 200;       ///< of the pushing thread
  std::set<std::pair<int, int>> sizes_;  ///< of the drawing thread
  std::atomic<std::size_t> seen_ = 0;
  std::atomic<int> frames_ = 0;
};

/// One that can be flown, one that cannot, and one that is none.
std::array<std::filesystem::path, 3> filesToDrop(const std::filesystem::path& folder) {
  std::array files{folder / "wedge.off", folder / "broken.obj", folder / "letter.txt"};
  std::ofstream(files[0]) << "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n"
                          << "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
  std::ofstream(files[1]) << "v 0 0 0\nv 1 0 0\nf 1 2 7\n";
  std::ofstream(files[2]) << "no model\n";
  return files;
}

/// Keys, clicks, movements, files and sizes, of which a key is one of the actions' in `keys`.
void pushAtRandom(int events, SplitMix random, const KeyMap& keys, Resizing& sizes) {
  const auto files = filesToDrop(std::filesystem::current_path());
  const auto below = [&random](std::size_t n) {
    return static_cast<std::size_t>(random.bits() % n);
  };
  // Anywhere but where the question about leaving has its buttons
  const auto pointAtRandom = [&](Sint32& x, Sint32& y) {
    const int wide = sizes.width(), high = sizes.height(), box = std::max(high / 5, 60);
    x = static_cast<Sint32>(below(static_cast<std::size_t>(wide)));
    do y = static_cast<Sint32>(below(static_cast<std::size_t>(high)));
    while (std::abs(y - high / 2) < box);
  };
  std::vector<Action> actions;
  for (const Command& command : commands())
    if (command.hasDefaultKey()) actions.push_back(command.action);
  for (int i = 0; i < events; ++i) {
    SDL_Event event{};
    const std::size_t kind = below(20);
    if (below(100) == 0)
      sizes.ask(static_cast<int>(200 + below(800)), static_cast<int>(150 + below(500)));
    // Each is read, and its trees are built: not so often that nothing ever flies
    if (below(300) == 0) pushDrop(files[below(files.size())]);
    if (kind < 15) {
      const Action action = actions[below(actions.size())];
      // Leaving is for the end, and pictures are slow
      using enum Action;
      const bool leaves = action == Confirm || (action == Screenshot && below(20) != 0);
      const auto own = keys.of(action);
      const KeyPress key = own[below(own.size())];
      if (!leaves) pushKey(key.key, kind != 0, key.shift ? KMOD_LSHIFT : KMOD_NONE);
    } else if (kind < 17) {
      event.type = kind == 15 ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP;
      event.button.button = static_cast<Uint8>(1 + below(3));
      pointAtRandom(event.button.x, event.button.y);
      SDL_PushEvent(&event);
    } else if (kind < 19) {
      event.type = SDL_MOUSEMOTION;
      event.motion.state = static_cast<Uint32>(below(8));
      pointAtRandom(event.motion.x, event.motion.y);
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

TEST(DriverMessages, AreHeard) {
  test::watchFrames([](SDL_Window*) {
    glEnable(GL_TRIANGLES);  // nothing that can be enabled
    pushQuit();
  });
  EXPECT_EQ(flyScene(smallWindow()), Ok);
  test::watchFrames({});
  EXPECT_THAT(test::takeDriverMessages(), testing::Not(testing::IsEmpty()));
}

TEST(Window, SurvivesAMonkey) {
  const OwnFolder folder;
  const int events = test::cases(400);
  Resizing sizes;
  const auto push = [&] {
    pushAtRandom(events, SplitMix(20 + test::campaignSeed()), KeyMap(), sizes);
    sizes.awaitTwo();
  };
  EXPECT_EQ(flyAlong(smallWindow(), push), Ok);
  EXPECT_THAT(test::takeDriverMessages(), testing::IsEmpty());
  EXPECT_TRUE(sizes.seen() > 1 || !sizes.flewOn());
}

TEST(Window, SurvivesAMonkeyWithKeysOfItsOwn) {
  const OwnFolder folder;
  WindowSettings settings;
  settings.keys = keyLayouts().back().keys();
  settings.palette = Palette::Contrast;
  const SettingsMemory memory{folder.path() / "window.toml", false};
  ASSERT_TRUE(saveSettings(memory.file, settings).has_value());
  const int events = test::cases(200);
  Resizing sizes;
  const auto push = [&] {
    pushAtRandom(events, SplitMix(21 + test::campaignSeed()), settings.keys, sizes);
    sizes.awaitTwo();
  };
  EXPECT_EQ(flyAlong(smallWindow(), push, memory), Ok);
  EXPECT_THAT(test::takeDriverMessages(), testing::IsEmpty());
  EXPECT_TRUE(sizes.seen() > 1 || !sizes.flewOn());
}

}  // namespace
}  // namespace nearmiss::app::fly
