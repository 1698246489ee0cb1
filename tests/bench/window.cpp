// SPDX-License-Identifier: MIT
/// How much time per frame the overlay costs, and how long a frame lasts when other trees begin to
/// fly.
#include <SDL.h>
#include <engine/record/commit.h>
#include <engine/record/record_head.h>
#include <engine/scene/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "bench.h"
#include "console/order_statistics.h"
#include "fly/fly.h"
#include "percentile.h"
#include "support/watched_window.h"
#include "support/window_events.h"

namespace nearmiss::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

app::Options flightOf(const std::string& scene, const WindowCommand& command) {
  app::Options options;
  options.scene.name = scene;
  options.window.headless = true;
  options.window.width = command.width;
  options.window.height = command.height;
  options.cacheFolder = command.folder / "cache";
  return options;
}

/// Milliseconds from frame to frame, as fast as they come, with the overlay in full, compact and
/// off in turn: blocks of frames so short that the flight hardly changes meanwhile.
class OverlayTimes {
 public:
  static constexpr int modes = 3, block = 12, settling = 4;

  void operator()(SDL_Window* window) {
    const auto now = Clock::now();
    // Nothing flies yet
    if (std::string_view(SDL_GetWindowTitle(window)) == "Nearmiss") return;
    const int inBlock = frame_ % block;
    const int turn = frame_ / block;
    if (inBlock >= settling) blockTimes_.push_back(Milliseconds(now - last_).count());
    if (inBlock == block - 1) {
      medians_[static_cast<std::size_t>(turn % modes)].push_back(app::median(blockTimes_));
      blockTimes_.clear();
      test::tapKey(SDL_SCANCODE_TAB);
    }
    ++frame_;
    last_ = Clock::now();
  }

  /// What a mode takes more than the one without an overlay, turn by turn, sorted.
  [[nodiscard]] std::vector<double> beyondOff(std::size_t mode) const {
    std::vector<double> beyond;
    for (std::size_t i = 2; i < medians_[2].size(); ++i)
      beyond.push_back(medians_[mode][i] - 0.5 * (medians_[2][i - 1] + medians_[2][i]));
    std::ranges::sort(beyond);
    return beyond;
  }
  [[nodiscard]] double median(std::size_t mode) { return app::median(medians_[mode]); }

 private:
  int frame_ = 0;
  Clock::time_point last_ = Clock::now();
  std::vector<double> blockTimes_;
  std::array<std::vector<double>, modes> medians_;
};

/// Presses the key for other trees every few seconds of a flight at its usual pace, and keeps the
/// longest frame about the moment at which they fly.
class ChangeoverTimes {
 public:
  explicit ChangeoverTimes(int changes) : left_(changes) {}

  void operator()(SDL_Window* window) {
    const auto now = Clock::now();
    intervals_.push_back(Milliseconds(now - last_).count());
    last_ = now;
    const std::string title = SDL_GetWindowTitle(window);
    const std::size_t frame = intervals_.size();
    if (frame < warming) {
      title_ = title;
      return;
    }
    if (title != title_ && requested_) {
      changed_.push_back(frame);
      requested_ = false;
      wait_ = 0;
    }
    title_ = title;
    if (requested_ || ++wait_ < about + pause) return;
    if (left_-- == 0) {
      test::pushQuit();
      return;
    }
    requested_ = true;
    test::tapKey(SDL_SCANCODE_F);
  }

  [[nodiscard]] std::size_t changes() const { return changed_.size(); }
  /// The longest of the frames about each change, sorted.
  [[nodiscard]] std::vector<double> longest() const {
    std::vector<double> all;
    for (const std::size_t at : changed_) {
      const auto from = intervals_.begin() + static_cast<std::ptrdiff_t>(at - about);
      const std::size_t to = std::min(at + about, intervals_.size());
      all.push_back(*std::max_element(from, intervals_.begin() + static_cast<std::ptrdiff_t>(to)));
    }
    std::ranges::sort(all);
    return all;
  }
  [[nodiscard]] double median() { return app::median(intervals_); }

 private:
  static constexpr std::size_t warming = 120, about = 6, pause = 60;
  std::vector<double> intervals_;
  std::vector<std::size_t> changed_;
  std::string title_;
  Clock::time_point last_ = Clock::now();
  bool requested_ = false;
  std::size_t wait_ = 0;
  int left_;
};

}  // namespace

int window(const WindowCommand& command) {
  std::ofstream csv(command.folder / "window.csv");
  csv << engine::headText(engine::machineHead(engine::commitName()))
      << "scene,what,count,frame_ms,p50_ms,p95_ms,max_ms\n";
  const auto row = [&](const std::string& scene, const char* what, double frame,
                       const std::vector<double>& sorted) {
    if (sorted.empty()) return;
    const std::string line =
        fmt::format("{},{},{},{:.3f},{:.3f},{:.3f},{:.3f}", scene, what, sorted.size(), frame,
                    percentile(sorted, 0.5), percentile(sorted, 0.95), sorted.back());
    csv << line << '\n';
    fmt::print("{}\n", line);
  };
  for (const std::string& scene : command.scenes) {
    OverlayTimes overlay;
    test::watchFrames([&](SDL_Window* shown) { overlay(shown); });
    app::Options options = flightOf(scene, command);
    options.frames = command.frames;
    // The same detail of ships whatever frames take
    options.scene.clock = engine::ClockKind::Work;
    if (const int code = app::fly::flyScene(options)) return code;
    row(scene, "overlay in full", overlay.median(0), overlay.beyondOff(0));
    row(scene, "overlay compact", overlay.median(1), overlay.beyondOff(1));

    ChangeoverTimes flightManager(command.changes);
    test::watchFrames([&](SDL_Window* shown) { flightManager(shown); });
    if (const int code = app::fly::flyScene(flightOf(scene, command))) return code;
    row(scene, "longest frame about a changeover of trees", flightManager.median(),
        flightManager.longest());
  }
  test::watchFrames({});
  csv.close();
  return csv ? 0 : 1;
}

}  // namespace nearmiss::bench
