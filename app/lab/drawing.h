// SPDX-License-Identifier: MIT
/// The time that drawing takes of each frame of a flight, recorded in a window, so that a flight
/// without one can spend it again.
#pragma once

#include <engine/scene/scene.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace nearmiss::app::lab {

struct Drawing {
  std::vector<std::chrono::nanoseconds> frames;  ///< of each, from the first; never empty
  std::string source;                            ///< in words

  [[nodiscard]] std::chrono::nanoseconds mean() const;
  /// Every frame times `factor`.
  [[nodiscard]] Drawing scaled(double factor) const;
};

/// Flies the scene three times headless with `nearmiss fly`, on the work clock, which repeats the
/// flight, and takes the median of each frame after the first thirty. Where there is no such
/// program, or it cannot draw, each frame takes 13.5 ms. Writes its scene and profiles to `folder`.
[[nodiscard]] Drawing recordDrawing(const engine::Scene& scene, const std::filesystem::path& folder,
                                    std::uint64_t frames);

}  // namespace nearmiss::app::lab
