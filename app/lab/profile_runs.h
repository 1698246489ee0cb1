// SPDX-License-Identifier: MIT
/// The flights of `lab profiles`, and the paper's results for them [H96 §11.3].
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "options/options.h"

namespace nearmiss::app::lab {

/// The paper's measurements: seconds, and collisions at levels 1 to 4.
struct PaperProfile {
  std::optional<double> detectionMean, detectionSd, detectionMax;
  std::optional<double> frameMean, frameSd, frameMax;
  std::optional<double> collisions;
  std::array<std::optional<double>, 4> atLevel;
};

struct ProfileRun {
  std::string_view name;
  std::string_view detector;  ///< description with its trees
  double target = 1.0;        ///< multiple of the reference target; detection has the same budget
  PaperProfile paper = {};
  bool steadyDrawing = false;  ///< each frame draws for the mean of the recorded times
  void (*choose)(engine::Scene& scene) = nullptr;  ///< changes relative to fig19
};

/// Target of fig19 [s], and detection's share of it; the rest was drawing.
inline constexpr double paperTarget = 0.1, paperDetectionShare = 0.19;
/// Share of the collisions of fig19 that reached level 4.
inline constexpr double paperShareAtLevel4 = 141.0 / 274.0;
/// Mean detection time of BSP trees divided by that of fig19.
inline constexpr double paperBspRatio = 5.825 / 0.019;

[[nodiscard]] std::span<const ProfileRun> profileRunCatalog() noexcept;

/// The setup of fig19: ten ships of this model, as published, in an arena small enough for frequent
/// collisions; spheres to level 4; detection gets the rest of the target.
[[nodiscard]] Options profileOptions(const ProfileRun& run, const std::string& model,
                                     double frameMs, std::uint64_t seed, std::uint64_t frames);

}  // namespace nearmiss::app::lab
