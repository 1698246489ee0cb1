// SPDX-License-Identifier: MIT
/// Models that are dropped on the window in flight.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "e2e/driven_window.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

using namespace std::chrono_literals;

/// Four triangles, in a file of that folder.
std::filesystem::path wedgeIn(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "wedge.obj";
  std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
  return file;
}

TEST(Window, TakesDroppedModelsAndShrugsOffBadOnes) {
  const OwnFolder folder;
  std::ofstream(folder.path() / "broken.obj") << "v 0 0 0\nf 1 2 9999\n";
  const std::filesystem::path wedge = wedgeIn(folder.path());
  Options options = smallWindow();
  options.records.profile = "before.csv";
  bool changed = false;
  const int code = flyAlong(options, [&] {
    // The profile is opened when the first scene flies
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    for (const char* bad : {"broken.obj", "nothing.stl"}) {
      pushDrop(folder.path() / bad);
      std::this_thread::sleep_for(500ms);
    }
    EXPECT_FALSE(recorded(folder.path(), "wedge"));
    pushDrop(wedge);
    // What is recorded names the scene that flies
    changed = waitUntil([&] {
      pushKey(SDL_SCANCODE_F9, true);
      return recorded(folder.path(), "wedge");
    });
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(changed);
  EXPECT_EQ(contents("before.csv").find("wedge"), std::string::npos);
}

/// The BSP trees of the new model are not there yet; when they are, it goes on as chosen.
TEST(Window, KeepsTheMethodWhenAModelIsDropped) {
  const OwnFolder folder;
  const std::filesystem::path wedge = wedgeIn(folder.path());
  Options options = smallWindow();
  options.records.profile = "before.csv";
  options.cacheFolder = folder.path() / "cache";
  const std::string byBsp = ",bsp,";
  bool chosen = false, kept = false;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    pushKey(SDL_SCANCODE_B, true);
    const auto fliesByBsp = [&](const std::string& scene) {
      return waitUntil([&] {
        pushKey(SDL_SCANCODE_F9, true);
        return recorded(folder.path(), scene, byBsp);
      });
    };
    chosen = fliesByBsp("lamps");
    pushDrop(wedge);
    kept = fliesByBsp("wedge");
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(chosen);
  EXPECT_TRUE(kept);
}

/// A model that takes so long to load that the switch comes before it flies.
TEST(Window, KeepsTheBroadPhaseThatIsChosenWhileAModelLoads) {
  const OwnFolder folder;
  const std::filesystem::path star = folder.path() / "star.obj";
  std::ofstream(star) << test::asObj(test::spikyStar(1, 40, 60));
  Options options = smallWindow();
  options.scene.broad = "all-pairs";
  options.records.profile = "before.csv";
  const std::string next = nextBroadPhase(options.scene);
  bool flies = false;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    pushDrop(star);
    std::this_thread::sleep_for(50ms);
    pushKey(SDL_SCANCODE_B, true, KMOD_LSHIFT);
    flies = waitUntil([&] {
      pushKey(SDL_SCANCODE_F9, true);
      return recorded(folder.path(), "# scene: star\n");
    });
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(flies);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    const std::string text = contents(entry.path());
    if (text.find("# scene: star\n") == std::string::npos) continue;
    EXPECT_NE(text.find("# detector: " + next + " + sphere-tree\n"), std::string::npos)
        << text.substr(0, 800);
  }
}

}  // namespace
}  // namespace nearmiss::app::fly
