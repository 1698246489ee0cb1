// SPDX-License-Identifier: MIT
/// Flights in the window: their pace, the free camera, and detectors that keys switch.
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <glm/geometric.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "e2e/driven_window.h"
#include "fly/loop/loop.h"

namespace nearmiss::app::fly {
namespace {

using namespace std::chrono_literals;

/// Columns of the profile's last row less those of its first.
std::vector<double> spanOf(const std::string& profile) {
  std::istringstream in(profile);
  std::vector<std::vector<double>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#' || line[0] == 'f') continue;
    std::istringstream cells(line);
    std::vector<double>& row = rows.emplace_back();
    // frame, t_s, sim_s
    for (std::string cell; row.size() < 3 && std::getline(cells, cell, ',');)
      row.push_back(std::stod(cell));
  }
  if (rows.size() < 2) return {0.0, 0.0, 0.0};
  std::vector<double> span;
  for (std::size_t c = 0; c < 3; ++c) span.push_back(rows.back()[c] - rows.front()[c]);
  return span;
}

/// However long its frames are; with fixed steps the frames alone count.
TEST(Window, FliesOneSimulatedSecondASecond) {
  const OwnFolder folder;
  for (const auto& [frameMs, fixed] : {std::pair{8.0, false}, {40.0, false}, {40.0, true}}) {
    Options options = smallWindow();
    options.scene.frameMs = frameMs;
    options.scene.drones[0].count = 2;
    options.scene.fixedStep = fixed;
    options.scene.simStep = 0.1;
    options.records.profile = "pace.csv";
    std::filesystem::remove("pace.csv");
    const FramesShown frames;
    const int code = flyAlong(options, [&] {
      (void)waitUntil([] { return std::filesystem::exists("pace.csv"); });
      std::this_thread::sleep_for(1500ms);
      frames.pass(6);
    });
    EXPECT_EQ(code, Ok);
    const std::vector<double> span = spanOf(contents("pace.csv"));
    ASSERT_GT(span[0], 3.0) << frameMs;
    if (fixed) {
      EXPECT_NEAR(span[2], 0.1 * span[0], 1e-6);
    } else {
      // A stall of the machine is not made up for; nothing ever goes ahead of the clock
      EXPECT_LT(span[2], 1.1 * span[1] + 0.2) << frameMs;
      const bool keepsUp = span[1] < 2e-3 * frameMs * span[0];
      EXPECT_TRUE(!keepsUp || span[2] > 0.5 * span[1]) << frameMs << ": " << span[2];
    }
  }
}

/// Where the free camera ends in a flight without drones, W held for so long, and how long that
/// was.
std::pair<Vec3, double> flownFreely(const Options& options, std::chrono::milliseconds hold) {
  std::filesystem::remove(options.records.profile);
  auto window = Window::open(options);
  auto renderer = Renderer::create();
  EXPECT_TRUE(window.has_value() && renderer.has_value());
  Loop loop(options, *std::move(window), *std::move(renderer));
  double held = 0.0;
  std::jthread user([&] {
    std::this_thread::sleep_for(500ms);
    (void)waitUntil([&] { return std::filesystem::exists(options.records.profile); });
    for (int press = 0; press < 3; ++press) pushKey(SDL_SCANCODE_C, true);
    std::this_thread::sleep_for(500ms);
    if (hold.count() > 0) {
      const auto began = std::chrono::steady_clock::now();
      pushKey(SDL_SCANCODE_W, true);
      std::this_thread::sleep_for(hold);
      pushKey(SDL_SCANCODE_W, false);
      held = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    }
    std::this_thread::sleep_for(500ms);
    pushQuit();
  });
  EXPECT_EQ(loop.run(), Ok);
  return {loop.camera().pose.position, held};
}

/// The flight stands still meanwhile, and goes on as it was.
TEST(Window, TakesAPhotoOfTwiceItsSize) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.window.width = 500;  // no window is made smaller than 480 x 300
  options.window.height = 320;
  const auto photo = []() -> std::string {
    for (const auto& entry : std::filesystem::directory_iterator("."))
      if (entry.path().filename().string().starts_with("nearmiss-photo"))
        return contents(entry.path());
    return {};
  };
  auto window = Window::open(options);
  auto renderer = Renderer::create();
  ASSERT_TRUE(window.has_value() && renderer.has_value());
  Loop loop(options, *std::move(window), *std::move(renderer));
  std::jthread user([&] {
    std::this_thread::sleep_for(1500ms);
    pushKey(SDL_SCANCODE_F3, true);
    pushKey(SDL_SCANCODE_F10, true);
    (void)waitUntil([&] { return !photo().empty(); });
    pushKey(SDL_SCANCODE_ESCAPE, true);
    std::this_thread::sleep_for(500ms);
    pushQuit();
  });
  EXPECT_EQ(loop.run(), Ok);
  // Width and height stand in the head of a PNG file, the highest byte first
  const std::string file = photo();
  ASSERT_GT(file.size(), 24u);
  const auto byte = [&file](std::size_t i) { return static_cast<unsigned char>(file[i]); };
  EXPECT_EQ(byte(18) * 256 + byte(19), 1000);
  EXPECT_EQ(byte(22) * 256 + byte(23), 640);
}

