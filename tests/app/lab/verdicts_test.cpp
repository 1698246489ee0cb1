// SPDX-License-Identifier: MIT
/// What the lab says of the papers' figures, on small tables on either side of each line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "lab/decade_bins.h"
#include "lab/verdicts.h"

namespace nearmiss::app::lab {
namespace {

Table tableOf(std::string name, const std::vector<std::string>& columns,
              const std::vector<std::vector<std::string>>& rows) {
  Table table{.name = std::move(name), .title = ""};
  for (const std::string& column : columns) table.columns.push_back({column, "", "", false});
  for (const auto& row : rows) table.rows.push_back({0, row});
  return table;
}

std::vector<PaperVerdict> verdictsOf(std::string experiment, std::vector<Table> tables) {
  ExperimentResult result;
  result.experiment = std::move(experiment);
  result.tables = std::move(tables);
  return lab::verdictsOf(result);
}

Table fits(const std::string& builder, const std::vector<std::string>& means,
           const std::string& most) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t level = 0; level < means.size(); ++level)
    rows.push_back({builder, std::to_string(level + 1), means[level], most});
  return tableOf("fig14", {"builder", "level", "h_mean_ratio", "h_max_ratio"}, rows);
}

TEST(Verdicts, CompareFitsWithThePapersMeans) {
  EXPECT_EQ(verdictsOf("fig14", {fits("medial", {"0.54", "0.378", "0.302"}, "0.9")})[0].verdict,
            Reproduction::Reproduced);
  EXPECT_EQ(verdictsOf("fig14", {fits("medial", {"0.4", "0.3", "0.2"}, "0.9")})[0].verdict,
            Reproduction::Ahead);
  EXPECT_EQ(verdictsOf("fig14", {fits("medial", {"0.4", "0.3", "0.31"}, "0.9")})[0].verdict,
            Reproduction::NotReproduced);
  EXPECT_EQ(verdictsOf("fig14", {fits("medial", {"0.4", "0.3", "0.2"}, "1.1")})[0].verdict,
            Reproduction::NotReproduced);
  EXPECT_TRUE(verdictsOf("fig14", {fits("medial", {"0.4", "0.3"}, "0.9")}).empty())
      << "levels that were not measured";
}

Table speedups(const std::vector<std::string>& medians, const std::string& share) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t level = 0; level < medians.size(); ++level)
    rows.push_back({"own-bsp", std::to_string(level + 1), medians[level], "1"});
  rows.push_back({"own-bsp", "5", "0.9", share});
  return tableOf("fig15", {"set_up", "level", "speedup_median", "share_faster"}, rows);
}

TEST(Verdicts, WantSpeedUpsThatFallAndThePapersShare) {
  EXPECT_EQ(verdictsOf("fig15", {speedups({"9", "8", "7", "6"}, "0.75")})[0].verdict,
            Reproduction::Reproduced);
  EXPECT_EQ(verdictsOf("fig15", {speedups({"9", "8", "7", "6"}, "0.9")})[0].verdict,
            Reproduction::Ahead);
  EXPECT_EQ(verdictsOf("fig15", {speedups({"9", "8", "7", "6"}, "0.6")})[0].verdict,
            Reproduction::NotReproduced);
  EXPECT_EQ(verdictsOf("fig15", {speedups({"9", "8", "8.5", "6"}, "0.9")})[0].verdict,
            Reproduction::NotReproduced);
  const auto bounds = [](const std::string& second, const std::string& broken) {
    return tableOf("fig16", {"level", "bound_median_m", "broken"},
                   {{"1", "0.5", "0"}, {"2", second, broken}, {"1", "0.6", "0"}});
  };
  const Table fast = speedups({"9", "8", "7", "6"}, "0.9");
  EXPECT_EQ(verdictsOf("fig15", {fast, bounds("0.3", "0")})[1].verdict, Reproduction::Ahead);
  EXPECT_EQ(verdictsOf("fig15", {fast, bounds("0.3", "1")})[1].verdict,
            Reproduction::NotReproduced);
  EXPECT_EQ(verdictsOf("fig15", {fast, bounds("0.5", "0")})[1].verdict,
            Reproduction::NotReproduced);
  const Table none = tableOf("fig16", {"level", "bound_median_m", "broken"}, {});
  EXPECT_EQ(verdictsOf("fig15", {fast, none}).size(), 1u);
}

