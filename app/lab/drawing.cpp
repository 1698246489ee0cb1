// SPDX-License-Identifier: MIT
#include "lab/drawing.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "console/child_program.h"
#include "console/order_statistics.h"
#include "report/record.h"

namespace nearmiss::app::lab {
namespace {

namespace fs = std::filesystem;

constexpr int flights = 3;
constexpr const char* windowSize = "640x360";
/// Ignored first frames, which have cold caches and compile shaders.
constexpr std::uint64_t warmUp = 30;
/// Remainder of a target of 16.7 ms after the papers' share of detection.
constexpr double defaultMs = 13.5;

/// Returns the column of drawing times, ms; `nullopt` if the file is not a profile.
std::optional<std::vector<double>> drawingIn(const fs::path& profile) {
  auto reader = report::RecordReader::open(profile);
  if (!reader) return std::nullopt;
  constexpr std::array<std::string_view, 1> wanted{"render_ms"};
  const auto columns = reader->find(wanted);
  if (!columns) return std::nullopt;
  std::vector<double> times;
  for (;;) {
    const auto more = reader->next();
    if (!more) return std::nullopt;
    if (!*more) return times;
    const auto time = reader->finite(columns->front());
    if (!time) return std::nullopt;
    times.push_back(*time);
  }
}

/// Flies once in a window; returns `nullopt` on failure.
std::optional<std::vector<double>> drawnOnce(const fs::path& program, const fs::path& scene,
                                             const fs::path& profile, std::uint64_t frames) {
  const auto ended = runChild(
      program,
      {"fly", "--scene", scene.string(), "--headless", "--mute", "--clock", "work", "--size",
       windowSize, "--frames", fmt::format("{}", frames + warmUp), "--profile", profile.string()},
      ChildOutput::Dropped);
  if (!ended || *ended != 0) return std::nullopt;
  auto times = drawingIn(profile);
  if (!times || times->size() < frames + warmUp) return std::nullopt;
  times->resize(frames + warmUp);
  times->erase(times->begin(), times->begin() + warmUp);
  return times;
}

}  // namespace

Drawing recordDrawing(const engine::Scene& scene, const fs::path& folder, std::uint64_t frames) {
  const auto usual = [frames] {
    const std::chrono::nanoseconds frame(std::llround(defaultMs * 1e6));
    return Drawing{std::vector(frames, frame), fmt::format("assumed, {} ms a frame", defaultMs)};
  };
  const auto program = findProgram("nearmiss");
  if (!program) return usual();
  const fs::path sceneFile = folder / fmt::format("drawing_{}.toml", scene.name);
  std::ofstream(sceneFile) << engine::writeScene(scene);

  std::vector<std::vector<double>> drawn;
  for (int flight = 0; flight < flights; ++flight) {
    auto times = drawnOnce(*program, sceneFile,
                           folder / fmt::format("drawing_{}_{}.csv", scene.name, flight), frames);
    if (!times) return usual();
    drawn.push_back(*std::move(times));
  }

  // The median removes noise of the machine; the frames are the same in each flight
  Drawing drawing{{},
                  fmt::format("recorded in a window of {} pixels, the median of {} flights",
                              windowSize, flights)};
  for (std::uint64_t frame = 0; frame < frames; ++frame) {
    std::vector<double> times;
    for (const auto& flight : drawn) times.push_back(flight[frame]);
    drawing.frames.emplace_back(std::llround(1e6 * median(times)));
  }
  return drawing;
}

}  // namespace nearmiss::app::lab
