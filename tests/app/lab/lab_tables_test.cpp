// SPDX-License-Identifier: MIT
/// The tables of `lab` from outside: their heads, shards that are merged, and what is resumed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/campaign.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/patterns.h"
#include "support/program.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::Table;
using test::Words;
using testing::HasSubstr;

class LabTables : public testing::Test {
 protected:
  Outcome lab(const Words& words) const { return program_.run(test::joined({"lab"}, words)); }
  std::string written(const std::string& name) const { return readText(program_.home() / name); }

  /// A table without what no second run can repeat: the machine's load, and columns of times.
  std::string masked(const std::string& name, const std::vector<std::string>& times) const {
    const std::string text = written(name);
    std::string kept;
    std::istringstream lines(text);
    std::vector<std::size_t> hidden;
    bool heading = true;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("# load:")) continue;
      // Verdicts on the papers' figures state times
      if (line.starts_with("# note:") && line.find("reproduced") != std::string::npos) continue;
      if (line.starts_with("# note:") && line.find(", ahead: ") != std::string::npos) continue;
      if (line.starts_with('#')) {
        kept += line + '\n';
        continue;
      }
      auto cells = test::cellsOf(line).at(0);
      for (std::size_t c = 0; c < cells.size(); ++c) {
        if (heading && std::find(times.begin(), times.end(), cells[c]) != times.end())
          hidden.push_back(c);
        else if (!heading && std::find(hidden.begin(), hidden.end(), c) != hidden.end())
          cells[c] = "?";
        kept += cells[c] + ',';
      }
      kept += '\n';
      heading = false;
    }
    return kept;
  }

  /// Two small parts of an experiment that works something out of all its parts, made once for all.
  void makeTriangleParts() const {
    const std::string names[]{"s/triangles.shard-1-of-2.json", "s/triangles.shard-2-of-2.json"};
    static const auto parts = [&] {
      test::writeText(program_.home() / "wedge.obj",
                      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
      for (const char* shard : {"1/2", "2/2"})
        EXPECT_EQ(lab({"triangles", "--quick", "--narrow", "aabb-tree", "--model", "wedge.obj",
                       "--most", "16", "--shard", shard, "-o", "s"})
                      .exitCode,
                  0);
      return std::array{written(names[0]), written(names[1])};
    }();
    std::filesystem::create_directories(program_.home() / "s");
    for (const int i : {0, 1}) test::writeText(program_.home() / names[i], parts[i]);
  }

  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(LabTables, SayWhatTheyAreAndHoldTheSameInBothForms) {
  ASSERT_EQ(lab({"checks", "--quick", "-o", "c"}).exitCode, 0);
  const std::string csv = written("c/checks.csv");
  for (const char* line :
       {"# format: ", "# commit: ", "# cpu: ", "# flags: ", "# load: ", "# experiment: checks\n",
        "# title: ", "# quick: yes\n", "# seed: 1\n", "# columns: check: "})
    EXPECT_THAT(csv, HasSubstr(line));
  const Table table(csv);
  EXPECT_NEAR(table.number(0, "value"), 3.4, 0.05) << "mean growth of a turned cube's box";
  EXPECT_LE(table.number(1, "value"), table.number(2, "value"));
  const auto json = nlohmann::json::parse(written("c/checks.json"));
  EXPECT_EQ(json.at("complete"), true);
  ASSERT_EQ(json.at("rows").size(), table.rows());
  ASSERT_EQ(json.at("columns").size(), 4u);
  EXPECT_EQ(json.at("columns")[1].at("name"), "value");
  EXPECT_EQ(json.at("rows")[1][1], table.number(1, "value"));
  EXPECT_TRUE(json.at("rows")[2][2].is_null()) << "an empty cell is missing";
}

/// A page of a table is the same from either form; a part is no table yet, and is told so.
TEST_F(LabTables, AreDrawnFromBothForms) {
  ASSERT_EQ(lab({"checks", "--quick", "-o", "c"}).exitCode, 0);
  const auto page = [&](const std::string& file) {
    const Outcome outcome = program_.run({"report", file, "-o", "r.html"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return written("r.html");
  };
  const std::string drawn = page("c/checks.json");
  EXPECT_THAT(drawn, HasSubstr("<table"));
  EXPECT_EQ(drawn, page("c/checks.csv"));
  ASSERT_EQ(lab({"projection", "--quick", "--sets", "10", "--shard", "1/2", "-o", "s"}).exitCode,
            0);
  const Outcome part = program_.run({"report", "s/projection.shard-1-of-2.json", "-o", "r.html"});
  EXPECT_EQ(part.exitCode, 3);
  EXPECT_THAT(part.err, HasSubstr("projection.shard-1-of-2.json\" is a part of an experiment: "
                                  "nearmiss lab merge joins parts to tables"));
}

TEST_F(LabTables, Fig15FindsTheSameContactsAndBoundsThatHold) {
  const Outcome outcome = lab({"fig15", "--quick", "--calls", "600", "-o", "f"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table calls(written("f/fig15_calls.csv"));
  ASSERT_EQ(calls.rows(), 3u);
  for (std::size_t i = 0; i < calls.rows(); ++i) {
    EXPECT_GE(calls.number(i, "calls"), 600.0);
    EXPECT_EQ(calls.text(i, "missed"), "0");
    EXPECT_EQ(calls.text(i, "invented"), "0");
    EXPECT_EQ(calls.text(i, "paper_calls"), "86083");
  }
  EXPECT_EQ(calls.text(0, "collisions"), calls.text(1, "collisions")) << "the same states";
  // Deeper levels cost more, by far: a speed-up is the time of BSP trees to that of the level
  const Table speedups(written("f/fig15.csv"));
  EXPECT_EQ(speedups.text(0, "level"), "1");
  EXPECT_EQ(speedups.text(3, "level"), "4");
  EXPECT_GT(speedups.number(0, "speedup_median"), speedups.number(3, "speedup_median"));
  const Table fit(written("f/fig16.csv"));
  ASSERT_EQ(fit.rows(), 12u) << "set-ups, levels";
  for (std::size_t i = 0; i < fit.rows(); ++i) {
    EXPECT_EQ(fit.text(i, "broken"), "0");
    EXPECT_GE(fit.number(i, "bound_median_m"), fit.number(i, "distance_median_m"));
    if (i % 4 > 0) {
      EXPECT_LT(fit.number(i, "bound_median_m"), fit.number(i - 1, "bound_median_m"));
    }
  }
  // Figures name columns that there are
  for (const char* name : {"fig15", "fig15_histogram", "fig16", "fig16_histogram"}) {
    const auto json = nlohmann::json::parse(written(std::string("f/") + name + ".json"));
    std::vector<std::string> columns;
    for (const auto& column : json.at("columns")) {
      columns.push_back(column.at("name"));
      EXPECT_THAT(column.at("meaning").get<std::string>(), testing::Not(HasSubstr(";")));
    }
    ASSERT_FALSE(json.at("figures").empty()) << name;
    for (const auto& figure : json.at("figures")) {
      EXPECT_THAT(columns, testing::Contains(figure.at("x").get<std::string>()));
      for (const char* key : {"y", "by"})
        for (const auto& column : figure.at(key))
          EXPECT_THAT(columns, testing::Contains(column.get<std::string>()));
      EXPECT_THAT(written(std::string("f/") + name + ".csv"),
                  HasSubstr("# figure: " + std::string("{\"title\":")));
    }
  }
}

TEST_F(LabTables, ProfilesAreOfEveryRunAndKeepItsFrames) {
  const Outcome outcome = lab({"profiles", "--quick", "--run", "fig17", "--run", "fig19",
                               "--frames", "20", "--ships", "60", "--draw-ms", "1", "-o", "p"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table table(written("p/profiles.csv"));
  ASSERT_EQ(table.rows(), 2u);
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_EQ(table.text(i, "ships"), "60");
    EXPECT_EQ(table.text(i, "triangles"), std::to_string(60 * 626));
    EXPECT_GE(table.number(i, "frame_mean_ms"), 0.99 * table.number(i, "target_ms"));
    const Table profile(written("p/profile_" + table.text(i, "run") + "_60.csv"));
    EXPECT_EQ(std::to_string(profile.rows()), table.text(i, "frames"));
  }
  EXPECT_EQ(table.text(0, "allowance_us"), "") << "BSP trees have no limit";
  EXPECT_GT(table.number(1, "allowance_us"), 0.0);
  EXPECT_THAT(written("p/profile_fig17_60.csv"),
              HasSubstr("# detector: space-time-grid + bsp-all\n"));
  EXPECT_THAT(written("p/profile_fig17_60.csv"), HasSubstr("# budget: inf\n"));
  EXPECT_THAT(written("p/profile_fig19_60.csv"),
              HasSubstr("# detector: space-time-grid + sphere-tree"));
}

TEST_F(LabTables, ProfilesOf1996AreDeterministicAndPricedByTheBspTrees) {
  const Words words{"profiles1996", "--quick", "--run",    "fig17",
                    "--run",        "fig19",   "--frames", "20"};
  ASSERT_EQ(lab(test::joined(words, {"-o", "one"})).exitCode, 0);
  ASSERT_EQ(lab(test::joined(words, {"-o", "two"})).exitCode, 0);
  const Table one(written("one/profiles1996.csv")), two(written("two/profiles1996.csv"));
  ASSERT_EQ(one.rows(), 2u);
  EXPECT_NEAR(one.number(0, "detection_mean_s"), 5.825, 0.01);
  for (std::size_t i = 0; i < one.rows(); ++i)
    for (const char* column : {"frame_mean_s", "detection_max_s", "responses", "gap_mean_m",
                               "tilt_mean_deg", "stride_mean_m"})
      EXPECT_EQ(one.text(i, column), two.text(i, column)) << column;
  // Errors of responses: bounds are above true distances, and exact answers have neither
  EXPECT_EQ(one.number(0, "bound_mean_m"), 0.0);
  EXPECT_GT(one.number(1, "bound_mean_m"), one.number(1, "gap_mean_m"));
  for (std::size_t i = 0; i < one.rows(); ++i) {
    EXPECT_GT(one.number(i, "tilt_mean_deg"), 0.0);
    EXPECT_LT(one.number(i, "tilt_mean_deg"), 90.0);
    EXPECT_GT(one.number(i, "stride_mean_m"), 0.0);
  }
  // Sphere trees stop when their time is over, so that dearer operations make responses coarser
  ASSERT_EQ(lab(test::joined(words, {"--price", "100", "-o", "cheap"})).exitCode, 0);
  const Table cheap(written("cheap/profiles1996.csv"));
  EXPECT_LT(cheap.number(1, "detection_mean_s"), one.number(1, "detection_mean_s"));
  EXPECT_GE(cheap.number(1, "responses_4"), one.number(1, "responses_4"));
}

TEST_F(LabTables, FourShardsUnderParallelGiveTheTablesOfOneRun) {
  const std::string home = program_.home().path().string();
  ASSERT_EQ(lab({"projection", "--quick", "--sets", "60", "-o", "one"}).exitCode, 0);
  if (std::system("parallel --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no GNU parallel";
  const std::string line = "parallel --will-cite " NEARMISS_PROGRAM
                           " lab projection --quick --sets 60 "
                           "--shard {}/4 -o " +
                           home + "/parts ::: 1 2 3 4 > /dev/null 2>&1";
  ASSERT_EQ(std::system(line.c_str()), 0);
  Words parts{"merge"};
  for (const char* i : {"3", "1", "4", "2"})
    parts.push_back("parts/projection.shard-" + std::string(i) + "-of-4.json");
  const Outcome outcome = lab(test::joined(parts, {"-o", "whole"}));
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const std::vector<std::string> times{"projection_us", "sliced_projection_us", "subdivision_us",
                                       "listed_subdivision_us"};
  const std::string single = masked("one/projection.csv", times);
  EXPECT_EQ(masked("whole/projection.csv", times), single);
  EXPECT_THAT(single, HasSubstr(",?,"));
  EXPECT_GT(Table(written("whole/projection.csv")).rows(), 100u);
}

TEST_F(LabTables, WhatHangsOnAllItemsIsWorkedOutAfterMerging) {
  makeTriangleParts();
  ASSERT_EQ(
      lab({"merge", "s/triangles.shard-1-of-2.json", "s/triangles.shard-2-of-2.json", "-o", "m"})
          .exitCode,
      0);
  const Table slopes(written("m/triangles_slopes.csv"));
  ASSERT_EQ(slopes.rows(), 5u);
  EXPECT_EQ(slopes.text(0, "meshes"), "2") << "one of each shard";

  // A part whose name is that of a table stays
  std::filesystem::rename(program_.home() / "s/triangles.shard-1-of-2.json",
                          program_.home() / "s/triangles.json");
  const std::string part = written("s/triangles.json");
  const Outcome over =
      lab({"merge", "s/triangles.json", "s/triangles.shard-2-of-2.json", "-o", "s"});
  EXPECT_EQ(over.exitCode, 1);
  EXPECT_THAT(over.err, HasSubstr("would replace the input \"s/triangles.json\""));
  EXPECT_EQ(written("s/triangles.json"), part);
}

TEST_F(LabTables, MergingNamesMistakes) {
  const auto part = [&](const std::string& shard, const std::string& folder,
                        const std::string& seed) {
    EXPECT_EQ(lab({"checks", "--quick", "--seed", seed, "--shard", shard, "-o", folder}).exitCode,
              0);
  };
  part("1/2", "a", "1");
  part("2/2", "a", "1");
  part("2/2", "b", "2");
  const std::string first = "a/checks.shard-1-of-2.json", second = "a/checks.shard-2-of-2.json";
  const auto refused = [&](const Words& parts, int exitCode, const std::string& why) {
    const Outcome outcome = lab(test::joined(test::joined({"merge"}, parts), {"-o", "m"}));
    EXPECT_EQ(outcome.exitCode, exitCode);
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(program_.home() / "m" / "checks.csv"));
  };
  refused({first}, 4, "shard 2/2 of checks is missing");
  refused({first, first}, 4, "has shard 1/2 twice");
  refused({first, "b/checks.shard-2-of-2.json"}, 4, "different settings");
  refused({first, "a/none.json"}, 3, "cannot open \"a/none.json\"");
  refused({first, "/dev/null"}, 3, "Not a regular file");
  test::writeText(program_.home() / "text", "not part");
  refused({first, "text"}, 3, "\"text\" is not part of an experiment");
  std::string other = written(second);
  other = test::Pattern("\"flags\":\"[^\"]*\"").replaced(other, "\"flags\":\"-O0\"");
  test::writeText(program_.home() / "other", other);
  refused({first, "other"}, 4, "different builds");
  test::writeText(
      program_.home() / "stopped",
      test::Pattern("\"complete\":true").replaced(written(second), "\"complete\":false"));
  refused({first, "stopped"}, 4, "was stopped");

  for (const char* shard : {"5/4", "0/4", "x", "1/0", "2/"}) {
    const Outcome outcome = lab({"checks", "--shard", shard, "-o", "c"});
    EXPECT_EQ(outcome.exitCode, 1) << shard;
    EXPECT_THAT(outcome.err, HasSubstr("shard")) << shard;
  }
  EXPECT_EQ(lab({"merge", first, second, "-o", "m"}).exitCode, 0);
  EXPECT_GT(Table(written("m/checks.csv")).rows(), 2u);
}

/// One value anywhere in `json` becomes another, or goes.
void spoil(nlohmann::ordered_json& json, test::Random& random) {
  const std::array<nlohmann::ordered_json, 9> values{
      nullptr, true, -1, 1e300, "../outside", "", 18446744073709551615u, {}, {{"name", "checks"}}};
  nlohmann::ordered_json* at = &json;
  while (at->is_structured() && !at->empty() && !random.chance(0.15)) {
    auto child = at->begin();
    std::advance(child, random.whole(0, static_cast<int>(at->size()) - 1));
    if (random.chance(0.03)) {
      at->erase(child);
      return;
    }
    at = &*child;
  }
  *at = values[static_cast<std::size_t>(random.whole(0, values.size() - 1))];
}

/// The experiment needs all of its parts: any of its tables and columns may be missing.
TEST_F(LabTables, DamagedPartsAreRefusedOrMerged) {
  makeTriangleParts();
  const std::string first = "s/triangles.shard-1-of-2.json";
  const std::string second = "s/triangles.shard-2-of-2.json";
  const std::string whole = written(second);
  test::Random random(77);
  int refused = 0, merged = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    std::string text = whole;
    auto json = nlohmann::ordered_json::parse(whole);
    if (i % 3 == 0) {
      text[static_cast<std::size_t>(random.whole(0, static_cast<int>(text.size()) - 1))] ^=
          static_cast<char>(1 << random.whole(0, 7));
    } else {
      spoil(json, random);
      text = json.dump();
    }
    test::writeText(program_.home() / "damaged", text);
    const Words parts = i % 2 ? Words{"merge", first, "damaged"} : Words{"merge", "damaged", first};
    const Outcome outcome = lab(test::joined(parts, {"-o", "m"}));
    ASSERT_THAT(outcome.exitCode, testing::AnyOf(0, 3, 4)) << text;
    ASSERT_EQ(outcome.err.empty(), outcome.exitCode == 0);
    ++(outcome.exitCode == 0 ? merged : refused);
  }
  EXPECT_GT(refused, 15);
  EXPECT_GT(merged, 0);
  for (const auto& entry : std::filesystem::directory_iterator(program_.home().path()))
    EXPECT_EQ(entry.path().filename().string().find("outside"), std::string::npos);
}

TEST_F(LabTables, PartsThatLackWhatIsWorkedOutAreRefused) {
  makeTriangleParts();
  using Json = nlohmann::ordered_json;
  const auto refused = [&](int exitCode, const std::string& why, const auto& change) {
    Words parts{"merge"};
    for (const char* name : {"1", "2"}) {
      Json json = Json::parse(written("s/triangles.shard-" + std::string(name) + "-of-2.json"));
      change(json);
      test::writeText(program_.home() / name, json.dump());
      parts.push_back(name);
    }
    const Outcome outcome = lab(test::joined(parts, {"-o", "m"}));
    EXPECT_EQ(outcome.exitCode, exitCode);
    EXPECT_THAT(outcome.err, HasSubstr(why));
  };
  refused(4, "triangles has no column \"mean_us\"", [](Json& json) {
    for (Json& column : json["tables"][0]["columns"])
      if (column["name"] == "mean_us") column["name"] = "mean";
  });
  refused(4, "triangles has no table \"triangles_slopes\"",
          [](Json& json) { json["tables"][1]["name"] = "slopes"; });
  refused(3, "its first table is not that", [](Json& json) { json["tables"][0]["name"] = "../x"; });
  refused(3, "its first table is not that", [](Json& json) { json["tables"] = Json::array(); });
  refused(3, "a table has a name that no file can have",
          [](Json& json) { json["tables"][1]["name"] = "../x"; });
  const char* const foreign = "a row is of a work item that its shard has not";
  refused(3, foreign, [](Json& json) { json["shard"] = 2; });
  refused(3, foreign, [](Json& json) { json["items"] = 1; });
  refused(3, "there is no such shard", [](Json& json) { json["shard"] = 3; });
  for (const char* cell : {"a,b", "a\nb", "a\rb", "\"a"})
    refused(3, "a cell holds a comma, a quote, a line end or a control character",
            [&](Json& json) { json["tables"][0]["rows"][0]["cells"][0] = cell; });
  refused(3, "a column has a name that no table can have",
          [](Json& json) { json["tables"][0]["columns"][0]["name"] = "a,b"; });
  refused(3, "more than 10000 shards", [](Json& json) { json["shards"] = 10'001; });
  for (const Json& number : {Json(1e300), Json(1.5), Json(-1), Json("1")}) {
    for (const char* name : {"shard", "shards", "items"})
      refused(3, "a number is not whole", [&](Json& json) { json[name] = number; });
    refused(3, "a number is not whole",
            [&](Json& json) { json["tables"][0]["rows"][0]["item"] = number; });
  }
}

TEST_F(LabTables, EveryExperimentIsListedAndTakesAShard) {
  const std::string list = program_.run({"list", "experiments"}).out;
  for (const char* name :
       {"bounds", "budget", "checks", "coherence", "detectors", "equal-spheres", "fig14", "fig15",
        "fit", "flat-sets", "profiles", "profiles1996", "projection", "triangles", "turk", "x7"}) {
    EXPECT_THAT(list, HasSubstr(name));
    EXPECT_EQ(lab({name, "-o", "x", "--shard", "3/2"}).exitCode, 1) << name;
  }
}

TEST_F(LabTables, FlatSetsHaveTheLeastVolumeOutside) {
  const Outcome outcome = lab({"flat-sets", "--quick", "-o", "f"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table table(written("f/flat-sets.csv"));
  ASSERT_EQ(table.rows(), 10u) << "two links, five ways";
  for (std::size_t i = 0; i < table.rows(); i += 5) {
    EXPECT_EQ(table.text(i + 4, "way"), "flat-set");
    EXPECT_EQ(table.number(i + 4, "open"), 0.0);
    EXPECT_EQ(table.number(i + 4, "missed_share"), 0.0);
    for (std::size_t way = 0; way < 4; ++way)
      EXPECT_LE(table.number(i + 4, "outside_share"),
                1.001 * table.number(i + way, "outside_share"))
          << table.text(i + way, "model") << " " << table.text(i + way, "way");
  }
}

}  // namespace
}  // namespace nearmiss