using Cells = std::vector<std::string>;

TEST(Verdicts, HoldFramesAndLevelsAgainstThePapers) {
  const auto profile = [](const std::string& run, const Cells& times, const Cells& levels) {
    return verdictsOf("profiles",
                      {tableOf("profiles",
                               {"run", "ships", "share_over_target", "target_ms", "frame_mean_ms",
                                "frame_sd_ms", "frame_max_ms", "responses", "responses_1",
                                "responses_2", "responses_3", "responses_4"},
                               {{run, "1000", times[0], "10", times[1], times[2], times[3], "100",
                                 levels[0], levels[1], levels[2], levels[3]}})});
  };
  const Cells papers{"30", "10", "10", "50"}, kept{"0.1", "10.1", "0.2", "11.5"};
  EXPECT_EQ(profile("fig17", {"0.95", "200", "5", "900"}, papers)[0].verdict,
            Reproduction::Reproduced);
  EXPECT_EQ(profile("fig17", {"0.95", "20", "5", "90"}, papers)[0].verdict,
            Reproduction::NotReproduced)
      << "BSP trees that are only twice too slow";
  EXPECT_EQ(profile("fig17", {"0.7", "200", "5", "900"}, papers)[0].verdict,
            Reproduction::NotReproduced);
  for (const PaperVerdict& verdict : profile("fig19", kept, papers))
    EXPECT_EQ(verdict.verdict, Reproduction::Reproduced);
  EXPECT_EQ(profile("fig19", kept, {"50", "10", "10", "30"})[0].verdict,
            Reproduction::NotReproduced)
      << "levels are not the paper's";
  EXPECT_EQ(profile("fig19", {"0.1", "10.2", "0.2", "11.5"}, papers)[1].verdict,
            Reproduction::NotReproduced);
  EXPECT_EQ(profile("fig21", kept, {"0", "0", "0", "100"})[0].verdict, Reproduction::Reproduced);
  EXPECT_EQ(profile("fig21", kept, papers)[0].verdict, Reproduction::NotReproduced);
  EXPECT_EQ(profile("fig21", {"0.1", "10.1", "0.3", "11.5"}, {"0", "0", "0", "100"})[0].verdict,
            Reproduction::NotReproduced);
}

/// The paper's own numbers, with `factor` on the detection of sphere trees and `bsp` on that of BSP
/// trees.
std::vector<PaperVerdict> of1996(double factor, double bsp, const Cells& levels, double octreeGap) {
  const auto row = [](const std::string& run, double mean, double sd, double max, double target,
                      double often, const Cells& at, double gap) {
    const double drawing = target - 0.019;
    const auto text = [](double number) { return std::to_string(number); };
    return Cells{run,
                 text(mean),
                 text(sd),
                 text(max),
                 text(target),
                 text(std::max(drawing + mean, target) * 1.01),
                 text(0.02 * target * (mean > 0.03 ? 3.0 : 1.0)),
                 text(std::max(drawing + max, target) * (target < 0.5 ? 1.06 : 1.0)),
                 text(often),
                 "100",
                 at[0],
                 at[1],
                 at[2],
                 at[3],
                 text(gap)};
  };
  const Cells exact{"0", "0", "0", "0"}, last{"0", "0", "0", "100"};
  return verdictsOf(
      "profiles1996",
      {tableOf("profiles1996",
               {"run", "detection_mean_s", "detection_sd_s", "detection_max_s", "target_s",
                "frame_mean_s", "frame_sd_s", "frame_max_s", "share_10_to_100", "responses",
                "responses_1", "responses_2", "responses_3", "responses_4", "gap_mean_m"},
               {row("fig17", 5.825 * bsp, 1.586 * bsp, 10.627 * bsp, 0.1, bsp < 0.5 ? 0.1 : 0.8,
                    exact, 0.0),
                row("fig17oct", 0.019, 0.003, 0.028, 0.1, 0.0, {"90", "5", "5", "0"}, octreeGap),
                row("fig19", 0.019 * factor, 0.003 * factor, 0.028 * factor, 0.1, 0.0, levels, 0.1),
                row("fig21", 0.018 * factor, 0.005 * factor, 0.047 * factor, 1.0, 0.0,
                    factor > 2.0 ? levels : last, 0.01)})});
}

