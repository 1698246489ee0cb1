// SPDX-License-Identifier: MIT
#include "lab/verdicts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "console/order_statistics.h"
#include "lab/judging.h"
#include "lab/profile_verdicts.h"

namespace nearmiss::app::lab {
namespace {

/// H of medial spheres relative to the octree: the paper's means by level, and no value above 1.
Verdicts judgeFig14(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  constexpr std::array paperMeans{0.540, 0.378, 0.302};
  Verdicts verdicts;
  for (const std::string_view builder : {"medial+paper", "medial", "variational"}) {
    double largest = 0.0, worst = 0.0;
    bool measured = true;
    std::string means;
    for (std::size_t level = 0; level < paperMeans.size(); ++level) {
      const auto rows =
          rowsWhere(table, {{"builder", builder}, {"level", std::to_string(level + 1)}});
      const auto ratios = numbersIn(table, rows, "h_mean_ratio");
      measured = measured && !ratios.empty();
      const double ratio = mean(ratios);
      worst = std::max(worst, ratio / paperMeans[level]);
      for (const double max : numbersIn(table, rows, "h_max_ratio"))
        largest = std::max(largest, max);
      fmt::format_to(std::back_inserter(means), "{}{:.3f}", level == 0 ? "" : ", ", ratio);
    }
    if (!measured) continue;
    verdicts.push_back(
        {fmt::format("H96 Fig. 14 by {}", builder),
         verdictOf(largest < 1.0 && worst <= 1.0, worst <= 0.95),
         fmt::format("mean H to the octree's is {} at levels 1 to 3, where the paper "
                     "has 0.540, 0.378, 0.302; the largest ratio of maxima is {:.3f}",
                     means, largest)});
  }
  return verdicts;
}

/// Fig. 15: the share of calls faster than BSP trees at the triangles. Fig. 16: bounds that
/// decrease with the level and are never violated.
Verdicts judgeFig15(const ExperimentResult& result) {
  constexpr double paperShare = 0.751;
  Verdicts verdicts;
  const Table& speedups = result.tables[0];
  for (const std::string_view setUp : {"published", "own-bsp", "shipped"}) {
    const auto rows = rowsWhere(speedups, {{"set_up", setUp}, {"level", "5"}});
    if (rows.empty()) continue;
    const double share = speedups.number(*rows[0], "share_faster");
    bool falling = true;
    double before = INFINITY;
    for (int level = 1; level <= 4; ++level) {
      const auto at = rowsWhere(speedups, {{"set_up", setUp}, {"level", std::to_string(level)}});
      const double median = at.empty() ? 0.0 : speedups.number(*at[0], "speedup_median");
      falling = falling && median > 1.0 && median < before;
      before = median;
    }
    verdicts.push_back(
        {fmt::format("H96 Fig. 15, set-up {}", setUp),
         verdictOf(falling && share >= 0.98 * paperShare, share > paperShare),
         fmt::format("level 5 is faster than BSP trees in {:.1f} % of the calls, in the paper in "
                     "75.1 %; medians of levels 1 to 4 are {}above 1 and fall{}",
                     100.0 * share, falling ? "" : "not all ",
                     setUp == "own-bsp" ? "; these BSP trees pass over polygons by their boxes and "
                                          "end at the first contact, as the paper's do not"
                                        : "")});
  }
  for (const Table& bounds : result.tables) {
    if (bounds.name != "fig16" || bounds.rows.empty()) continue;
    double broken = 0.0, before = INFINITY;
    bool falling = true;
    for (const TableRow& row : bounds.rows) {
      broken += bounds.number(row, "broken");
      const double median = bounds.number(row, "bound_median_m");
      if (bounds.text(row, "level") == "1") before = INFINITY;
      falling = falling && !(median >= before);
      before = median;
    }
    verdicts.push_back({"H96 Fig. 16", verdictOf(falling && broken == 0.0, true),
                        fmt::format("bounds {}fall from level to level, and {:g} of them are below "
                                    "the true distance, which the paper could not measure",
                                    falling ? "" : "do not all ", broken)});
  }
  return verdicts;
}

/// Look-ahead against the grid, for published methods and ours.
Verdicts judgeTurk(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  Verdicts verdicts;
  for (const std::string_view method :
       {"space-time", "space-time-subdivision", "space-time-horns"}) {
    Rows late = rowsWhere(table, {{"method", method}, {"collided", "1"}});
    std::erase_if(late, [&](const TableRow* row) { return !(table.number(*row, "end_s") > 0.25); });
    if (late.empty()) continue;
    auto times = numbersIn(table, late, "speedup"), fewer = numbersIn(table, late, "model_speedup");
    const double time = median(times), tests = median(fewer);
    const auto best = std::ranges::max_element(
        late, {}, [&](const TableRow* row) { return table.number(*row, "speedup"); });
    const auto tenfold = std::ranges::count_if(times, [](double each) { return each >= 10.0; });
    verdicts.push_back(
        {fmt::format("H93 \"Performance\" by {}", method), verdictOf(time >= 10.0, time > 12.0),
         fmt::format(
             "where cubes meet after a quarter of a second it is {:.2f} times as fast as "
             "Turk's grid in the median, in the paper about 10; it makes {} as many tests; it is "
             "10 times as fast in {} of {} flights, and at best {:.1f} times, with {} cubes that "
             "meet after {} s",
             time,
             tests >= 1.0 ? fmt::format("1/{:.2f}", tests)
                          : fmt::format("{:.2f} times", 1.0 / tests),
             tenfold, times.size(), table.number(**best, "speedup"), table.text(**best, "bodies"),
             table.text(**best, "end_s"))});
  }
  return verdicts;
}

/// Projection against subdivision: the paper used projection because it was faster.
Verdicts judgeProjection(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  std::vector<double> ratios;
  std::size_t late = 0, wrong = 0;
  for (const TableRow& row : table.rows) {
    wrong += table.text(row, "false_positive") == "1";
    // Projection has no resolution: the rows repeat one search
    if (table.text(row, "resolution_s") != "0.05") continue;
    ratios.push_back(table.number(row, "subdivision_us") / table.number(row, "projection_us"));
    late += table.number(row, "t_projection_s") > table.number(row, "t_oracle_s") + 1e-9;
  }
  if (ratios.empty()) return {};
  const double ratio = median(ratios);
  const auto [least, most] = std::ranges::minmax(ratios);
  const auto faster = std::ranges::count_if(ratios, [](double each) { return each > 1.0; });
  return {
      {"Y04 \"Projection vs. Subdivision\"", verdictOf(ratio > 1.0 && late == 0, ratio > 1.5),
       fmt::format("published subdivision at 0.05 s takes {:.2f} times the time of published "
                   "projection in the median, {:.2f} to {:.2f} by set; projection is faster in {} "
                   "of them, and {} late in {} searches; subdivision reports {} false meetings in "
                   "{}",
                   ratio, least, most, faster, late == 0 ? "never" : "too", ratios.size(), wrong,
                   table.rows.size())}};
}

/// Grid and BSP trees against space-time bounds and sphere trees. "Grid" and "bounds" name the
/// broad phases of a set-up that ends at level 4.
Verdicts judgeWholeDetectors(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  struct SetUp {
    std::string_view name, figure, bounds, narrow;
  };
  constexpr std::array setUps{
      SetUp{"published", "H96 abstract, 10 to 100 times", "space-time", "sphere-tree-all"},
      SetUp{"own", "H96 abstract, by our methods", "space-time-queue", "sphere-tree"}};
  Verdicts verdicts;
  for (const SetUp& setUp : setUps) {
    const auto levels = [&](std::string_view broad) {
      return rowsWhere(table, {{"set_up", setUp.name},
                               {"broad", broad},
                               {"narrow", setUp.narrow},
                               {"until", "level 4"}});
    };
    const Rows bounds = levels(setUp.bounds), grid = levels("uniform-grid");
    if (bounds.empty() || bounds.size() != grid.size()) continue;
    std::vector<double> speedups = numbersIn(table, bounds, "speedup");
    const auto [least, most] = std::ranges::minmax(speedups);
    const auto from10to100 = std::ranges::count_if(
        speedups, [](double times) { return times >= 10.0 && times <= 100.0; });
    const double share = static_cast<double>(from10to100) / static_cast<double>(speedups.size());
    // Both lists are in the order of the work items
    std::size_t wins = 0;
    double called = 0.0;
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (!(table.number(*bounds[i], "mean_us") < table.number(*grid[i], "mean_us"))) continue;
      ++wins;
      called =
          std::max(called, table.number(*bounds[i], "calls") / table.number(*bounds[i], "states"));
    }
    const double middle = median(speedups);
    verdicts.push_back(
        {std::string(setUp.figure), verdictOf(middle >= 10.0 && share >= 0.5, least > 10.0),
         fmt::format(
             "to level 4 it is {:.2f} to {:.2f} times as fast as grid and BSP trees, {:.2f} "
             "in the median, and within 10 to 100 times in {} of {} flights; its bounds "
             "beat the grid in {} of them{}",
             least, most, middle, from10to100, speedups.size(), wins,
             wins == 0 ? ""
                       : fmt::format(", where they call the detector at {:.0f} % of the "
                                     "states or fewer",
                                     100.0 * called))});
  }
  return verdicts;
}

Verdicts judgeChecks(const ExperimentResult& result) {
  const Table& table = result.tables[0];
  double worst = 0.0;
  for (const TableRow& row : table.rows) {
    const double paper = table.number(row, "paper_value");
    if (std::isfinite(paper))
      worst = std::max(worst, std::abs(table.number(row, "value") / paper - 1.0));
  }
  return {{"H96 §3, a box around a turned cube", verdictOf(worst < 0.02, false),
           fmt::format("they agree to {:.1f} %", 100.0 * worst)}};
}

struct Judge {
  std::string_view experiment;
  Verdicts (*judge)(const ExperimentResult& result);
};
constexpr std::array judges{
    Judge{"fig14", judgeFig14},           Judge{"fig15", judgeFig15},
    Judge{"profiles", judgeProfiles},     Judge{"turk", judgeTurk},
    Judge{"projection", judgeProjection}, Judge{"x7", judgeWholeDetectors},
    Judge{"checks", judgeChecks},         Judge{"profiles1996", judgeProfiles1996}};

}  // namespace

