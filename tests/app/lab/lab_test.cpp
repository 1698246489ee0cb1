// SPDX-License-Identifier: MIT
/// `lab bounds`, `lab fit`, `lab detectors`, `lab projection`, `lab turk` and `lab x7` from
/// outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/rivals/catalog.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "support/csv.h"
#include "support/files.h"
#include "support/patterns.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::Table;
using test::Words;
using testing::HasSubstr;

class Lab : public testing::Test {
 protected:
  /// Runs an experiment into a folder of its own.
  Outcome run(const std::string& experiment, const std::string& folder, const Words& more) const {
    return program_.run(test::joined({"lab", experiment, "-o", folder}, more));
  }
  std::string written(const std::string& name) const { return readText(program_.home() / name); }
  void expectFigure(const std::string& name, std::size_t charts) const {
    const std::string svg = written(name);
    EXPECT_THAT(svg, testing::StartsWith("<svg "));
    EXPECT_TRUE(svg.ends_with("</svg>\n"));
    EXPECT_EQ(test::countOf("font-weight=\"bold\"", svg), charts);
    EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
  }

  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(Lab, BudgetAndX7FillTheirTables) {
  Outcome outcome = run("budget", "b", {"--quick", "--ships", "10", "--allowance", "5"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table budget(written("b/budget.csv"));
  ASSERT_EQ(budget.rows(), 3u) << "busy threads";
  for (std::size_t i = 0; i < budget.rows(); ++i) EXPECT_EQ(budget.text(i, "frames"), "60");

  outcome = run("x7", "x", {"--quick"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table x7(written("x/x7.csv"));
  ASSERT_EQ(x7.rows(), 11u);
  EXPECT_EQ(x7.number(0, "speedup"), 1.0);
  EXPECT_GT(x7.number(0, "contacts"), 0.0) << "or nothing is compared";
  for (std::size_t i = 1; i < x7.rows(); ++i) {
    if (x7.text(i, "until") == "exact") {
      EXPECT_EQ(x7.text(i, "contacts"), x7.text(0, "contacts"));
    }
    EXPECT_LE(x7.number(i, "calls"), x7.number(i, "states"));
  }

  outcome = run("x7", "one", {"--quick", "--steps", "1"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table one(written("one/x7.csv"));
  ASSERT_EQ(one.rows(), 11u);
  for (std::size_t i = 0; i < one.rows(); ++i) EXPECT_EQ(one.text(i, "calls"), "1");
}

TEST_F(Lab, ProjectionIsThatOfTheClosedFormAndSubdivisionEarly) {
  const Outcome outcome = run("projection", "p", {"--quick", "--sets", "60"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("differs from the closed form over all pairs in 0"));
  const Table table(written("p/projection.csv"));
  ASSERT_EQ(table.rows(), 6u * 5u * 2u * 5u) << "sets, numbers of bodies, planes, resolutions";
  std::map<double, double> early;
  int met = 0, never = 0, falsely = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_GT(table.number(i, "projection_us"), 0.0);
    EXPECT_GT(table.number(i, "sliced_projection_us"), 0.0);
    EXPECT_GT(table.number(i, "listed_subdivision_us"), 0.0);
    EXPECT_GE(table.number(i, "pair_tests") + 20.0, table.number(i, "listed_pair_tests"));
    EXPECT_LE(table.number(i, "crossings_percent"), 100.0);
    falsely += table.text(i, "false_positive") == "1";
    if (table.text(i, "t_oracle_s").empty()) {
      ++never;
      EXPECT_EQ(table.text(i, "t_projection_s"), "");
      continue;
    }
    ++met;
    EXPECT_NEAR(table.number(i, "t_projection_s"), table.number(i, "t_oracle_s"), 1e-6);
    const double gap = table.number(i, "t_oracle_s") - table.number(i, "t_subdivision_s");
    EXPECT_GE(gap, -1e-11);
    if (table.text(i, "planes") == "0") early[table.number(i, "resolution_s")] += gap;
  }
  EXPECT_GT(met, static_cast<int>(table.rows()) / 2);
  EXPECT_GT(never, 0);
  EXPECT_LT(falsely, met / 4);
  ASSERT_EQ(early.size(), 5u);
  EXPECT_LT(early[0.001] * 4.0, early[0.2]) << "the finer, the less early";
  expectFigure("p/projection.svg", 6);
}

TEST_F(Lab, BoundsAreAboveTheTruthAndTightestWhereSpheresAreSmall) {
  const Outcome outcome = run("bounds", "b",
                              {"--quick", "--levels", "2", "--model", "capsule", "--model", "cloth",
                               "--tree", "octree", "--tree", "variational"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr(": 0 below it"));
  const Table table(written("b/bounds.csv"));
  ASSERT_EQ(table.rows(), 2u * 2u * 2u) << "models, builders, levels";
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const bool first = table.text(i, "builder") == "octree", coarse = table.text(i, "level") == "1";
    EXPECT_EQ(table.text(i, "broken"), "0");
    EXPECT_GT(table.number(i, "possible"), 30.0);
    EXPECT_GT(table.number(i, "contacts"), 10.0);
    EXPECT_GT(table.number(i, "gap_mean_m"), 0.0);
    EXPECT_LE(table.number(i, "bound_mean_m"), table.number(i, "bound_max_m"));
    EXPECT_GT(table.number(i, "witness_us"), 0.0);
    const double ratio = table.number(i, "bound_mean_ratio");
    EXPECT_TRUE(first ? ratio == 1.0 : ratio < 1.0) << ratio;
    if (coarse) continue;
    EXPECT_LT(table.number(i, "bound_mean_m"), table.number(i - 1, "bound_mean_m"));
  }
  EXPECT_EQ(run("bounds", "b", {"--model", "no-such-model"}).exitCode, 3);
}

/// One pose, of which only the octree's spheres say that the bodies may touch.
TEST_F(Lab, BoundsOfNoPoseAreMissingAndNot0) {
  ASSERT_EQ(run("bounds", "b",
                {"--quick", "--poses", "1", "--model", "capsule", "--tree", "octree", "--tree",
                 "variational"})
                .exitCode,
            0);
  const Table table(written("b/bounds.csv"));
  ASSERT_EQ(table.rows(), 4u);
  EXPECT_EQ(table.text(0, "possible"), "1");
  EXPECT_EQ(table.number(0, "bound_mean_ratio"), 1.0);
  EXPECT_EQ(table.text(2, "possible"), "0");
  for (const char* column :
       {"bound_mean_m", "bound_max_m", "bound_mean_ratio", "bound_max_ratio", "gap_mean_m"})
    EXPECT_EQ(table.text(2, column), "") << column;
}

TEST_F(Lab, FitComparesEveryLevelWithTheOctrees) {
  const Outcome outcome = run("fit", "f",
                              {"--quick", "--model", "gripper", "--model", "ribbon", "--tree",
                               "medial", "--tree", "variational"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table table(written("f/fit.csv"));
  ASSERT_EQ(table.rows(), 2u * 3u * 2u) << "models, builders, levels";
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const bool gripper = table.text(i, "model") == "gripper";
    EXPECT_EQ(table.text(i, "kind"), gripper ? "robot" : "open");
    EXPECT_EQ(table.text(i, "solid"), gripper ? "1" : "0");
    EXPECT_LE(table.number(i, "ho_max_m"), table.number(i, "h_max_m"));
    if (!gripper) {
      EXPECT_EQ(table.text(i, "ho_max_m"), table.text(i, "h_max_m"));
    }
    const double mean = table.number(i, "ho_mean_ratio");
    const double max = table.number(i, "ho_max_ratio");
    if (table.text(i, "builder") == "octree") {
      EXPECT_EQ(mean, 1.0);
      EXPECT_EQ(max, 1.0);
    } else {
      EXPECT_LT(mean, 0.7);
      EXPECT_LT(max, 0.9);
    }
  }
  EXPECT_EQ(run("fit", "f", {"--model", "no-such-model"}).exitCode, 3);
}

TEST_F(Lab, DetectorsAllFindWhatTheReferenceFinds) {
  const Outcome outcome = run("detectors", "d", {"--quick", "--model", "rocket"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err << outcome.out;
  EXPECT_THAT(outcome.out, HasSubstr("; 0 differ from the reference"));
  const Table table(written("d/detectors.csv"));
  std::set<std::string> broad, narrow, contacts;
  double alarms = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    broad.insert(table.text(i, "broad"));
    narrow.insert(table.text(i, "narrow"));
    EXPECT_EQ(table.text(i, "missed"), "0");
    EXPECT_EQ(table.text(i, "invented"), "0");
    EXPECT_GT(table.number(i, "mean_us"), 0.0);
    if (table.text(i, "until") == "exact") {
      contacts.insert(table.text(i, "contacts"));
      EXPECT_EQ(table.text(i, "possible"), "0");
    } else {
      alarms += table.number(i, "possible");
    }
  }
  EXPECT_EQ(broad.size(), broadPhaseCatalog().size());
  EXPECT_EQ(narrow.size(), narrowPhaseCatalog().size());
  ASSERT_EQ(contacts.size(), 1u) << "every pair of methods finds as many";
  EXPECT_GT(std::stoi(*contacts.begin()), 10);
  EXPECT_GT(alarms, 20.0);
  EXPECT_EQ(run("detectors", "d", {"--model", "no-such-model"}).exitCode, 3);
}

TEST_F(Lab, SeedsMakeTheSets) {
  const auto times = [&](const std::string& folder, const std::string& seed) {
    EXPECT_EQ(run("projection", folder, {"--quick", "--sets", "10", "--seed", seed}).exitCode, 0);
    const Table table(written(folder + "/projection.csv"));
    std::vector<std::string> all;
    for (std::size_t i = 0; i < table.rows(); ++i) all.push_back(table.text(i, "t_oracle_s"));
    return all;
  };
  const auto first = times("a", "3");
  EXPECT_EQ(times("b", "3"), first);
  EXPECT_NE(times("c", "4"), first);
}

TEST_F(Lab, TurkFliesEveryMethodToTheSameCollision) {
  const Outcome outcome = run("turk", "t", {"--runs", "3", "--bodies", "10", "60"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("find different first collisions in 0"));
  const Table table(written("t/turk.csv"));
  ASSERT_EQ(table.rows(), 2u * 3u * 14u) << "numbers of bodies, runs, methods";
  std::map<std::string, std::set<std::string>> ends;
  int collided = 0, skipping = 0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    ends[table.text(i, "bodies") + "," + table.text(i, "run")].insert(table.text(i, "end_s"));
    collided += table.text(i, "collided") == "1";
    const bool grid = table.text(i, "method") == "uniform-grid";
    const std::string method = table.text(i, "method");
    const bool published = grid || method == "space-time" || method == "space-time-believing" ||
                           method.starts_with("space-time-subdivision");
    EXPECT_EQ(table.text(i, "source"), published ? "published" : "ours") << method;
    EXPECT_EQ(table.number(i, "speedup") == 1.0, grid);
    EXPECT_EQ(table.text(i, "model_speedup") == "1", grid) << "as many tests as the grid";
    EXPECT_GT(table.number(i, "tests"), 0.0);
    if (grid) {
      EXPECT_EQ(table.text(i, "calls"), table.text(i, "frames"));
    } else {
      skipping += table.number(i, "calls") < table.number(i, "frames");
    }
    EXPECT_LE(table.number(i, "slowest_us"), table.number(i, "detection_us"));
    EXPECT_GT(table.number(i, "crossings_percent"), 0.0);
  }
  for (const auto& [flight, end] : ends) EXPECT_EQ(end.size(), 1u) << flight;
  EXPECT_GT(collided, 18);
  EXPECT_GT(skipping, 10) << "looking ahead leaves frames without work";

  // Every frame of every run is in the histogram
  const Table frames(written("t/turk_frames.csv"));
  std::map<std::string, double> inRuns, inHistogram;
  for (std::size_t i = 0; i < table.rows(); ++i)
    inRuns[table.text(i, "method")] += table.number(i, "frames");
  for (std::size_t i = 0; i < frames.rows(); ++i)
    inHistogram[frames.text(i, "method")] += frames.number(i, "frames");
  EXPECT_EQ(inHistogram, inRuns);
  expectFigure("t/turk_speedup.svg", 29);
  expectFigure("t/turk_frames.svg", 2);
}

TEST_F(Lab, TurkTakesOtherMethodsAndFrames) {
  const Outcome outcome = run("turk", "t",
                              {"--runs", "1", "--bodies", "30", "--broad", "schedule", "--step",
                               "0.05", "--longest", "0.2"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const Table table(written("t/turk.csv"));
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.text(1, "method"), "schedule");
  EXPECT_LE(table.number(1, "end_s"), 0.2 + 0.05);
}

TEST_F(Lab, WritesToAFolderOfItsOwnUnlessToldOtherwise) {
  const Outcome outcome = program_.run({"lab", "checks", "--quick"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              HasSubstr("results go to " + (program_.home() / "lab-results").string()));
  EXPECT_THAT(outcome.out, HasSubstr("written to lab-results/checks.json\n"));
  EXPECT_THAT(written("lab-results/checks.csv"), HasSubstr("# experiment: checks\n"));
}

TEST_F(Lab, NamesMistakes) {
  for (const char* experiment : {"projection", "turk"}) {
    EXPECT_THAT(program_.run({"list", "experiments"}).out, HasSubstr(experiment));
    EXPECT_EQ(run(experiment, "p", {"--seed", "x"}).exitCode, 1);
    test::writeText(program_.home() / "file", "");
    const Outcome noFolder = run(experiment, "file", {"--quick"});
    EXPECT_EQ(noFolder.exitCode, 2);
    EXPECT_THAT(noFolder.err, HasSubstr("cannot make the folder \"file\""));
  }
  EXPECT_EQ(run("projection", "p", {"--sets", "0"}).exitCode, 1);
  EXPECT_EQ(run("turk", "t", {"--bodies", "1"}).exitCode, 1);
  const Outcome typo = run("turk", "t", {"--broad", "space-tim"});
  EXPECT_EQ(typo.exitCode, 1);
  EXPECT_THAT(typo.err, HasSubstr("Did you mean \"space-time\"?"));
}

TEST_F(Lab, SaysWhereOptionsLeaveNothingToMeasure) {
  const Outcome outcome = run("budget", "b", {"--quick", "--ships", "1000"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("budget: these options leave nothing to measure"));
  EXPECT_FALSE(std::filesystem::exists(program_.home() / "b" / "budget.csv"));
}

TEST_F(Lab, MergedPartsOfDifferentProcessorsSaySo) {
  for (const char* shard : {"1/2", "2/2"})
    ASSERT_EQ(run("checks", "s", {"--quick", "--shard", shard}).exitCode, 0);
  const Words merge{"lab", "merge", "s/checks.shard-1-of-2.json", "s/checks.shard-2-of-2.json",
                    "-o",  "m"};
  const char* const note = "# note: its work items were measured on different processors";
  ASSERT_EQ(program_.run(merge).exitCode, 0);
  EXPECT_THAT(written("m/checks.csv"), testing::Not(HasSubstr(note)));
  const std::string part = written("s/checks.shard-2-of-2.json");
  test::writeText(program_.home() / "s" / "checks.shard-2-of-2.json",
                  test::Pattern("\"cpu\":\"").replaced(part, "\"cpu\":\"another than "));
  ASSERT_EQ(program_.run(merge).exitCode, 0);
  EXPECT_THAT(written("m/checks.csv"), HasSubstr(note));
}

/// Whoever called the program may ignore how its children end, which it then does as well.
TEST_F(Lab, AnExitCodeIsHeardWhoeverCalls) {
  const std::filesystem::path alone = program_.home() / "alone";
  std::filesystem::create_directories(alone);
  std::filesystem::copy_file(NEARMISS_PROGRAM, alone / "nearmiss");
  test::writeText(alone / "nearmiss-lab", "#!/bin/sh\nexit 3\n");
  std::filesystem::permissions(alone / "nearmiss-lab", std::filesystem::perms::owner_all);
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGCHLD, SIG_IGN);
    ::execl((alone / "nearmiss").c_str(), "nearmiss", "list", "experiments", nullptr);
    ::_exit(99);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST_F(Lab, IsAProgramThatNearmissSaysHowToBuild) {
  // The program alone in a folder, and nothing in PATH
  const std::filesystem::path alone = program_.home() / "alone";
  std::filesystem::create_directories(alone);
  std::filesystem::copy_file(NEARMISS_PROGRAM, alone / "nearmiss");
  ASSERT_EQ(::setenv("PATH", alone.c_str(), 1), 0);
  const test::Program nearmiss((alone / "nearmiss").string());
  for (const char* command : {"lab", "report"}) {
    const Outcome absent = nearmiss.run({command, "--help"});
    EXPECT_EQ(absent.exitCode, 2);
    EXPECT_THAT(absent.err, HasSubstr("cmake --build build --target nearmiss-lab"));
    EXPECT_THAT(nearmiss.run({"--help"}).out, HasSubstr(command));
  }
  EXPECT_EQ(nearmiss.run({"list", "experiments"}).exitCode, 0);
  // Found in PATH
  std::filesystem::create_directories(alone / "bin");
  std::filesystem::create_symlink(NEARMISS_LAB_PROGRAM, alone / "bin" / "nearmiss-lab");
  ASSERT_EQ(::setenv("PATH", (alone / "bin").c_str(), 1), 0);
  const Outcome present = nearmiss.run({"lab", "--help"});
  EXPECT_EQ(present.exitCode, 0);
  EXPECT_THAT(present.out, HasSubstr("nearmiss lab"));
}

TEST_F(Lab, KeepsWhatWasMeasuredUntilAnInterrupt) {
  // The interrupt comes later and later until something has been measured before it
  Outcome outcome;
  for (auto after = std::chrono::milliseconds(250); after < std::chrono::minutes(2); after *= 2) {
    program_.interruptAfter = after;
    outcome = run("projection", "p", {"--sets", "1000000"});
    if (std::filesystem::exists(program_.home() / "p" / "projection.csv")) break;
  }
  ASSERT_EQ(outcome.exitCode, 130) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("until the interrupt"));
  EXPECT_GT(Table(written("p/projection.csv")).rows(), 0u);
}

TEST_F(Lab, APartOfAResultDoesNotReplaceACompleteOne) {
  ASSERT_EQ(run("projection", "p", {"--quick", "--sets", "10"}).exitCode, 0);
  const std::string table = written("p/projection.csv"), json = written("p/projection.json");
  Outcome outcome;
  for (auto after = std::chrono::milliseconds(250); after < std::chrono::minutes(2); after *= 2) {
    program_.interruptAfter = after;
    outcome = run("projection", "p", {"--sets", "1000000"});
    if (std::filesystem::exists(program_.home() / "p" / "projection.partial.csv")) break;
  }
  ASSERT_EQ(outcome.exitCode, 130) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("the complete result of projection stays"));
  EXPECT_EQ(written("p/projection.csv"), table);
  EXPECT_EQ(written("p/projection.json"), json);
  EXPECT_GT(Table(written("p/projection.partial.csv")).rows(), 0u);
  EXPECT_THAT(written("p/projection.partial.json"), HasSubstr("\"complete\":false"));
  EXPECT_TRUE(std::filesystem::exists(program_.home() / "p" / "projection.partial.svg"));
}

}  // namespace
}  // namespace nearmiss
