// SPDX-License-Identifier: MIT
#include <engine/scene/scene.h>
#include <engine/scene/setting_text.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/files.h"
#include "support/random.h"

namespace nearmiss::engine {
namespace {

using nearmiss::test::readText;
using nearmiss::test::TemporaryFolder;
using nearmiss::test::writeText;
using testing::HasSubstr;

/// A scene that differs from the default in every field.
Scene unlikeTheDefault() {
  Scene scene;
  scene.asPublished = true;
  scene.coverage = TreeCoverage::Paper;
  scene.name = "odd \"name\" with \\ and \t";
  scene.seed = 7;
  scene.playerModel = "rocket";
  scene.playerLimits = {0.1, 0.2, 1.0 / 3.0, 0.4};
  scene.playerMass = 12.5;
  scene.drones = {DroneGroup{"truck", 3, 2.0, {1.5, 0.5, 0.7, 0.9}, {1.25, 1.5}},
                  DroneGroup{"own file.stl", 0, std::numeric_limits<Real>::infinity(), {}, {}}};
  scene.drones[0].unimportant = true;
  scene.drones[1].linked = 0.75;
  scene.arena = {20.0, 1e-3, 0.0};
  scene.response = Response::Teleport;
  scene.importance = {2.5};
  scene.fixedStep = true;
  scene.simStep = 0.025;
  scene.detectStep = 1e-4;
  scene.frameMs = 1000.0;
  scene.simSeconds = 12.0;
  scene.broad = "all-pairs";
  scene.narrow = "bsp";
  scene.reference = "sphere-tree";
  scene.nodeBoxRatio = 1.75;
  scene.innerSpheres = 300;
  scene.dropRedundant = true;
  scene.maxLevel = 0;
  scene.tighten = true;
  scene.order = RefinementOrder::ClosingSpeed;
  scene.budget = {BudgetRule::Kind::Fixed, std::chrono::nanoseconds(1'500), 1000.0};
  scene.clock = ClockKind::Work;
  return scene;
}

void expectSame(const Scene& a, const Scene& b) {
  // What is written names every field, so equal texts are equal scenes
  EXPECT_EQ(writeScene(a), writeScene(b));
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.asPublished, b.asPublished);
  EXPECT_EQ(a.coverage, b.coverage);
  EXPECT_EQ(a.seed, b.seed);
  EXPECT_EQ(a.playerMass, b.playerMass);
  EXPECT_EQ(a.playerLimits.turnMax, b.playerLimits.turnMax);
  EXPECT_EQ(a.fixedStep, b.fixedStep);
  EXPECT_EQ(a.simStep, b.simStep);
  EXPECT_EQ(a.detectStep, b.detectStep);
  EXPECT_EQ(a.frameMs, b.frameMs);
  EXPECT_EQ(a.simSeconds, b.simSeconds);
  EXPECT_EQ(a.reference, b.reference);
  EXPECT_EQ(a.nodeBoxRatio, b.nodeBoxRatio);
  EXPECT_EQ(a.innerSpheres, b.innerSpheres);
  EXPECT_EQ(a.dropRedundant, b.dropRedundant);
  EXPECT_EQ(a.tighten, b.tighten);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.budget.fixed, b.budget.fixed);
  ASSERT_EQ(a.drones.size(), b.drones.size());
  for (std::size_t i = 0; i < a.drones.size(); ++i) {
    EXPECT_EQ(a.drones[i].model, b.drones[i].model);
    EXPECT_EQ(a.drones[i].unimportant, b.drones[i].unimportant);
    EXPECT_EQ(a.drones[i].linked, b.drones[i].linked);
    EXPECT_EQ(a.drones[i].pilot.retargetHigh, b.drones[i].pilot.retargetHigh);
    EXPECT_EQ(a.drones[i].pilot.temper, b.drones[i].pilot.temper);
  }
}

TEST(SceneText, ReadsBackWhatItWrites) {
  Scene unlimited;
  unlimited.budget.kind = BudgetRule::Kind::Unlimited;
  Scene lonely;
  lonely.drones.clear();
  for (const Scene& scene : {Scene{}, unlikeTheDefault(), unlimited, lonely}) {
    const auto read = parseScene(writeScene(scene), "written", unlikeTheDefault());
    ASSERT_TRUE(read) << read.error().message;
    Scene expected = scene;
    // What is not said stays as in the base
    if (!expected.simSeconds) expected.simSeconds = 12.0;
    if (scene.budget.kind != BudgetRule::Kind::Fixed) expected.budget.fixed = read->budget.fixed;
    expectSame(*read, expected);
  }
}

TEST(SceneSettings, AreInTheDocumentAsListed) {
  const std::string document = readText(NEARMISS_SOURCE_DIR "/docs/file-formats.md");
  EXPECT_THAT(document,
              HasSubstr("<!-- settings -->\n" + sceneSettingsTable() + "<!-- end of settings -->"))
      << "Copy what nearmiss list settings prints";
}

TEST(SceneText, OfNothingIsTheBase) {
  const auto read = parseScene("", "empty", unlikeTheDefault());
  ASSERT_TRUE(read);
  expectSame(*read, unlikeTheDefault());
}

TEST(SceneText, GroupsReplaceThoseOfTheBase) {
  const auto read = parseScene("[[drones]]\ncount = 2\n[[drones]]\nmodel = \"truck\"\n", "text",
                               unlikeTheDefault());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->drones.size(), 2u);
  EXPECT_EQ(read->drones[0].count, 2);
  EXPECT_EQ(read->drones[0].model, "lamp");
  EXPECT_EQ(read->drones[1].model, "truck");
}

TEST(SceneText, TakesWholeNumbersForReals) {
  const auto read = parseScene("[time]\nframe_ms = 50\n[player]\nmass = 3\n", "text");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->frameMs, 50.0);
  EXPECT_EQ(read->playerMass, 3.0);
}