/// By the keys that thrust, as far as its speed and the time say.
TEST(Window, FliesTheFreeCamera) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.scene.drones[0].count = 0;
  options.scene.frameMs = 10.0;
  options.records.profile = "fly.csv";
  const Vec3 start = flownFreely(options, 0ms).first;
  const auto [end, held] = flownFreely(options, 1500ms);
  // Four ship radii a second, the radius of a lamp being one metre; less by whatever a frame takes
  // longer than the camera believes on a busy machine
  EXPECT_GT(glm::distance(start, end), 0.1 * 4.0 * held);
  EXPECT_LT(glm::distance(start, end), 1.3 * 4.0 * held + 1.0);
}

/// Held in the record: the next broad phase of the catalogue, with the same narrow phase, once
/// `press` has switched to it.
template <class Press>
void expectNextBroadPhase(const Press& press) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.records.profile = "before.csv";
  const std::string next = nextBroadPhase(options.scene);
  bool changed = false;
  const FramesShown frames;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    press(frames);
    changed = waitUntil([&] {
      pushKey(SDL_SCANCODE_F9, true);
      frames.pass(3);
      return recorded(folder.path(), next + " + sphere-tree", ",sphere-tree,");
    });
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(changed) << next;
}

TEST(Window, SwitchesTheBroadPhaseInFlight) {
  expectNextBroadPhase([](const FramesShown&) { pushKey(SDL_SCANCODE_B, true, KMOD_LSHIFT); });
}

/// By the panel of controls and its arrow keys: one row down is the broad phase.
TEST(Window, SwitchesByThePanel) {
  expectNextBroadPhase([](const FramesShown& frames) {
    for (const SDL_Scancode key : {SDL_SCANCODE_F2, SDL_SCANCODE_DOWN, SDL_SCANCODE_RIGHT}) {
      pushKey(key, true);
      // The panel has its keys from the frame after the one that opens it
      frames.pass(3);
    }
  });
}

/// A flight that is headless does so only where a file is named.
TEST(Window, RemembersWhatWasChosenInTheFlightBefore) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.records.profile = "flown.csv";
  const std::filesystem::path file = folder.path() / "settings" / "window.toml";
  const FramesShown frames;
  const auto press = [&frames](SDL_Scancode key) {
    std::filesystem::remove("flown.csv");
    return [key, &frames] {
      (void)waitUntil([] { return std::filesystem::exists("flown.csv"); });
      pushKey(key, true);
      frames.pass(3);
    };
  };
  EXPECT_EQ(flyAlong(options, press(SDL_SCANCODE_G), {file, false}), Ok);
  EXPECT_NE(contents(file).find("reduced_flashing = true"), std::string::npos);
  // The next one begins with it
  EXPECT_EQ(flyAlong(options, press(SDL_SCANCODE_V), {file, false}), Ok);
  EXPECT_NE(contents(file).find("reduced_flashing = true"), std::string::npos);
  EXPECT_NE(contents(file).find("wireframe = true"), std::string::npos);
  EXPECT_EQ(flyAlong(options, press(SDL_SCANCODE_UNKNOWN), {file, true}), Ok);
  EXPECT_NE(contents(file).find("reduced_flashing = false"), std::string::npos);

  std::filesystem::remove(file);
  EXPECT_EQ(flyAlong(options, press(SDL_SCANCODE_G)), Ok);
  EXPECT_FALSE(std::filesystem::exists(file));
}

/// What the record names as published, and after it. Trees follow when they are built, see
/// published_switch_test: longer than a test should wait.
TEST(Window, TakesOverThePublishedTechniqueAndGivesItBack) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.scene.broad = "all-pairs";
  options.records.profile = "before.csv";
  bool there = false, back = false;
  const FramesShown frames;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    const auto flies = [&](const std::string& detector) {
      return waitUntil([&] {
        pushKey(SDL_SCANCODE_F9, true);
        frames.pass(3);
        return recorded(folder.path(), "# detector: " + detector + "\n");
      });
    };
    pushKey(SDL_SCANCODE_U, true);
    there = flies("space-time + sphere-tree-all");
    pushKey(SDL_SCANCODE_U, true);
    back = flies("all-pairs + sphere-tree");
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(there);
  EXPECT_TRUE(back);
}

}  // namespace
}  // namespace nearmiss::app::fly
