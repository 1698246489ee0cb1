// SPDX-License-Identifier: MIT
/// The way of the user's ship in an earlier run, to race against.
#pragma once

#include <nearmiss/advanced/body_state.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

/// Returns the pose between two, at a fraction in [0, 1] of the way.
[[nodiscard]] Pose interpolate(const Pose& from, const Pose& to, Real share) noexcept;

struct GhostTrack {
  static constexpr Real interval =
      1.0 / 15.0;  ///< minimum time between samples, simulation seconds
  static constexpr std::size_t maxSamples = 20'000;

  struct Sample {
    Real time = 0.0;  ///< simulation seconds
    Pose pose;
  };
  std::uint64_t seed = 0;  ///< of the flight; on other seeds the course differs
  std::vector<Sample> samples;

  /// Adds the ship's pose if a sample is due, or if it is the last one of the run.
  void record(Real time, const Pose& pose, bool last = false);
  /// Duration of the run, simulation seconds.
  [[nodiscard]] Real seconds() const noexcept {
    return samples.empty() ? 0.0 : samples.back().time;
  }
  /// Returns the interpolated pose; `nullopt` before the first sample and after the last.
  [[nodiscard]] std::optional<Pose> at(Real time) const;
};

/// Reads a track; `nullopt` for a missing, damaged or foreign file.
[[nodiscard]] std::optional<GhostTrack> readGhost(const std::filesystem::path& file);
/// Writes a track atomically. Errors: Unreadable.
Result<Success> writeGhost(const std::filesystem::path& file, const GhostTrack& track);

}  // namespace nearmiss::engine