struct BadScene {
  const char* label;
  const char* text;
  const char* sentence;
};
std::ostream& operator<<(std::ostream& out, const BadScene& bad) { return out << bad.label; }
class EveryBadScene : public testing::TestWithParam<BadScene> {};

TEST_P(EveryBadScene, IsRefusedWithItsPlace) {
  const auto read = parseScene(GetParam().text, "x.toml");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::BadFormat);
  EXPECT_THAT(read.error().message, HasSubstr(GetParam().sentence));
}

INSTANTIATE_TEST_SUITE_P(
    Scenes, EveryBadScene,
    testing::Values(
        BadScene{"unknown_key", "seed = 1\n[time]\nframe_m = 10\n",
                 "x.toml:3: unknown key \"frame_m\" in [time]. Did you mean \"frame_ms\"?"},
        BadScene{"unknown_table", "\n[detektor]\n",
                 "x.toml:2: unknown key \"detektor\" at the top level. Did you mean "
                 "\"detector\"?"},
        BadScene{"unknown_without_hint", "[arena]\nzzzzzz = 1\n",
                 "Known: radius, wall, flown, clearance, rim, push_max"},
        BadScene{"unknown_in_drones", "[[drones]]\n[[drones]]\nmodle = \"lamp\"\n",
                 "x.toml:3: unknown key \"modle\" in [[drones]]. Did you mean \"model\"?"},
        BadScene{"first_fault_first", "sed = 1\nseeed = 2\n", "x.toml:1:"},
        BadScene{"too_large_a_ratio", "[detector]\nboxes = 5000\n",
                 "x.toml:2: boxes must be from 0 to 1000"},
        BadScene{"inner_in_words", "[detector]\ninner_spheres = \"many\"\n",
                 "x.toml:2: inner_spheres must be a whole number"},
        BadScene{"syntax", "seed = \n", "x.toml:1:"},
        BadScene{"twice", "seed = 1\nseed = 2\n", "x.toml:2:"},
        BadScene{"text_for_number", "[time]\nframe_ms = \"fast\"\n",
                 "x.toml:2: frame_ms must be a number, not string"},
        BadScene{"real_for_whole", "seed = 1.5\n", "x.toml:1: seed must be a whole number"},
        BadScene{"number_for_text", "name = 3\n", "name must be a text in quotes"},
        BadScene{"value_for_table", "time = 3\n", "time must be a table"},
        BadScene{"table_for_value", "[seed]\n", "seed must be a whole number"},
        BadScene{"drones_no_array", "[drones]\n", "drones must be [[drones]] tables"},
        BadScene{"drones_of_numbers", "drones = [1, 2]\n", "drones must be [[drones]] tables"},
        BadScene{"unknown_step", "[time]\nstep = \"fixd\"\n",
                 "x.toml:2: step \"fixd\" is not known. Did you mean \"fixed\"?"},
        BadScene{"no_step", "[time]\ndt_render = 0\n", "dt_render must be from"},
        BadScene{"zero_time", "[time]\nframe_ms = 0.0\n", "frame_ms must be from"},
        BadScene{"negative", "[arena]\nradius = -1.0\n", "radius must be from"},
        BadScene{"nan", "[arena]\nradius = nan\n", "radius must be from"},
        BadScene{"infinite", "[arena]\nradius = inf\n", "radius must be from"},
        BadScene{"negative_seed", "seed = -1\n", "seed must be from 0"},
        BadScene{"count", "[[drones]]\ncount = -3\n", "count must be from 0"},
        BadScene{"counts", "[[drones]]\ncount = 100000\n[[drones]]\ncount = 1\n",
                 "the [[drones]] tables have more than 100000 drones in all"},
        BadScene{"importance", "[importance]\nfull_within = -1.0\n",
                 "full_within must be from 0 to inf"},
        BadScene{"level", "[detector]\nmax_level = 6\n", "max_level must be from 0 to 5"},
        BadScene{"mass_text", "[player]\nmass = \"heavy\"\n", "\"infinite\""},
        BadScene{"mass_zero", "[player]\nmass = 0\n", "mass must be from"},
        BadScene{"budget_word", "[detector]\nbudget = \"much\"\n", "budget must be \"auto\""},
        BadScene{"budget_number", "[detector]\nbudget = 500\n", "budget must be \"auto\""},
        BadScene{"budget_unit", "[detector]\nbudget = { ms = 5 }\n",
                 "unknown key \"ms\" in budget. Did you mean \"us\"?"},
        BadScene{"budget_empty", "[detector]\nbudget = {}\n", "budget is empty"},
        BadScene{"retarget_one", "[[drones]]\nretarget_s = [1.0]\n", "retarget_s must be two"},
        BadScene{"retarget_back", "[[drones]]\nretarget_s = [5.0, 2.0]\n",
                 "retarget_s must be two"},
        BadScene{"retarget_soon", "[[drones]]\nretarget_s = [0.05, 2.0]\n", "of at least 0.1"},
        BadScene{"drag", "[player]\ndrag = 101\n", "drag must be from 0 to 100"},
        BadScene{"narrow", "[detector]\nnarrow = \"sphere\"\n",
                 "x.toml:2: narrow \"sphere\" is not known. Did you mean \"sphere-tree\"?"},
        BadScene{"clock", "[detector]\nclock = \"sun\"\n", "Known: wall, work"},
        BadScene{"response", "response = \"stick\"\n",
                 "Known: bounce, tumble, published, teleport"},
        BadScene{"as_published", "as_published = \"yes\"\n",
                 "as_published must be true or false, not string"},
        BadScene{"coverage", "[detector]\ncoverage = \"papers\"\n", "Did you mean \"paper\"?"},
        BadScene{"version", "version = 3\n", "version must be from 1 to 2"},
        BadScene{"renamed", "[detector]\nbroad = \"space-time\"\n",
                 "x.toml:2: broad \"space-time\" was the name of space-time-queue in version 1 of "
                 "scenes: write \"space-time-queue\", or version = 2 at the top for space-time"}),
    [](const auto& bad) { return bad.param.label; });

