// SPDX-License-Identifier: MIT
/// The program from outside: what it says of mistakes, lists and takes as settings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>

#include "app/running/small_ships.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::Words;
using test::writeText;
using testing::HasSubstr;
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

/// What a program that can fly says; one without the window says so before it looks at files.
constexpr const char* inAWindow([[maybe_unused]] const char* sentence) {
#ifdef NEARMISS_HAVE_FLY
  return sentence;
#else
  return "built without the window";
#endif
}

class EveryMistake : public CommandLine, public testing::WithParamInterface<Mistake> {};

TEST_P(EveryMistake, IsNamedAndEndsWithItsCode) {
  writeText(home() / "broken.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n");
  writeText(home() / "empty.obj", "");
  writeText(home() / "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "huge.obj", "v 2e15 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
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
        Mistake{"command", {"rnu"}, 1, "unknown command \"rnu\". Did you mean \"run\"?"},
        Mistake{"tree_command", {"tree", "buld"}, 1, "Did you mean \"build\"?"},
        Mistake{"option",
                {"run", "--sed", "3"},
                1,
                "unknown option \"--sed\". Did you mean \"--seed\"?"},
        Mistake{"option_with_value", {"run", "--frams=3"}, 1, "Did you mean \"--frames\"?"},
        Mistake{"no_number", {"run", "--seed", "many"}, 1, "--seed"},
        Mistake{"negative", {"run", "--seed", "-1"}, 1, "--seed"},
        Mistake{"range", {"run", "--max-level", "9"}, 1, "expected a number from 0 to 5"},
        Mistake{"drones",
                {"run", "--drones", "100001"},
                1,
                "expected a number from 0 to 100000 (100000 take 0.3 GB of memory"},
        Mistake{"frames", {"run", "--frames", "-1"}, 1, "expected a number from 0"},
        Mistake{"hexadecimal",
                {"run", "--max-level", "0x1"},
                1,
                "expected a whole number from 0 to 5 in decimal digits, got 0x1"},
        Mistake{"hexadecimal_seed", {"run", "--seed", "0xffffffffffffffff"}, 1, "decimal digits"},
        Mistake{"plus", {"run", "--frames", "+9"}, 1, "decimal digits"},
        Mistake{"blank", {"run", "--workers", " 1"}, 1, "decimal digits"},
        Mistake{"digits_and_more", {"run", "--drones", "9x"}, 1, "decimal digits"},
        Mistake{"samples", {"fly", "--msaa", "0x4"}, 1, "Known: 0, 4"},
        Mistake{"hexadecimal_inner",
                {"tree", "build", "star.obj", "-o", "t", "--inner", "0x10"},
                1,
                "from 0 to 4096 in decimal digits"},
        Mistake{"hexadecimal_tree_seed",
                {"tree", "build", "star.obj", "-o", "t", "--seed", "0x1"},
                1,
                "decimal digits"},
        Mistake{"hexadecimal_count",
                {"spheres", "star.obj", "-o", "s", "--count", "0x9"},
                1,
                "from 1 to 1024 in decimal digits"},
        Mistake{"hexadecimal_total",
                {"robot", "arm.urdf", "-o", "s", "--total", "0x9"},
                1,
                "decimal digits"},
        Mistake{"hexadecimal_sets", {"lab", "projection", "--sets", "0x9"}, 1, "decimal digits"},
        Mistake{"hexadecimal_list",
                {"lab", "turk", "--bodies", "10", "0x10"},
                1,
                "from 2 to 100000 in decimal digits"},
        Mistake{"frames_huge", {"run", "--frames", "99999999999999999999999"}, 1, "--frames"},
        Mistake{"seed_huge", {"run", "--seed", "9223372036854775808"}, 1, "--seed"},
        Mistake{"split_half", {"fly", "--split", "bsp"}, 1, "a split view has two halves"},
        Mistake{"split_method", {"fly", "--split", "bps,sphere-tree"}, 1, "Did you mean \"bsp\"?"},
        Mistake{"split_budget", {"fly", "--split", "bsp:soon,sphere-tree"}, 1, "not a budget"},
        Mistake{"split_and_narrow",
                {"fly", "--split", "bsp,sphere-tree", "--narrow", "bsp"},
                1,
                "excludes"},
        Mistake{"picture_of_a_comparison",
                {"replay", "f.session", "--validate", "--screenshot", "a.png@1"},
                1,
                "excludes"},
        Mistake{"film_of_a_comparison",
                {"replay", "f.session", "--validate", "--video", "f.y4m"},
                1,
                "excludes"},
        Mistake{"steps_of_a_replay", {"replay", "f.session", "--fixed-step"}, 1, "--fixed-step"},
        Mistake{"flag_of_a_scene", {"run", "--coherence=false"}, 1, "flag override"},
        Mistake{"flag_of_steps", {"fly", "--fixed-step=false"}, 1, "flag override"},
        Mistake{"empty_argument", {"run", "crowd.toml", "--profile", ""}, 1, "argument is empty"},
        Mistake{"empty_value", {"run", "--profile="}, 1, "nothing follows \"--profile=\""},
        Mistake{"nan", {"run", "--frame-ms", "nan"}, 1, "--frame-ms"},
        Mistake{"budget", {"run", "--budget", "lots"}, 1, "expected auto, inf or microseconds"},
        Mistake{"narrow", {"run", "--narrow", "spheretree"}, 1, "Did you mean \"sphere-tree\"?"},
        Mistake{"order", {"run", "--order", "bound"}, 1, "largest-bound"},
        Mistake{"broad", {"run", "--broad", "all"}, 1, "Did you mean \"all-pairs\"?"},
        Mistake{"tree", {"run", "--tree", "octre"}, 1, "Did you mean \"octree\"?"},
        Mistake{"list", {"list", "modles"}, 1, "Did you mean \"models\"?"},
        Mistake{"too_many", {"run", "crowd.toml", "lamps"}, 1, "unexpected argument"},
        Mistake{
            "scene_twice", {"run", "crowd.toml", "--scene", "lamps"}, 1, "two scenes are given"},
        Mistake{"size", {"fly", "--size", "big"}, 1, "expected WxH"},
        Mistake{"screenshot", {"fly", "--screenshot", "a.png"}, 1, "FILE.png@FRAME"},
        Mistake{"screenshot_form", {"fly", "--screenshot", "a.jpg@3"}, 1, "FILE.png@FRAME"},
        Mistake{"screenshot_folder",
                {"fly", "crowd.toml", "--headless", "--screenshot", "no/a.png@3"},
                2,
                inAWindow("cannot write \"no/a.png\": No such file")},
        Mistake{"flown_profile_folder",
                {"fly", "crowd.toml", "--headless", "--profile", "no/p.csv"},
                2,
                inAWindow("cannot write \"no/p.csv\": No such file")},
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
            "cannot open \"x.obj\" (No such file). Built-in models: lamp, faucet, rocket, truck, "
            "shuttle, torus, jointed-lamp, crane-truck, antenna, asteroid-1, asteroid-2, "
            "asteroid-3, station"},
        Mistake{"model_broken",
                {"run", "--player-model", "broken.obj"},
                3,
                "\"broken.obj\": line 4: index out of range"},
        Mistake{"model_empty", {"run", "--player-model", "empty.obj"}, 3, "the file is empty"},
        Mistake{"model_nan", {"run", "--player-model", "nan.obj"}, 3, "not a finite number"},
        Mistake{"model_huge", {"run", "--player-model", "huge.obj"}, 3, "beyond 1e15"},
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
        Mistake{"crowded", {"run", "crowd.toml", "--drones", "500"}, 3, "too small for the ships"},
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

TEST_F(CommandLine, ListsTheBestRunsWithTheirSessions) {
  EXPECT_THAT(run({"list", "runs"}).out, HasSubstr("no runs yet"));
  const std::filesystem::path runs = home() / "data" / "nearmiss" / "runs";
  std::filesystem::create_directories(runs);
  writeText(runs / "runs.json",
            R"({"version": 1, "runs": [{"points": 1230, "date": "2026-01-31 17:45",
                "scene": "lamps", "seed": 42, "least_budget_ns": 45000,
                "greatest_budget_ns": null, "near_misses": 9, "hits": 1, "false_hits": 2,
                "longest_streak": 4, "session": "run-20260131-1745.session"}]})");
  const Outcome listed = run({"list", "runs"});
  EXPECT_EQ(listed.exitCode, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("1230 points"));
  EXPECT_THAT(listed.out, HasSubstr("lamps, seed 42, budget 45 us to unlimited"));
  EXPECT_THAT(listed.out,
              HasSubstr("nearmiss replay \"" + (runs / "run-20260131-1745.session").string()));

  writeText(runs / "runs.json", "not a table");
  const Outcome damaged = run({"list", "runs"});
  EXPECT_EQ(damaged.exitCode, 0);
  EXPECT_THAT(damaged.err, HasSubstr("renamed to \"runs-damaged.json\""));
}

TEST_F(CommandLine, ListsEverythingUnlessToldWhat) {
  const Outcome all = run({"list"});
  EXPECT_EQ(all.exitCode, 0) << all.err;
  for (const char* kind :
       {"models", "scenes", "broad", "narrow", "orders", "trees", "experiments", "runs"}) {
    const Outcome one = run({"list", kind});
    EXPECT_EQ(one.exitCode, 0) << one.err;
    EXPECT_FALSE(one.out.empty());
    EXPECT_THAT(all.out, HasSubstr(std::string("(list ") + kind + "):\n" + one.out));
  }
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
  EXPECT_THAT(printed({"--seed", "010"}), HasSubstr("seed = 10\n")) << "no octal number";
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

TEST_F(CommandLine, FliesByDefault) {
  // Without a scene there is none to fly; whichever way it was built, it is fly that answers
  const Outcome outcome = run({"--player-model", "x.obj", "--headless"});
  EXPECT_NE(outcome.exitCode, 0);
  EXPECT_NE(outcome.exitCode, 1) << outcome.err;
}

}  // namespace
}  // namespace nearmiss
