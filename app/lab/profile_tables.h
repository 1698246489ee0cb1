// SPDX-License-Identifier: MIT
/// The tables of `lab profiles`.
#pragma once

#include <engine/record/record_writers.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>

#include "lab/profile_runs.h"
#include "lab/table.h"

namespace nearmiss::app::lab {

/// The reference run, and the run whose budget all others have.
inline constexpr std::string_view referenceRun = "fig17", boundRun = "fig19";

/// A run and its measurements.
struct Flown {
  const ProfileRun& run;
  double targetMs = 0.0;
  engine::RunSummary summary = {};
  std::size_t triangles = 0;                               ///< of all ships
  double allowanceUs = 0.0, narrowUs = 0.0, drawUs = 0.0;  ///< sums
  double idleUs = 0.0, drawUsSquared = 0.0;
  std::size_t cutShort = 0;  ///< number of frames

  void add(const engine::FrameProfile& frame) {
    summary.add(frame);
    if (frame.budget != engine::FrameProfile::Duration::max())
      allowanceUs += static_cast<double>(frame.budget.count()) * 1e-3;
    drawUs += static_cast<double>(frame.render.count()) * 1e-3;
    drawUsSquared += std::pow(static_cast<double>(frame.render.count()) * 1e-3, 2);
    idleUs += static_cast<double>(frame.slack.count()) * 1e-3;
    narrowUs += static_cast<double>(frame.narrow.count()) * 1e-3;
    cutShort += frame.exhausted;
  }
  [[nodiscard]] double perFrame(double sum) const {
    return sum / static_cast<double>(summary.frames().all);
  }
  /// Deviation of drawing from its mean, microseconds.
  [[nodiscard]] double drawingDeviation() const {
    return std::sqrt(std::max(0.0, perFrame(drawUsSquared) - std::pow(perFrame(drawUs), 2)));
  }
  [[nodiscard]] std::uint64_t collisions() const {
    return std::accumulate(summary.touches().begun.begin(), summary.touches().begun.end(), 0ull);
  }
  /// Pairs handled by the response, which the paper calls collisions.
  [[nodiscard]] std::uint64_t responses() const {
    const auto& responded = summary.touches().responded;
    return std::accumulate(responded.begin(), responded.end(), 0ull);
  }
  [[nodiscard]] bool limited() const noexcept { return run.name != referenceRun; }
};

/// Collisions and responses of a flight at one level.
struct LevelRow {
  const Flown& flown;
  std::size_t level;

  [[nodiscard]] std::uint64_t collisions() const { return flown.summary.touches().begun[level]; }
  [[nodiscard]] std::uint64_t responses() const { return flown.summary.touches().responded[level]; }
  [[nodiscard]] std::optional<double> published() const {
    const PaperProfile& paper = flown.run.paper;
    const bool known = level <= paper.atLevel.size() && paper.collisions;
    return known ? paper.atLevel[level - 1] : std::nullopt;
  }
};

[[nodiscard]] const TableOf<Flown>& profilesTable();
[[nodiscard]] const TableOf<LevelRow>& profileLevelsTable();

}  // namespace nearmiss::app::lab
