// SPDX-License-Identifier: MIT
/// The time that drawing takes of each frame of a flight, recorded in a window, so that a flight
/// without one can spend it again.
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
  std::vector<std::chrono::nanoseconds> frames;  ///< of each, from the first; never empty
  std::string source;                            ///< in words

  [[nodiscard]] std::chrono::nanoseconds mean() const {
    const auto sum = std::accumulate(frames.begin(), frames.end(), std::chrono::nanoseconds{0});
    return sum / static_cast<std::int64_t>(frames.size());
  }
  /// Every frame times `factor`.
  [[nodiscard]] Drawing scaled(double factor) const {
    Drawing drawing = *this;
    for (auto& frame : drawing.frames)
      frame = std::chrono::nanoseconds(std::llround(factor * static_cast<double>(frame.count())));
    return drawing;
  }
  /// Every frame as the mean.
  [[nodiscard]] Drawing steady() const { return {std::vector(frames.size(), mean()), source}; }
};

/// Flies the scene three times headless with `nearmiss fly`, on the work clock, which repeats the
/// flight, and takes the median of each frame after the first thirty. Where there is no such
/// program, or it cannot draw, each frame takes 13.5 ms. Writes its scene and profiles to `folder`.
[[nodiscard]] Drawing recordDrawing(const engine::Scene& scene, const std::filesystem::path& folder,
                                    std::uint64_t frames);

}  // namespace nearmiss::app::lab
