// SPDX-License-Identifier: MIT
/// The flights of `lab profiles`, and what the paper says of them [H96 §11.3].
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "options.h"

namespace nearmiss::app::lab {

/// Seconds; collisions at levels 1 to 4.
struct PaperProfile {
  std::optional<double> detectionMean, detectionSd, detectionMax;
  std::optional<double> frameMean, frameSd, frameMax;
  std::optional<double> collisions;
  std::array<std::optional<double>, 4> atLevel;
};

struct ProfileRun {
  std::string_view name;
  std::string_view detector;  ///< in words, with its trees
  double target = 1.0;        ///< times the target of the others; detection may have the same
  PaperProfile paper = {};
  bool steadyDrawing = false;  ///< each frame draws for as long as the mean of those recorded
  void (*choose)(engine::Scene& scene) = nullptr;  ///< differences from fig19
};

/// Of fig19, seconds, and what detection took of it; the rest was drawing.
inline constexpr double paperTarget = 0.1, paperDetectionShare = 0.19;
/// Share of the collisions of fig19 that reached level 4.
inline constexpr double paperShareAtLevel4 = 141.0 / 274.0;
/// Mean detection time of BSP trees / that of fig19.
inline constexpr double paperBspRatio = 5.825 / 0.019;

[[nodiscard]] std::span<const ProfileRun> profileRunCatalog() noexcept;

/// The set-up of fig19: ten ships of this model, as published, in an arena so narrow that they
/// often collide, spheres to level 4, and detection that has what the rest leaves of a target.
[[nodiscard]] Options profileOptions(const ProfileRun& run, const std::string& model,
                                     double frameMs, std::uint64_t seed, std::uint64_t frames);

}  // namespace nearmiss::app::lab