/// Before version 2 these names were of other methods: a scene flies what it was written for.
TEST(SceneText, GivesMethodsOfVersionOneTheirPresentNames) {
  const auto broadOf = [](const std::string& version, const std::string& name) {
    const auto scene =
        parseScene(version + "[detector]\nbroad = \"" + name + "\"\n", "x.toml", Scene{});
    return scene ? scene->broad.value_or("auto") : scene.error().message;
  };
  EXPECT_EQ(broadOf("version = 1\n", "space-time"), "space-time-queue");
  EXPECT_EQ(broadOf("version = 1\n", "space-time-subdivision"), "space-time-halves");
  EXPECT_EQ(broadOf("version = 1\n", "space-time-horns"), "space-time-horns");
  EXPECT_EQ(broadOf("version = 1\n", "auto"), "auto");
  EXPECT_EQ(broadOf("version = 2\n", "space-time"), "space-time");
  EXPECT_EQ(broadOf("version = 2\n", "space-time-subdivision"), "space-time-subdivision");
  EXPECT_THAT(broadOf("", "space-time-subdivision"), HasSubstr("write \"space-time-halves\""));
  EXPECT_EQ(broadOf("", "space-time-queue"), "space-time-queue");
  EXPECT_EQ(broadPhaseOf(Scene{}), "space-time-queue") << "what flew by default under another name";
  // What the program writes it reads as it was
  Scene scene;
  scene.broad = "space-time";
  EXPECT_EQ(parseScene(writeScene(scene), "x.toml", Scene{})->broad, "space-time");
}