TEST(Verdicts, OfThePapersOwnNumbersFailWhenOneOfThemChanges) {
  const Cells papers{"30", "9", "9", "52"};
  for (const PaperVerdict& verdict : of1996(1.0, 1.0, papers, 0.4))
    EXPECT_EQ(verdict.verdict, Reproduction::Reproduced) << sentenceOf(verdict);
  // Detection three times slower
  const auto slow = of1996(3.0, 1.0, {"60", "20", "10", "10"}, 0.4);
  for (const std::size_t k : {1u, 2u, 4u})
    EXPECT_EQ(slow[k].verdict, Reproduction::NotReproduced) << sentenceOf(slow[k]);
  // BSP trees ten times faster, levels shuffled, octrees as accurate as medial spheres
  EXPECT_EQ(of1996(1.0, 0.1, papers, 0.4)[0].verdict, Reproduction::NotReproduced);
  EXPECT_EQ(of1996(1.0, 1.0, {"52", "9", "9", "30"}, 0.4)[1].verdict, Reproduction::NotReproduced);
  EXPECT_EQ(of1996(1.0, 1.0, papers, 0.12)[3].verdict, Reproduction::NotReproduced);
}
TEST(Verdicts, TakeTheMedianOfLateCollisions) {
  const auto turk = [](const std::string& one, const std::string& two, const std::string& three) {
    return verdictsOf(
        "turk",
        {tableOf("turk", {"method", "bodies", "collided", "end_s", "speedup", "model_speedup"},
                 {{"space-time", "5", "1", "0.1", "0.01", "1"},
                  {"space-time", "5", "1", "1", one, "0.5"},
                  {"space-time", "5", "1", "2", two, "0.5"},
                  {"space-time", "7", "1", "3", three, "0.5"},
                  {"space-time", "5", "0", "30", "99", "9"},
                  {"space-time", "5", "0", "30", "99", "9"}})})[0];
  };
  EXPECT_EQ(turk("1", "11", "30").verdict, Reproduction::Reproduced);
  EXPECT_EQ(turk("1", "9", "30").verdict, Reproduction::NotReproduced);
  EXPECT_EQ(turk("13", "14", "30").verdict, Reproduction::Ahead);
  EXPECT_NE(turk("1", "9", "30")
                .because.find("makes 2.00 times as many tests; it is 10 times as "
                              "fast in 1 of 3 flights, and at best 30.0 times, "
                              "with 7 cubes that meet after 3 s"),
            std::string::npos);
}

TEST(Verdicts, CompareSearchesForTheEarliestMeeting) {
  const auto projection = [](const std::string& micros, const std::string& found) {
    return verdictsOf(
        "projection",
        {tableOf("projection",
                 {"resolution_s", "subdivision_us", "projection_us", "t_oracle_s", "t_projection_s",
                  "false_positive"},
                 {{"0.05", micros, "10", "1", found, "0"}, {"0.2", "1", "10", "1", "1", "1"}})})[0];
  };
  EXPECT_EQ(projection("20", "1").verdict, Reproduction::Ahead);
  EXPECT_EQ(projection("12", "1").verdict, Reproduction::Reproduced);
  EXPECT_EQ(projection("5", "1").verdict, Reproduction::NotReproduced);
  EXPECT_EQ(projection("20", "1.1").verdict, Reproduction::NotReproduced);
  // The second row repeats the projection of the first by another resolution of the subdivision
  EXPECT_NE(projection("20", "1").because.find("never late in 1 searches; subdivision reports 1 "
                                               "false meetings in 2"),
            std::string::npos);
}