std::string sentenceOf(const PaperVerdict& verdict) {
  switch (verdict.verdict) {
    case Reproduction::Reproduced:
      return fmt::format("{}, reproduced: {}", verdict.figure, verdict.because);
    case Reproduction::Ahead:
      return fmt::format("{}, ahead: {}", verdict.figure, verdict.because);
    case Reproduction::NotReproduced:
      break;
  }
  return fmt::format("{}, not reproduced, because {}", verdict.figure, verdict.because);
}

std::vector<PaperVerdict> verdictsOf(const ExperimentResult& result) {
  for (const Judge& each : judges)
    if (each.experiment == result.experiment && !result.tables.empty() &&
        !result.tables[0].rows.empty())
      return each.judge(result);
  return {};
}

void noteVerdicts(ExperimentResult& result) {
  std::vector<std::string> sentences;
  for (const PaperVerdict& verdict : verdictsOf(result)) sentences.push_back(sentenceOf(verdict));
  const auto note = [&](Table& table) {
    table.notes.insert(table.notes.begin(), sentences.begin(), sentences.end());
  };
  note(result.tables.front());
  // A table of single calls may be too large to load
  if (Table& last = result.tables.back(); last.name.ends_with("_summary")) note(last);
}

}  // namespace nearmiss::app::lab
