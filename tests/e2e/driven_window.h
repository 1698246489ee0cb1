// SPDX-License-Identifier: MIT
/// The whole window on SDL's offscreen driver, its events pushed from another thread.
#pragma once

#include <SDL.h>
#include <engine/scene/scene.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include "fly/fly.h"
#include "support/files.h"
#include "support/watched_window.h"
#include "support/window_events.h"

namespace nearmiss::app::fly {

using test::pushDrop;
using test::pushKey;
using test::pushQuit;

/// A folder of its own as working folder: flying writes files where it stands.
class OwnFolder {
 public:
  OwnFolder() : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder_.path());
  }
  ~OwnFolder() { std::filesystem::current_path(before_); }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  std::filesystem::path before_;
  test::TemporaryFolder folder_;
};

inline Options smallWindow() {
  Options options;
  options.window.headless = true;
  options.window.width = 320;
  options.window.height = 200;
  options.scene.name = "lamps";
  options.scene.frameMs = 5.0;
  options.scene.tree = "octree";  // the quickest
  options.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-monkey-cache";
  return options;
}

/// Flies while `script` pushes events; whatever it did, the window is closed after it.
inline int flyAlong(const Options& options, const std::function<void()>& script,
                    const SettingsMemory& memory = {}) {
  using namespace std::chrono_literals;
  std::jthread user([&script] {
    while (SDL_WasInit(SDL_INIT_VIDEO) == 0) std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(1500ms);
    script();
    pushQuit();
  });
  return flyScene(options, memory);
}

inline std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Looks until it is so, at most two minutes: a slow machine only takes longer.
inline bool waitUntil(const std::function<bool()>& so) {
  using namespace std::chrono_literals;
  for (int i = 0; i < 240; ++i) {
    if (so()) return true;
    std::this_thread::sleep_for(500ms);
  }
  return false;
}

/// Counts the frames that the window shows, while it lives.
class FramesShown {
 public:
  FramesShown() {
    test::watchFrames([this](SDL_Window*) { ++count_; });
  }
  ~FramesShown() { test::watchFrames({}); }
  FramesShown(const FramesShown&) = delete;
  FramesShown& operator=(const FramesShown&) = delete;

  /// Lets `count` more pass, at most two minutes: what a key does shows within two of them.
  void pass(int count) const {
    using namespace std::chrono_literals;
    const int last = count_ + count;
    for (int i = 0; i < 24000 && count_ < last; ++i) std::this_thread::sleep_for(5ms);
  }

 private:
  std::atomic<int> count_ = 0;
};

/// True if a profile that a key has recorded in `folder` names `scene`, and has `row` in a row.
inline bool recorded(const std::filesystem::path& folder, const std::string& scene,
                     const std::string& row = "") {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("nearmiss-profile")) continue;
    const std::string text = contents(entry.path());
    if (text.find(scene) != std::string::npos && text.find(row) != std::string::npos) return true;
  }
  return false;
}

/// The one that Shift+B changes to from what the scene flies with.
inline std::string nextBroadPhase(const engine::Scene& scene) {
  const auto phases = broadPhaseCatalog();
  const auto at = std::ranges::find(phases, engine::broadPhaseOf(scene), &BroadPhaseEntry::name);
  EXPECT_NE(at, phases.end());
  const bool last = at == phases.end() || at + 1 == phases.end();
  return std::string((last ? phases.front() : *(at + 1)).name);
}

}  // namespace nearmiss::app::fly
