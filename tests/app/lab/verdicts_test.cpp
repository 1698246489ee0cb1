// SPDX-License-Identifier: MIT
/// What the lab says of the papers' figures, on small tables on either side of each line.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "lab/decade_bins.h"
#include "lab/drawing.h"
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

TEST(Verdicts, HoldFramesAgainstTheirTarget) {
  const auto profile = [](const std::string& run, const std::string& missed,
                          const std::string& mean, const std::string& deviation,
                          const std::string& most) {
    return verdictsOf("profiles",
                      {tableOf("profiles",
                               {"run", "share_over_target", "target_ms", "frame_mean_ms",
                                "frame_sd_ms", "frame_max_ms", "drawing_sd_ms"},
                               {{run, missed, "10", mean, deviation, most, "0.4"}})})[0];
  };
  EXPECT_EQ(profile("fig17", "0.95", "20", "5", "90").verdict, Reproduction::Reproduced);
  EXPECT_EQ(profile("fig17", "0.7", "20", "5", "90").verdict, Reproduction::NotReproduced);
  EXPECT_EQ(profile("fig19", "0.1", "10.1", "0.2", "11.5").verdict, Reproduction::Reproduced);
  EXPECT_EQ(profile("fig19", "0.1", "10.2", "0.2", "11.5").verdict, Reproduction::NotReproduced);
  EXPECT_EQ(profile("fig19steady", "0.1", "10.1", "0.2", "11.5").verdict, Reproduction::Reproduced);
  EXPECT_NE(profile("fig19", "0.1", "10.2", "0.2", "11.5").because.find("by 4.0 % of the target"),
            std::string::npos);
  EXPECT_EQ(profile("fig21", "0.1", "10.1", "0.3", "11.5").verdict, Reproduction::NotReproduced);
  EXPECT_EQ(profile("fig21", "0.1", "10.1", "0.2", "11.7").verdict, Reproduction::NotReproduced);
}

TEST(Drawing, MayTakeTheMeanInEveryFrame) {
  using std::chrono::nanoseconds;
  const lab::Drawing drawing{{nanoseconds(10), nanoseconds(20), nanoseconds(60)}, "by hand"};
  EXPECT_EQ(drawing.steady().frames, std::vector(3, nanoseconds(30)));
  EXPECT_EQ(drawing.steady().source, "by hand");
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
