// SPDX-License-Identifier: MIT
/// The drawing time of each frame of a flight, recorded in a window, so that a headless flight can
/// spend the same time.
#pragma once

#include <engine/scene/scene.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

namespace nearmiss::app::lab {

struct Drawing {
  std::vector<std::chrono::nanoseconds> frames;  ///< drawing time of each frame; never empty
  std::string source;                            ///< described in words

  [[nodiscard]] std::chrono::nanoseconds mean() const {
    const auto sum = std::accumulate(frames.begin(), frames.end(), std::chrono::nanoseconds{0});
    return sum / static_cast<std::int64_t>(frames.size());
  }
  /// All times multiplied by `factor`.
  [[nodiscard]] Drawing scaled(double factor) const {
    Drawing drawing = *this;
    for (auto& frame : drawing.frames)
      frame = std::chrono::nanoseconds(std::llround(factor * static_cast<double>(frame.count())));
    return drawing;
  }
  /// All frames with the mean time.
  [[nodiscard]] Drawing steady() const { return {std::vector(frames.size(), mean()), source}; }
};

/// Flies the scene three times headless with `nearmiss fly` on the work clock, which repeats the
/// flight. Takes the median of each frame after the first thirty. If that program is missing or
/// cannot draw, each frame takes 13.5 ms. Writes its scene and profiles to `folder`.
[[nodiscard]] Drawing recordDrawing(const engine::Scene& scene, const std::filesystem::path& folder,
                                    std::uint64_t frames);

}  // namespace nearmiss::app::lab