TEST(SceneText, LeavesBoxesAndInnerSpheresToTheBuilderUnlessTold) {
  const auto settingsOf = [](const std::string& detector) {
    const auto scene = parseScene("[detector]\n" + detector, "test");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().message);
    return scene ? treeSettings(*scene) : SphereTreeSettings{};
  };
  EXPECT_EQ(settingsOf("").nodeBoxRatio, usualNodeBoxRatio);
  EXPECT_EQ(settingsOf("").innerSpheres, usualInnerSpheres);
  EXPECT_EQ(settingsOf("tree = \"octree\"").nodeBoxRatio, 0.0);
  EXPECT_EQ(settingsOf("tree = \"octree\"").innerSpheres, 0u);
  EXPECT_EQ(settingsOf("boxes = 0").nodeBoxRatio, 0.0);
  EXPECT_EQ(settingsOf("boxes = 0").innerSpheres, usualInnerSpheres);
  EXPECT_EQ(settingsOf("tree = \"octree\"\nboxes = 2.5\ninner_spheres = 64").nodeBoxRatio, 2.5);
  EXPECT_EQ(settingsOf("tree = \"octree\"\ninner_spheres = 64").innerSpheres, 64u);
  Scene base;
  base.nodeBoxRatio = 3.0;
  base.innerSpheres = 7;
  const auto freed =
      parseScene("[detector]\nboxes = \"auto\"\ninner_spheres = \"auto\"", "test", base);
  ASSERT_TRUE(freed);
  EXPECT_FALSE(freed->nodeBoxRatio);
  EXPECT_FALSE(freed->innerSpheres);
}

TEST(SceneText, LeavesTheArenaToTheNumberOfShipsUnlessTold) {
  EXPECT_FALSE(Scene{}.arena.radius);
  const auto fixed = parseScene("[arena]\nradius = 4\n", "scene");
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fixed->arena.radius, 4.0);
  const auto freed = parseScene("[arena]\nradius = \"auto\"\n", "scene", *fixed);
  ASSERT_TRUE(freed);
  EXPECT_FALSE(freed->arena.radius);
  EXPECT_FALSE(parseScene("[arena]\nradius = \"wide\"\n", "scene"));
}

TEST(SceneText, RefusesKeysOfAnyDepth) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  for (const std::string& text :
       {"\n" + key + " = 1\n", "\n[" + key + "]\n", "\nx = {" + key + " = 1}\n"}) {
    const auto scene = parseScene(text, "deep.toml");
    ASSERT_FALSE(scene);
    EXPECT_THAT(scene.error().message, testing::HasSubstr("deep.toml:2: more dots"));
  }
}

TEST(SceneText, SurvivesEveryTruncationAndManyChanges) {
  const std::string whole = writeScene(unlikeTheDefault());
  std::size_t accepted = 0, refused = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length)
    ++(parseScene(whole.substr(0, length), "cut") ? accepted : refused);
  test::Random random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string changed = whole;
    changed[static_cast<std::size_t>(random.whole(0, static_cast<int>(whole.size()) - 1))] =
        static_cast<char>(random.whole(0, 255));
    const auto read = parseScene(changed, "changed");
    ++(read ? accepted : refused);
    if (!read) {
      EXPECT_THAT(read.error().message, testing::StartsWith("changed:"));
      continue;
    }
    // Whatever is accepted can be written and read again
    EXPECT_TRUE(parseScene(writeScene(*read), "again"));
  }
  EXPECT_GT(accepted, 100u);
  EXPECT_GT(refused, 100u);
}

