// SPDX-License-Identifier: MIT
/// The flights of `lab profiles` and `lab profiles1996`, and the paper's results for them
/// [H96 §11.3].
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/table.h"
#include "options/options.h"

namespace nearmiss::app::lab {

/// The paper's measurements: seconds, and responses at levels 1 to 4, which it calls collisions.
struct PaperProfile {
  std::optional<double> detectionMean, detectionSd, detectionMax;
  std::optional<double> frameMean, frameSd, frameMax;
  std::optional<double> responses;
  std::array<std::optional<double>, 4> atLevel;
};

struct ProfileRun {
  std::string_view name;      ///< the figure of the paper
  std::string_view detector;  ///< description with its trees
  double paperTarget = 0.1;   ///< seconds
  PaperProfile paper = {};
  void (*choose)(engine::Scene& scene) = nullptr;  ///< changes relative to fig19
};

/// Detection's share of a frame of fig19; the rest was drawing.
inline constexpr double paperDetectionShare = 0.19;
/// Number of ships in the paper.
inline constexpr int paperShips = 10;

/// The flights of the paper, and last `shipped`: ours, by the program's defaults.
[[nodiscard]] std::span<const ProfileRun> profileRunCatalog() noexcept;

/// Returns true if the names contain that of the run, or if there are none.
[[nodiscard]] bool isRequested(const ProfileRun& run, const std::vector<std::string>& names);

/// Returns columns of a table with the paper's times and responses after `own`, and `last` at the
/// end. `Row` has a member `run`.
template <class Row>
[[nodiscard]] std::vector<Column<Row>> withPaper(std::vector<Column<Row>> own,
                                                 std::vector<Column<Row>> last = {}) {
  using Paper = PaperProfile;
  const auto add = [&own](const char* name, const char* unit, const char* meaning,
                          std::optional<double> Paper::*number) {
    own.emplace_back(name, unit, meaning,
                     [number](const Row& row) { return shortest(row.run.paper.*number); });
  };
  add("paper_frame_mean_s", "s", "as published", &Paper::frameMean);
  add("paper_frame_sd_s", "s", "as published", &Paper::frameSd);
  add("paper_frame_max_s", "s", "as published", &Paper::frameMax);
  add("paper_detection_mean_s", "s", "as published", &Paper::detectionMean);
  add("paper_detection_sd_s", "s", "as published", &Paper::detectionSd);
  add("paper_detection_max_s", "s", "as published", &Paper::detectionMax);
  add("paper_responses", "", "as published: collisions", &Paper::responses);
  own.insert(own.end(), last.begin(), last.end());
  return own;
}

/// The set-up of fig19: lamps of 626 triangles, as published, as dense as ships can be placed;
/// spheres to level 4; detection gets the rest of the target. More than paperShips ships use
/// space-time-grid, because the published driver rebuilds all bounds whenever two of them meet.
[[nodiscard]] Options profileOptions(const ProfileRun& run, int ships, double frameMs,
                                     std::uint64_t seed, std::uint64_t frames);

}  // namespace nearmiss::app::lab
