// SPDX-License-Identifier: MIT
#include "lab/profile_verdicts.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "lab/judging.h"

namespace nearmiss::app::lab {
namespace {

/// Half of the sum of differences between the shares of responses at levels 1 to 4 and those of
/// Fig. 18: 0 if they are equal, 1 if no share overlaps.
double differenceOfLevels(const std::array<double, 4>& shares) {
  constexpr std::array paper{82.0 / 274, 25.0 / 274, 26.0 / 274, 141.0 / 274};
  double sum = 0.0;
  for (std::size_t i = 0; i < paper.size(); ++i) sum += std::abs(shares[i] - paper[i]);
  return 0.5 * sum;
}
constexpr double mostDifferentLevels = 0.15;

std::string levelText(const std::array<double, 4>& shares) {
  return fmt::format(
      "responses at levels 1 to 4 are {:.0f}, {:.0f}, {:.0f} and {:.0f} % of all, in the paper 30, "
      "9, 9 and 51 %",
      100.0 * shares[0], 100.0 * shares[1], 100.0 * shares[2], 100.0 * shares[3]);
}

std::array<double, 4> levelShares(const Table& table, const TableRow& row) {
  std::array<double, 4> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i)
    shares[i] =
        table.number(row, fmt::format("responses_{}", i + 1)) / table.number(row, "responses");
  return shares;
}

/// Frames relative to their target.
struct Frames {
  double mean, deviation, max;

  /// @param unit "ms" or "s"
  Frames(const Table& table, const TableRow& row, std::string_view unit) {
    const auto relative = [&](std::string_view column) {
      return table.number(row, fmt::format("{}_{}", column, unit)) /
             table.number(row, fmt::format("target_{}", unit));
    };
    mean = relative("frame_mean") - 1.0;
    deviation = relative("frame_sd");
    max = relative("frame_max") - 1.0;
  }

  /// As in the paper, +1, 2 and +16 %, as far as these are rounded.
  [[nodiscard]] bool kept() const { return mean <= 0.015 && deviation <= 0.025 && max <= 0.165; }
  [[nodiscard]] std::string text() const {
    return fmt::format(
        "frames are {:+.1f} % off the target in the mean, with a deviation of {:.1f} "
        "% and a maximum of {:+.0f} %, in the paper +1, 2 and +16 %",
        100.0 * mean, 100.0 * deviation, 100.0 * max);
  }
};

/// Returns true if a number is at most this many times larger or smaller than the paper's.
bool within(double number, double paper, double factor) {
  return number <= paper * factor && number >= paper / factor;
}

/// Numbers of one run at the prices of 1996: detection [s], responses, and the true gap [m].
struct Run1996 {
  double mean, deviation, max;
  Frames frames;
  std::array<double, 4> levels;
  double gap;

  Run1996(const Table& table, const TableRow& row)
      : mean(table.number(row, "detection_mean_s")),
        deviation(table.number(row, "detection_sd_s")),
        max(table.number(row, "detection_max_s")),
        frames(table, row, "s"),
        levels(levelShares(table, row)),
        gap(table.number(row, "gap_mean_m")) {}
};

}  // namespace

/// Figs. 17 to 22 today: BSP trees miss the target by the paper's factor, and medial spheres meet
/// it at the paper's levels.
Verdicts judgeProfiles(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  Verdicts verdicts;
  for (const TableRow& row : table.rows) {
    const std::string& run = table.text(row, "run");
    const std::string with = fmt::format(", {} ships", table.text(row, "ships"));
    const Frames frames(table, row, "ms");
    if (run == "fig17") {
      const double slow = frames.mean + 1.0, missed = table.number(row, "share_over_target");
      verdicts.push_back(
          {"H96 Fig. 17" + with, verdictOf(missed >= 0.9 && slow >= 10.0, false),
           fmt::format("frames with BSP trees are {:.1f} times too slow and miss the target in "
                       "{:.0f} %, in the paper 58 times and nearly always",
                       slow, 100.0 * missed)});
    } else if (run == "fig19") {
      const auto shares = levelShares(table, row);
      verdicts.push_back({"H96 Fig. 18" + with,
                          verdictOf(differenceOfLevels(shares) <= mostDifferentLevels, false),
                          levelText(shares)});
      verdicts.push_back({"H96 Fig. 19" + with, verdictOf(frames.kept(), false), frames.text()});
    } else if (run == "fig21") {
      const double last = levelShares(table, row)[3];
      verdicts.push_back(
          {"H96 Figs. 21 and 22" + with, verdictOf(frames.kept() && last >= 0.95, false),
           fmt::format("{}; {:.0f} % of the responses are at level 4, in the paper all",
                       frames.text(), 100.0 * last)});
    }
  }
  return verdicts;
}

