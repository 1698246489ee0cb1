// SPDX-License-Identifier: MIT
/// Flights without a window from outside: how far they go, what they repeat and what they record.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "app/running/small_ships.h"

namespace nearmiss {
namespace {

using test::asObj;
using test::joined;
using test::lastLine;
using test::Outcome;
using test::readText;
using test::rowsOf;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

using CommandLine = test::SmallShips;

/// With the scene's own broad phase, the one for crowds, and the reference.
TEST_F(CommandLine, FliesACrowd) {
  const Words words{"run",      "crowd", "--tree",   "octree", "--clock",   "work",
                    "--budget", "inf",   "--frames", "4",      "--summary", "s.json"};
  const Outcome outcome = run(words);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(readText(home() / "s.json"));
  EXPECT_THAT(summary.dump(), HasSubstr("space-time-grid + sphere-tree"));
  EXPECT_EQ(lastLine(run(joined(words, {"--broad", "all-pairs"})).out), lastLine(outcome.out));
}

TEST_F(CommandLine, RepeatsARunOnTheWorkClockBitForBit) {
  // A budget so small that it decides how deep detection goes
  const Words words{"--clock", "work", "--budget", "3", "--frames", "400"};
  const Outcome first = runCrowd(words);
  ASSERT_EQ(first.exitCode, 0) << first.err;
  EXPECT_THAT(lastLine(first.out), MatchesRegex("state 0x[0-9a-f]{16}"));
  const Words again = joined(words, {"--jobs", "3", "--rebuild-trees"});
  EXPECT_EQ(lastLine(runCrowd(words).out), lastLine(first.out));
  EXPECT_EQ(lastLine(runCrowd(again).out), lastLine(first.out));

  // And the budget, the seed and the method each make a difference
  for (const Words& other : {Words{"--budget", "inf"}, Words{"--seed", "43"}}) {
    Words changed = words;
    if (other[0] == "--budget")
      changed[3] = other[1];
    else
      changed = joined(words, other);
    EXPECT_NE(lastLine(runCrowd(changed).out), lastLine(first.out)) << other[0];
  }
}

TEST_F(CommandLine, EveryBroadPhaseGivesTheSameRun) {
  const auto stateWith = [this](const char* broad) {
    return lastLine(
        runCrowd({"--clock", "work", "--budget", "inf", "--frames", "300", "--broad", broad}).out);
  };
  const std::string reference = stateWith("all-pairs");
  EXPECT_THAT(reference, HasSubstr("state 0x"));
  for (const char* broad :
       {"sweep-and-prune", "sweep-and-prune-dynamic", "sweep-and-prune-two-axes", "uniform-grid"})
    EXPECT_EQ(stateWith(broad), reference) << broad;
}

TEST_F(CommandLine, StopsWhereItIsTold) {
  EXPECT_THAT(runCrowd({"--frames", "7"}).out, HasSubstr("7 frames, 0.1 s simulated"));
  EXPECT_THAT(runCrowd({"--seconds", "2.5"}).out, HasSubstr("150 frames, 2.5 s simulated"));
  EXPECT_THAT(runCrowd({"--seconds", "1", "--sim-step", "0.25"}).out, HasSubstr("4 frames"));
  // Without a step of its own a frame advances by its target time
  EXPECT_THAT(runCrowd({"--seconds", "1", "--frame-ms", "50"}).out, HasSubstr("20 frames"));
  EXPECT_THAT(runCrowd({"--frames", "0"}).out, HasSubstr("0 frames"));
  EXPECT_THAT(runCrowd({}).out, HasSubstr("600 frames, 10.0 s simulated"));
}

TEST_F(CommandLine, KeepsToTheFrameTimeIfAsked) {
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome =
      runCrowd({"--realtime", "--frame-ms", "20", "--frames", "30", "--profile", "p.csv"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(600));
}

TEST_F(CommandLine, LeavesRecordsThatAddUp) {
  const Outcome outcome =
      runCrowd({"--frames", "250", "--reference", "bsp", "--profile", "p.csv", "--summary",
                "s.json", "--trace", "t.json", "--calls", "c.csv", "--budget", "50"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto rows = rowsOf(readText(home() / "p.csv"));
  ASSERT_EQ(rows.size(), 251u);
  std::vector<std::string> names;
  const auto cells = [](const std::string& row) {
    std::vector<std::string> result;
    std::istringstream stream(row);
    for (std::string cell; std::getline(stream, cell, ',');) result.push_back(cell);
    return result;
  };
  names = cells(rows[0]);
  const auto place = [&names](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  std::uint64_t collisions = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto values = cells(rows[i]);
    ASSERT_EQ(values.size(), names.size());
    double sum = std::stod(values[place("watching_ms")]);
    for (std::size_t c = place("input_ms"); c <= place("other_ms"); ++c)
      sum += std::stod(values[c]);
    const double frame = std::stod(values[place("frame_ms")]);
    EXPECT_NEAR(sum, frame, 1e-5);  // rounded to nanoseconds, eleven times
    EXPECT_GE(std::stod(values[place("other_ms")]), 0.0);
    EXPECT_EQ(values[place("budget_ms")], "0.050000");
    for (std::size_t c = place("coll_l1"); c <= place("coll_l5"); ++c)
      collisions += std::stoull(values[c]);
  }
  EXPECT_GT(collisions, 0u);

  const auto summary = nlohmann::json::parse(readText(home() / "s.json"));
  EXPECT_EQ(summary["frames"], 250);
  EXPECT_EQ("state " + summary["state_hash"].get<std::string>(), lastLine(outcome.out));
  std::uint64_t counted = 0;
  for (const auto& [level, count] : summary["collisions_by_level"].items())
    counted += count.get<std::uint64_t>();
  EXPECT_EQ(counted, collisions);
  EXPECT_FALSE(nlohmann::json::parse(readText(home() / "t.json"))["traceEvents"].empty());
  EXPECT_GT(rowsOf(readText(home() / "c.csv")).size(), 10u);
  EXPECT_THAT(outcome.out, HasSubstr("reference   0 contacts that bsp found and sphere-tree"));
}

TEST_F(CommandLine, FliesAsPublished) {
  // What is typed beside it wins, on either side
  const auto printed = [this](const Words& words) {
    return runCrowd(joined(words, {"--print-config"})).out;
  };
  const std::string plain = printed({"--as-published"});
  EXPECT_THAT(plain, HasSubstr("as_published = true\n"));
  EXPECT_THAT(plain, HasSubstr("broad = \"space-time\"\n"));
  const std::string after = printed({"--as-published", "--tree", "octree", "--sim-step", "0.2"});
  EXPECT_EQ(after, printed({"--tree", "octree", "--sim-step", "0.2", "--as-published"}));
  EXPECT_THAT(after, HasSubstr("tree = \"octree\"\n"));
  EXPECT_THAT(after, HasSubstr("dt_render = 0.2\n"));
  EXPECT_THAT(after, HasSubstr("as_published = true\n"));

  // By octrees, which are there at once: medial ones take long
  const Outcome flown = runCrowd({"--as-published", "--tree", "octree", "--frames", "20"});
  EXPECT_EQ(flown.exitCode, 0) << flown.err;
  EXPECT_THAT(flown.out, HasSubstr("20 frames, 2.0 s simulated"));
  const Outcome boxed = runCrowd({"--as-published", "--boxes", "1"});
  EXPECT_EQ(boxed.exitCode, 1);
  EXPECT_THAT(boxed.err, HasSubstr("need guaranteed coverage, not the paper's"));
}

TEST_F(CommandLine, LetsPairsWaitWhereTimeIsShort) {
  const Words few{"run",      "lamps",     "--drones", "60",    "--seconds", "2",
                  "--narrow", "bsp",       "--clock",  "work",  "--budget",  "1",
                  "--broad",  "all-pairs", "--tree",   "octree"};
  const Outcome waiting = run(few);
  ASSERT_EQ(waiting.exitCode, 0) << waiting.err;
  EXPECT_THAT(waiting.out, HasSubstr("postponed "));
  EXPECT_THAT(waiting.out, HasSubstr("overrun "));
  // Around the user's ship none waits, nor anywhere without a limit
  for (const Words& nobody : {Words{"--full-within", "1e6"}, Words{"--budget", "inf"}}) {
    Words words = joined(few, nobody);
    if (nobody[0] == "--budget") words.erase(words.begin() + 10, words.begin() + 12);
    const Outcome all = run(words);
    ASSERT_EQ(all.exitCode, 0) << all.err;
    EXPECT_THAT(all.out, Not(HasSubstr("postponed ")));
  }

  EXPECT_THAT(run(joined(few, {"--full-within", "2.5", "--print-config"})).out,
              HasSubstr("[importance]\nfull_within = 2.5\n"));
  EXPECT_EQ(run({"run", "--full-within", "-1"}).exitCode, 1);
}

/// What is predicted of a frame's rest is the mean of what was measured of the last ones.
TEST_F(CommandLine, PredictsTheRestFromTheFramesBefore) {
  ASSERT_EQ(runCrowd({"--frames", "60", "--profile", "p.csv"}).exitCode, 0);
  const auto rows = rowsOf(readText(home() / "p.csv"));
  ASSERT_EQ(rows.size(), 61u);
  const auto cells = [](const std::string& row) {
    std::vector<std::string> split;
    std::istringstream stream(row);
    for (std::string cell; std::getline(stream, cell, ',');) split.push_back(cell);
    return split;
  };
  const auto names = cells(rows[0]);
  const auto value = [&](std::size_t frame, const char* name) {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    return std::stod(cells(rows[frame + 1])[static_cast<std::size_t>(at)]);
  };
  // As engine/flight/frame_budget.h has them
  constexpr std::size_t warmUp = 10, window = 30;
  for (std::size_t frame = 0; frame < 60; ++frame) {
    double sum = 0.0, count = 0.0;
    for (std::size_t f = std::max(warmUp, frame < window ? 0 : frame - window); f < frame; ++f) {
      sum += value(f, "frame_ms") - value(f, "watching_ms") - value(f, "slack_ms") -
             value(f, "broad_ms") - value(f, "narrow_ms");
      count += 1.0;
    }
    const double expected = count > 0.0 ? sum / count : 0.0;
    // Six digits after the point, in each of five times
    EXPECT_NEAR(value(frame, "predicted_rest_ms"), expected, 5e-6) << frame;
    EXPECT_EQ(expected > 0.0, frame > warmUp);
  }
}

TEST_F(CommandLine, SharesDronesOutAmongTheGroups) {
  writeText(home() / "three.toml", "[[drones]]\n[[drones]]\n[[drones]]\n");
  const std::string out = run({"run", "three.toml", "--drones", "7", "--print-config"}).out;
  const std::size_t first = out.find("count = 3");
  ASSERT_NE(first, std::string::npos);
  const std::size_t second = out.find("count = 2", first);
  ASSERT_NE(second, std::string::npos);
  EXPECT_NE(out.find("count = 2", second + 1), std::string::npos);
}

TEST_F(CommandLine, FliesAsManyDronesAsItTakes) {
  const Outcome outcome = run({"run", "--drones", "100000", "--model", "torus.obj",
                               "--player-model", "torus.obj", "--tree", "octree", "--frames", "1"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 frames"));
}

TEST_F(CommandLine, WarnsOfOpenModelsAndGoesOn) {
  TriangleMesh open = test::sphere();
  open.triangles.pop_back();
  writeText(home() / "open.obj", asObj(open));
  const Outcome outcome = run({"run", "--player-model", "open.obj", "--model", "torus.obj",
                               "--drones", "2", "--frames", "3", "--tree", "octree"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err,
              HasSubstr("\"open.obj\": not closed (3 boundary edges): inside/outside is undefined; "
                        "sphere-tree will cover the surface only"));
}

}  // namespace
}  // namespace nearmiss
