// SPDX-License-Identifier: MIT
/// The program from outside: what it prints, what it ends with, what it leaves behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "app/small_ships.h"

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
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::Not;

using CommandLine = test::SmallShips;

struct Mistake {
  const char* label;
  Words words;
  int exitCode;
  const char* sentence;
};
std::ostream& operator<<(std::ostream& out, const Mistake& mistake) { return out << mistake.label; }

class EveryMistake : public CommandLine, public testing::WithParamInterface<Mistake> {};

TEST_P(EveryMistake, IsNamedAndEndsWithItsCode) {
  writeText(home() / "broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  writeText(home() / "empty.obj", "");
  writeText(home() / "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "huge.obj", "v 2e9 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
  writeText(home() / "noise.tree", std::string(300, 'x'));
  writeText(home() / "unknown.toml", "[time]\nframe_m = 3\n");
  writeText(home() / "type.toml", "seed = \"x\"\n");
  std::ofstream(home() / "large.obj");
  std::filesystem::resize_file(home() / "large.obj", (std::uintmax_t{256} << 20) + 1);
  const Outcome outcome = run(GetParam().words);
  EXPECT_EQ(outcome.exitCode, GetParam().exitCode) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr(GetParam().sentence));
  EXPECT_THAT(outcome.err, testing::StartsWith("nearmiss: "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("state ")));
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, EveryMistake,
    testing::Values(
        Mistake{"command", {"rnu"}, 1, "no command \"rnu\". Did you mean \"run\"?"},
        Mistake{"tree_command", {"tree", "buld"}, 1, "Did you mean \"build\"?"},
        Mistake{
            "option", {"run", "--sed", "3"}, 1, "no option \"--sed\". Did you mean \"--seed\"?"},
        Mistake{"option_with_value", {"run", "--frams=3"}, 1, "Did you mean \"--frames\"?"},
        Mistake{"no_number", {"run", "--seed", "many"}, 1, "--seed"},
        Mistake{"negative", {"run", "--seed", "-1"}, 1, "--seed"},
        Mistake{"range", {"run", "--max-level", "9"}, 1, "expected a number from 0 to 5"},
        Mistake{"drones",
                {"run", "--drones", "100001"},
                1,
                "expected a number from 0 to 100000 (so many take 0.3 GB of memory"},
        Mistake{"frames", {"run", "--frames", "-1"}, 1, "expected a number from 0"},
        Mistake{"frames_huge", {"run", "--frames", "99999999999999999999999"}, 1, "--frames"},
        Mistake{"seed_huge", {"run", "--seed", "9223372036854775808"}, 1, "--seed"},
        Mistake{"empty_argument", {"run", "crowd.toml", "--profile", ""}, 1, "argument is empty"},
        Mistake{"empty_value", {"run", "--profile="}, 1, "nothing follows \"--profile=\""},
        Mistake{"nan", {"run", "--frame-ms", "nan"}, 1, "--frame-ms"},
        Mistake{"budget", {"run", "--budget", "lots"}, 1, "expected auto, inf or microseconds"},
        Mistake{"narrow", {"run", "--narrow", "spheretree"}, 1, "Did you mean \"sphere-tree\"?"},
        Mistake{"order", {"run", "--order", "bound"}, 1, "largest-bound"},
        Mistake{"broad", {"run", "--broad", "all"}, 1, "Did you mean \"all-pairs\"?"},
        Mistake{"tree", {"run", "--tree", "octre"}, 1, "Did you mean \"octree\"?"},
        Mistake{"list", {"list", "modles"}, 1, "Did you mean \"models\"?"},
        Mistake{"too_many", {"run", "crowd.toml", "lamps"}, 1, "one argument too many"},
        Mistake{"scene_twice", {"run", "crowd.toml", "--scene", "lamps"}, 1, "named twice"},
        Mistake{"size", {"fly", "--size", "big"}, 1, "expected WxH"},
        Mistake{"screenshot", {"fly", "--screenshot", "a.png"}, 1, "FILE.png@FRAME"},
        Mistake{"screenshot_form", {"fly", "--screenshot", "a.jpg@3"}, 1, "FILE.png@FRAME"},
        Mistake{"screenshot_folder",
                {"fly", "crowd.toml", "--headless", "--screenshot", "no/a.png@3"},
                2,
                "cannot write \"no/a.png\": No such file"},
        Mistake{"flown_profile_folder",
                {"fly", "crowd.toml", "--headless", "--profile", "no/p.csv"},
                2,
                "cannot write \"no/p.csv\": No such file"},
        Mistake{"missing_argument", {"tree", "build"}, 1, "MODEL is required"},
        Mistake{"branching",
                {"tree", "build", "star.obj", "-o", "t", "--branching", "9"},
                1,
                "from 2 to 8, got 9"},
        Mistake{
            "profile_folder", {"run", "crowd.toml", "--profile", "no/p.csv"}, 2, "No such file"},
        Mistake{
            "summary_folder", {"run", "crowd.toml", "--summary", "no/s.json"}, 2, "cannot write"},
        Mistake{
            "profile_full", {"run", "crowd.toml", "--profile", "/dev/full"}, 2, "No space left"},
        Mistake{"tree_folder",
                {"tree", "build", "star.obj", "-o", "no/t", "--levels", "1"},
                2,
                "cannot write"},
        Mistake{
            "model_missing",
            {"run", "--player-model", "x.obj"},
            3,
            "cannot open \"x.obj\" (No such file). Built-in models: lamp, faucet, rocket, truck"},
        Mistake{"model_broken", {"run", "--player-model", "broken.obj"}, 3, "\"broken.obj\": OBJ:"},
        Mistake{"model_empty", {"run", "--player-model", "empty.obj"}, 3, "the file is empty"},
        Mistake{"model_nan", {"run", "--player-model", "nan.obj"}, 3, "not a finite number"},
        Mistake{"model_huge", {"run", "--player-model", "huge.obj"}, 3, "beyond 1e9"},
        Mistake{"model_flat", {"run", "--player-model", "flat.obj"}, 3, "0 triangles"},
        Mistake{
            "model_large", {"run", "--player-model", "large.obj"}, 3, "more than the 268435456"},
        Mistake{"scene_missing", {"run", "lampz"}, 3, "Did you mean \"lamps\"?"},
        Mistake{"scene_key",
                {"run", "unknown.toml"},
                3,
                "unknown.toml:2: unknown key \"frame_m\" in [time]. Did you mean \"frame_ms\"?"},
        Mistake{"scene_type", {"run", "type.toml"}, 3, "type.toml:1: seed must be a whole number"},
        Mistake{"config_missing", {"run", "--config", "no.toml"}, 3, "cannot open \"no.toml\""},
        Mistake{"crowded", {"run", "crowd.toml", "--drones", "500"}, 3, "no room for so many"},
        Mistake{"tree_missing", {"tree", "info", "no.tree"}, 3, "no.tree"},
        Mistake{"tree_noise", {"tree", "info", "noise.tree"}, 3, "noise.tree"},
        Mistake{
            "tree_of_model", {"tree", "build", "x.obj", "-o", "t"}, 3, "cannot open \"x.obj\""}),
    [](const auto& mistake) { return mistake.param.label; });

TEST_F(CommandLine, TellsItsVersionAndItsOptions) {
  const Outcome version = run({"--version"});
  EXPECT_EQ(version.exitCode, 0);
  EXPECT_THAT(version.out, MatchesRegex("nearmiss [0-9.]+\n"));
  const Outcome help = run({"--help"});
  EXPECT_EQ(help.exitCode, 0);
  for (const char* word : {"fly", "run", "tree", "list", "Exit codes"})
    EXPECT_THAT(help.out, HasSubstr(word));
  const Outcome runHelp = run({"run", "--help"});
  for (const char* word : {"--seed", "--budget", "--profile", "--realtime", "--clock"})
    EXPECT_THAT(runHelp.out, HasSubstr(word));
  EXPECT_THAT(runHelp.out, Not(HasSubstr("--fullscreen")));
}

TEST_F(CommandLine, ListsTheNamesThatOptionsTake) {
  EXPECT_THAT(run({"list", "narrow"}).out, HasSubstr("sphere-tree"));
  EXPECT_THAT(run({"list", "broad"}).out, HasSubstr("all-pairs"));
  EXPECT_THAT(run({"list", "trees"}).out, HasSubstr("octree"));
  EXPECT_THAT(run({"list", "trees"}).out,
              MatchesRegex("(.*\n)*variational [^\n]*; the default\n(.*\n)*"));
  EXPECT_THAT(run({"list", "models"}).out, HasSubstr("truck"));
  EXPECT_THAT(run({"list", "scenes"}).out, HasSubstr("fig21"));
  EXPECT_THAT(run({"list", "scenes"}).out, HasSubstr("lamp among 999 x lamp"));
}

/// In the scene's own broad phase, the one that is made for so many, and as the reference has it.
TEST_F(CommandLine, FliesACrowd) {
  const Words words{"run",      "crowd", "--tree",   "octree", "--clock",   "work",
                    "--budget", "inf",   "--frames", "4",      "--summary", "s.json"};
  const Outcome outcome = run(words);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const auto summary = nlohmann::json::parse(readText(home() / "s.json"));
  EXPECT_THAT(summary.dump(), HasSubstr("space-time-grid + sphere-tree"));
  EXPECT_EQ(lastLine(run(joined(words, {"--broad", "all-pairs"})).out), lastLine(outcome.out));
}

TEST_F(CommandLine, ListsEverythingUnlessToldWhat) {
  const Outcome all = run({"list"});
  EXPECT_EQ(all.exitCode, 0) << all.err;
  for (const char* kind :
       {"models", "scenes", "broad", "narrow", "orders", "trees", "experiments"}) {
    const Outcome one = run({"list", kind});
    EXPECT_EQ(one.exitCode, 0) << one.err;
    EXPECT_FALSE(one.out.empty());
    EXPECT_THAT(all.out, HasSubstr(std::string("(list ") + kind + "):\n" + one.out));
  }
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

TEST_F(CommandLine, AppliesCommandLineOverSceneOverSettingsOverDefaults) {
  const auto printed = [this](Words more) {
    more.push_back("--print-config");
    more.insert(more.begin(), "run");
    const Outcome outcome = run(more);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_THAT(printed({}), HasSubstr("seed = 42\n"));
  EXPECT_THAT(printed({}), HasSubstr("tree = \"variational\"\n"));
  std::filesystem::create_directories(home() / "config" / "nearmiss");
  writeText(home() / "config" / "nearmiss" / "config.toml",
            "seed = 1\n[time]\nframe_ms = 11.0\n[detector]\nmax_level = 3\n");
  writeText(home() / "scene.toml", "seed = 2\n[time]\nframe_ms = 22.0\n");
  const std::string settings = printed({});
  EXPECT_THAT(settings, HasSubstr("seed = 1\n"));
  const std::string scene = printed({"scene.toml"});
  EXPECT_THAT(scene, HasSubstr("seed = 2\n"));
  EXPECT_THAT(scene, HasSubstr("frame_ms = 22.0\n"));
  EXPECT_THAT(scene, HasSubstr("max_level = 3\n"));
  const std::string typed = printed({"scene.toml", "--seed", "3"});
  EXPECT_THAT(typed, HasSubstr("seed = 3\n"));
  EXPECT_THAT(typed, HasSubstr("frame_ms = 22.0\n"));
  writeText(home() / "other.toml", "[detector]\nmax_level = 2\n");
  EXPECT_THAT(printed({"--config", "other.toml"}), HasSubstr("max_level = 2\n"));

  // What is printed is a scene that prints itself
  writeText(home() / "printed.toml", typed);
  EXPECT_EQ(printed({"printed.toml"}), typed);
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
  // As engine/frame_budget.h has them
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

TEST_F(CommandLine, BuildsDescribesAndProvesTrees) {
  const Outcome built = run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "3"});
  ASSERT_EQ(built.exitCode, 0) << built.err;
  EXPECT_THAT(built.out, HasSubstr("coverage guaranteed"));
  const Outcome info = run({"tree", "info", "torus.tree"});
  EXPECT_EQ(info.exitCode, 0);
  EXPECT_THAT(info.out, HasSubstr("builder variational, 120 triangles"));
  const Outcome proven = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(proven.exitCode, 0) << proven.err;
  EXPECT_THAT(proven.out, HasSubstr("coverage  holds"));
  EXPECT_THAT(proven.out, HasSubstr("bounds    hold"));
  const Outcome other = run({"tree", "check", "torus.tree", "star.obj"});
  EXPECT_EQ(other.exitCode, 4);
  EXPECT_THAT(other.err, HasSubstr("from another mesh"));
}

TEST_F(CommandLine, RefusesDamagedTrees) {
  ASSERT_EQ(run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2"}).exitCode, 0);
  const std::string whole = readText(home() / "torus.tree");
  for (const std::size_t place : {std::size_t{3}, std::size_t{20}, whole.size() / 2}) {
    std::string flipped = whole;
    flipped[place] = static_cast<char>(flipped[place] ^ 4);
    writeText(home() / "flipped.tree", flipped);
    EXPECT_EQ(run({"tree", "check", "flipped.tree", "torus.obj"}).exitCode, 3) << place;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{31}, whole.size() - 1}) {
    writeText(home() / "cut.tree", whole.substr(0, length));
    EXPECT_EQ(run({"tree", "info", "cut.tree"}).exitCode, 3) << length;
  }
}

TEST_F(CommandLine, WritesThroughLinksAndIntoPipes) {
  writeText(home() / "real.tree", "old");
  std::filesystem::permissions(home() / "real.tree", std::filesystem::perms(0600));
  std::filesystem::create_symlink("real.tree", home() / "link.tree");
  const auto build = [this](const std::string& out) {
    return run({"tree", "build", "torus.obj", "-o", out, "--levels", "1", "--method", "octree"});
  };
  ASSERT_EQ(build("link.tree").exitCode, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(home() / "link.tree"));
  EXPECT_EQ(std::filesystem::status(home() / "real.tree").permissions(),
            std::filesystem::perms(0600));
  EXPECT_EQ(run({"tree", "check", "real.tree", "torus.obj"}).exitCode, 0);

  ASSERT_EQ(::mkfifo((home() / "pipe").c_str(), 0600), 0);
  std::string piped;
  std::jthread reader([&] { piped = readText(home() / "pipe"); });
  EXPECT_EQ(build("pipe").exitCode, 0);
  reader.join();
  EXPECT_EQ(piped.substr(0, 8), "NEARMISS");
  EXPECT_TRUE(std::filesystem::is_fifo(home() / "pipe"));

  const Outcome full = build("/dev/full");
  EXPECT_EQ(full.exitCode, 2);
  EXPECT_THAT(full.err, HasSubstr("No space left on device"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST_F(CommandLine, FliesByDefault) {
  // Without a scene there is none to fly; whichever way it was built, it is fly that answers
  const Outcome outcome = run({"--player-model", "x.obj", "--headless"});
  EXPECT_NE(outcome.exitCode, 0);
  EXPECT_NE(outcome.exitCode, 1) << outcome.err;
}

}  // namespace
}  // namespace nearmiss