/// Figs. 17 to 22 at the prices of 1996: every number that a figure shows.
Verdicts judgeProfiles1996(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  Verdicts verdicts;
  const auto runNamed = [&](std::string_view name) -> std::optional<Run1996> {
    const Rows rows = rowsWhere(table, {{"run", name}});
    if (rows.empty()) return std::nullopt;
    return Run1996(table, *rows[0]);
  };
  if (const auto bsp = runNamed("fig17")) {
    const double often = table.number(*rowsWhere(table, {{"run", "fig17"}})[0], "share_10_to_100");
    verdicts.push_back(
        {"H96 Fig. 17 at the prices of 1996",
         verdictOf(within(bsp->mean, 5.825, 1.1) && within(bsp->deviation, 1.586, 1.5) &&
                       within(bsp->max, 10.627, 1.5) && often >= 0.5,
                   false),
         fmt::format(
             "BSP trees take {:.2f} s a frame, which sets the price, with a deviation of "
             "{:.2f} s and a maximum of {:.1f} s, in the paper 5.83, 1.59 and 10.6 s; {:.0f} "
             "% of the frames are 10 to 100 times too slow, in the paper \"often\"",
             bsp->mean, bsp->deviation, bsp->max, 100.0 * often)});
  }
  const auto medial = runNamed("fig19"), octree = runNamed("fig17oct"), trucks = runNamed("fig21");
  if (medial) {
    verdicts.push_back({"H96 Fig. 18 at the prices of 1996",
                        verdictOf(differenceOfLevels(medial->levels) <= mostDifferentLevels, false),
                        levelText(medial->levels)});
    verdicts.push_back(
        {"H96 Fig. 19 at the prices of 1996",
         verdictOf(medial->frames.kept() && within(medial->mean, 0.019, 1.25) &&
                       within(medial->deviation, 0.003, 2.0) && within(medial->max, 0.028, 1.25),
                   false),
         fmt::format("{}; detection takes {:.1f} ms with a deviation of {:.1f} and a maximum of "
                     "{:.1f} ms, in the paper 19, 3 and 28 ms",
                     medial->frames.text(), 1e3 * medial->mean, 1e3 * medial->deviation,
                     1e3 * medial->max)});
  }
  if (medial && octree)
    verdicts.push_back(
        {"H96 §11.3, run 2, at the prices of 1996",
         verdictOf(octree->frames.mean <= 0.1 && octree->gap >= 1.5 * medial->gap, false),
         fmt::format("with octrees, ships are {:.2f} m apart when the response takes them, with "
                     "medial spheres {:.2f} m, in the paper \"nowhere near touching\"; frames are "
                     "{:+.1f} % off the target, in the paper \"much closer\"",
                     octree->gap, medial->gap, 100.0 * octree->frames.mean)});
  if (trucks)
    verdicts.push_back(
        {"H96 Figs. 21 and 22 at the prices of 1996",
         verdictOf(trucks->levels[3] >= 0.95 && trucks->frames.kept() &&
                       within(trucks->mean, 0.018, 2.0) && within(trucks->max, 0.047, 2.0),
                   false),
         fmt::format("detection takes {:.1f} ms with a maximum of {:.1f} ms, in the paper 18 and "
                     "47 ms; {:.0f} % of the responses are at level 4, in the paper all 43",
                     1e3 * trucks->mean, 1e3 * trucks->max, 100.0 * trucks->levels[3])});
  return verdicts;
}

}  // namespace nearmiss::app::lab