TEST(Verdicts, TakeTheMedianOfTheWholeDetectorsAndTheWorstOfTheChecks) {
  const auto whole = [](const std::string& speedup, const std::string& times) {
    return verdictsOf(
        "x7",
        {tableOf(
            "x7", {"set_up", "broad", "narrow", "until", "states", "calls", "mean_us", "speedup"},
            {{"published", "uniform-grid", "sphere-tree-all", "level 4", "9", "9", "5", "1"},
             {"published", "space-time", "sphere-tree-all", "level 4", "10", "8", times, speedup},
             {"own", "space-time", "sphere-tree-all", "level 4", "9", "9", "5", "1"},
             {"published", "space-time", "sphere-tree-all", "exact", "9", "9", "5", "1"}})})[0];
  };
  EXPECT_EQ(whole("11", "4").verdict, Reproduction::Ahead);
  EXPECT_EQ(whole("9", "4").verdict, Reproduction::NotReproduced);
  EXPECT_NE(whole("9", "4").because.find("beat the grid in 1 of them, where they call the detector "
                                         "at 80 % of the states"),
            std::string::npos);
  EXPECT_NE(whole("9", "6").because.find("beat the grid in 0 of them"), std::string::npos);
  const auto checks = [](const std::string& value) {
    return verdictsOf("checks", {tableOf("checks", {"value", "paper_value"},
                                         {{"3.4", "3.4"}, {value, "4.7"}, {"9", ""}})})[0];
  };
  EXPECT_EQ(checks("4.65").verdict, Reproduction::Reproduced);
  EXPECT_EQ(checks("4.5").verdict, Reproduction::NotReproduced);
}

TEST(LabCells, AreMissingWhereThereIsNoNumber) {
  for (const double none : {std::nan(""), static_cast<double>(INFINITY)}) {
    EXPECT_EQ(fixed(none, 3).text, "");
    EXPECT_EQ(shortest(none).text, "");
  }
  EXPECT_EQ(fixed(0.25, 3).text, "0.250");
}

TEST(DecadeBins, HaveTheEmptyOnesBetween) {
  DecadeBins counted;
  for (const double value : {1.0, 1.1, 2.0}) counted.add(value);
  std::vector<std::size_t> counts;
  for (const auto& [bin, count] : counted.bins()) counts.push_back(count);
  EXPECT_EQ(counts, (std::vector<std::size_t>{2, 0, 0, 1}));
  EXPECT_TRUE(DecadeBins().bins().empty());
}

TEST(Verdicts, SayIt) {
  EXPECT_EQ(sentenceOf({"Fig. 1", Reproduction::NotReproduced, "it is slow"}),
            "Fig. 1, not reproduced, because it is slow");
  EXPECT_EQ(sentenceOf({"Fig. 1", Reproduction::Ahead, "it is quick"}),
            "Fig. 1, ahead: it is quick");
  ExperimentResult result;
  result.experiment = "checks";
  result.tables = {tableOf("checks", {"value", "paper_value"}, {{"1", "1"}})};
  result.tables[0].notes = {"another"};
  noteVerdicts(result);
  ASSERT_EQ(result.tables[0].notes.size(), 2u);
  EXPECT_EQ(result.tables[0].notes[0],
            "H96 §3, a box around a turned cube, reproduced: they agree to 0.0 %");
  EXPECT_TRUE(verdictsOf("bounds", {tableOf("bounds", {}, {{}})}).empty());
}

}  // namespace
}  // namespace nearmiss::app::lab
