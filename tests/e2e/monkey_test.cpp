// SPDX-License-Identifier: MIT
/// The whole window on SDL's offscreen driver, its events pushed from another thread: models
/// dropped in flight, and keys, clicks and sizes at random. NEARMISS_CAMPAIGN=100 pushes 60,000
/// events.
#include <SDL.h>
#include <gtest/gtest.h>
#include <nearmiss/detector_catalog.h>
#include <nearmiss/sphere_tree_builder.h>
#include <nearmiss/split_mix.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <glm/geometric.hpp>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "fly/flight_loop.h"
#include "fly/fly.h"
#include "fly/host/key_bindings.h"
#include "support/campaign.h"
#include "support/files.h"
#include "support/meshes.h"

namespace nearmiss::app {
namespace {

using namespace std::chrono_literals;

/// A folder of its own as working folder: flying writes files where it stands.
class OwnFolder {
 public:
  OwnFolder() : before_(std::filesystem::current_path()) {
    path_ =
        std::filesystem::path(testing::TempDir()) /
        ("nearmiss-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
    std::filesystem::create_directories(path_);
    std::filesystem::current_path(path_);
  }
  ~OwnFolder() {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(path_);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path before_, path_;
};

Options smallWindow() {
  Options options;
  options.headless = true;
  options.width = 320;
  options.height = 200;
  options.scene.name = "lamps";
  options.scene.frameMs = 5.0;
  options.scene.tree = "octree";  // the quickest
  options.cacheFolder = std::filesystem::path(testing::TempDir()) / "nearmiss-monkey-cache";
  return options;
}

void pushKey(SDL_Scancode key, bool down, SDL_Keymod modifiers = KMOD_NONE) {
  SDL_Event event{};
  event.type = down ? SDL_KEYDOWN : SDL_KEYUP;
  event.key.state = down ? SDL_PRESSED : SDL_RELEASED;
  event.key.keysym.scancode = key;
  event.key.keysym.mod = static_cast<Uint16>(modifiers);
  SDL_PushEvent(&event);
}

void pushQuit() {
  SDL_Event event{};
  event.type = SDL_QUIT;
  SDL_PushEvent(&event);
}

void pushDrop(const std::filesystem::path& file) {
  SDL_Event event{};
  event.type = SDL_DROPFILE;
  event.drop.file = SDL_strdup(file.c_str());
  SDL_PushEvent(&event);
}

/// Flies while `script` pushes events; whatever it did, the window is closed after it.
int flyAlong(const Options& options, const std::function<void()>& script) {
  std::jthread user([&script] {
    while (SDL_WasInit(SDL_INIT_VIDEO) == 0) std::this_thread::sleep_for(5ms);
    std::this_thread::sleep_for(1500ms);
    script();
    pushQuit();
  });
  return fly(options);
}

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// Looks until it is so, at most two minutes: a slow machine only takes longer.
bool waitUntil(const std::function<bool()>& so) {
  for (int i = 0; i < 240; ++i) {
    if (so()) return true;
    std::this_thread::sleep_for(500ms);
  }
  return false;
}

/// Whether a profile that a key has recorded in `folder` names `scene`, and has `row` in a row.
bool recorded(const std::filesystem::path& folder, const std::string& scene,
              const std::string& row = "") {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.path().filename().string().starts_with("nearmiss-profile")) continue;
    const std::string text = contents(entry.path());
    if (text.find(scene) != std::string::npos && text.find(row) != std::string::npos) return true;
  }
  return false;
}

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
  options.profile = "before.csv";
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
  options.profile = "before.csv";
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
    options.profile = "pace.csv";
    std::filesystem::remove("pace.csv");
    const int code = flyAlong(options, [] {
      (void)waitUntil([] { return std::filesystem::exists("pace.csv"); });
      std::this_thread::sleep_for(1500ms);
    });
    EXPECT_EQ(code, Ok);
    const std::vector<double> span = spanOf(contents("pace.csv"));
    ASSERT_GT(span[0], 3.0) << frameMs;
    if (fixed) {
      EXPECT_NEAR(span[2], 0.1 * span[0], 1e-6);
    } else {
      // A stall of the machine is not made up for; nothing ever goes ahead of the clock
      EXPECT_LT(span[2], 1.1 * span[1] + 0.2) << frameMs;
      EXPECT_GT(span[2], 0.5 * span[1]) << frameMs;
    }
  }
}