TEST(SceneText, RefusesDeepNesting) {
  EXPECT_FALSE(parseScene("a = " + std::string(100'000, '['), "deep"));
}

TEST(SceneFile, SaysWhyItCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_THAT(readScene(folder / "x.toml").error().message, HasSubstr("(No such file)"));
  EXPECT_THAT(readScene(folder.path()).error().message, HasSubstr("(Not a regular file)"));
  EXPECT_THAT(readScene("/dev/zero").error().message, HasSubstr("(Not a regular file)"));
  const auto large = writeText(folder / "large.toml", std::string((1 << 20) + 1, '\n'));
  EXPECT_EQ(readScene(large).error().code, ErrorCode::TooLarge);
}

TEST(SceneFile, FindsModelsBesideItself) {
  const TemporaryFolder folder;
  writeText(folder / "own.obj", "");
  const auto file =
      writeText(folder / "x.toml", "[player]\nmodel = \"own.obj\"\n[[drones]]\nmodel = \"lamp\"\n");
  const auto scene = readScene(file);
  ASSERT_TRUE(scene) << scene.error().message;
  EXPECT_EQ(scene->playerModel, (folder / "own.obj").string());
  EXPECT_EQ(scene->drones[0].model, "lamp");
}

TEST(BuiltInScenes, AllReadAndNameThemselves) {
  for (const std::string& name : builtInScenes()) {
    const auto scene = readScene(NEARMISS_SOURCE_DIR "/assets/scenes/" + name + ".toml");
    ASSERT_TRUE(scene) << scene.error().message;
    EXPECT_EQ(scene->name, name);
    EXPECT_FALSE(scene->drones.empty());
  }
}

TEST(BuiltInScenes, LampsIsTheDefault) {
  const auto lamps = readScene(NEARMISS_SOURCE_DIR "/assets/scenes/lamps.toml", unlikeTheDefault());
  const auto plain = readScene(NEARMISS_SOURCE_DIR "/assets/scenes/lamps.toml");
  ASSERT_TRUE(lamps && plain);
  // But for the wall and manners, which only a window has
  Scene walled;
  walled.arena.wall = plain->arena.wall;
  walled.arena.clearance = plain->arena.clearance;
  EXPECT_GT(walled.arena.clearance, 0.0);
  EXPECT_TRUE(walled.arena.wall.has_value());
  EXPECT_EQ(writeScene(*plain), writeScene(walled));
}

/// The papers' figure keeps the papers' steps, and ships whose every motion takes six times as
/// long.
TEST(BuiltInScenes, Fig21StepsAsThePaperDoes) {
  const auto paper = readScene(NEARMISS_SOURCE_DIR "/assets/scenes/fig21.toml");
  ASSERT_TRUE(paper) << paper.error().message;
  EXPECT_TRUE(paper->fixedStep);
  EXPECT_EQ(frameStep(*paper), 0.1);
  EXPECT_EQ(paper->detectStep, 0.05);
  for (const ShipLimits& slow : {paper->playerLimits, paper->drones[0].limits}) {
    EXPECT_NEAR(briskLimits.accelerationMax, 36.0 * slow.accelerationMax, 1e-12);
    EXPECT_NEAR(briskLimits.reverseMax, 36.0 * slow.reverseMax, 1e-12);
    EXPECT_NEAR(briskLimits.turnMax, 6.0 * slow.turnMax, 1e-12);
    EXPECT_NEAR(briskLimits.drag, 6.0 * slow.drag, 1e-12);
  }
  EXPECT_NEAR(briskArena.pushMax, 36.0 * paper->arena.pushMax, 1e-12);
  EXPECT_NEAR(6.0 * briskPilot.retargetLow, paper->drones[0].pilot.retargetLow, 1e-12);
  EXPECT_NEAR(6.0 * briskPilot.retargetHigh, paper->drones[0].pilot.retargetHigh, 1e-12);
}

TEST(FrameStep, IsTheFramesTargetUnlessTheSceneNamesAStep) {
  const auto step = [](const char* text) { return frameStep(*parseScene(text, "text")); };
  EXPECT_DOUBLE_EQ(step(""), 1.0 / 60.0);
  EXPECT_DOUBLE_EQ(step("[time]\nframe_ms = 50\n"), 0.05);
  EXPECT_EQ(step("[time]\nframe_ms = 50\ndt_render = 0.1\n"), 0.1);
  EXPECT_FALSE(parseScene("[time]\ndt_render = 0.1\n", "text")->fixedStep);
}

TEST(FindScene, SaysWhatThereIs) {
  const auto missing = findScene("trukcs");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message,
              HasSubstr("(No such file). Did you mean \"trucks\"? Built-in scenes: lamps, trucks"));
}

}  // namespace
}  // namespace nearmiss::engine