/// Where the free camera ends in a flight without drones, W held for so long, and how long that
/// was.
std::pair<Vec3, double> flownFreely(const Options& options, std::chrono::milliseconds hold) {
  std::filesystem::remove(options.profile);
  auto window = Window::open(options);
  auto renderer = Renderer::create();
  EXPECT_TRUE(window.has_value() && renderer.has_value());
  FlightLoop loop(options, *std::move(window), *std::move(renderer));
  double held = 0.0;
  std::jthread user([&] {
    std::this_thread::sleep_for(500ms);
    (void)waitUntil([&] { return std::filesystem::exists(options.profile); });
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

/// By the keys that thrust, as far as its speed and the time say.
TEST(Window, FliesTheFreeCamera) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.scene.drones[0].count = 0;
  options.scene.frameMs = 10.0;
  options.profile = "fly.csv";
  const Vec3 start = flownFreely(options, 0ms).first;
  const auto [end, held] = flownFreely(options, 1500ms);
  // Four ship radii a second, the radius of a lamp being one metre
  EXPECT_GT(glm::distance(start, end), 0.4 * 4.0 * held);
  EXPECT_LT(glm::distance(start, end), 1.3 * 4.0 * held + 1.0);
}

/// Held in the record: the next broad phase of the catalogue, with the same narrow phase.
TEST(Window, SwitchesTheBroadPhaseInFlight) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.profile = "before.csv";
  const auto phases = broadPhaseCatalog();
  const auto at =
      std::ranges::find(phases, engine::broadPhaseOf(options.scene), &BroadPhaseEntry::name);
  ASSERT_NE(at, phases.end());
  const std::string next((at + 1 == phases.end() ? phases.front() : *(at + 1)).name);
  bool changed = false;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    pushKey(SDL_SCANCODE_B, true, KMOD_LSHIFT);
    changed = waitUntil([&] {
      pushKey(SDL_SCANCODE_F9, true);
      return recorded(folder.path(), next + " + sphere-tree", ",sphere-tree,");
    });
  });
  EXPECT_EQ(code, Ok);
  EXPECT_TRUE(changed) << next;
}

/// What the record names as published, and after it. Trees follow when they are built, see
/// published_switch_test: longer than a test should wait.
TEST(Window, TakesOverThePublishedTechniqueAndGivesItBack) {
  const OwnFolder folder;
  Options options = smallWindow();
  options.scene.broad = "all-pairs";
  options.profile = "before.csv";
  bool there = false, back = false;
  const int code = flyAlong(options, [&] {
    if (!waitUntil([] { return std::filesystem::exists("before.csv"); })) return;
    const auto flies = [&](const std::string& detector) {
      return waitUntil([&] {
        pushKey(SDL_SCANCODE_F9, true);
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

/// A model that takes so long to load that the switch comes before it flies.
TEST(Window, KeepsTheBroadPhaseThatIsChosenWhileAModelLoads) {
  const OwnFolder folder;
  const std::filesystem::path star = folder.path() / "star.obj";
  std::ofstream(star) << test::asObj(test::spikyStar(1, 40, 60));
  Options options = smallWindow();
  options.scene.broad = "all-pairs";
  options.profile = "before.csv";
  const auto phases = broadPhaseCatalog();
  const auto at =
      std::ranges::find(phases, engine::broadPhaseOf(options.scene), &BroadPhaseEntry::name);
  ASSERT_NE(at, phases.end());
  const std::string next((at + 1 == phases.end() ? phases.front() : *(at + 1)).name);
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
