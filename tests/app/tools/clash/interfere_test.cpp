// SPDX-License-Identifier: MIT
/// `nearmiss interfere` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/build_kind.h"
#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::Outcome;
using test::readText;
using test::Words;
using testing::HasSubstr;

/// Ten rings in a chain, each through the next.
class Interfere : public testing::Test {
 protected:
  Interfere() {
    std::string text = "version = 1\n";
    for (int i = 0; i < 10; ++i) {
      const std::string name = "ring" + std::to_string(i);
      test::writeText(program_.home() / (name + ".obj"), test::asObj(test::torus(72 + i, 26)));
      text += "[[objects]]\nname = \"" + name + "\"\nmodel = \"" + name + ".obj\"\nposition = [" +
              std::to_string(1.25 * i) + ", 0.2, 0]\n";
    }
    test::writeText(program_.home() / "chain.toml", text);
  }

  Outcome run(const Words& more) const {
    return program_.run(
        test::joined({"interfere", "chain.toml", "--tree", "octree", "--store", "store"}, more));
  }

  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(Interfere, TakesBuiltInModelsAndShowsALayout) {
  test::writeText(
      program_.home() / "lamps.toml",
      "version = 1\n[[objects]]\nmodel = \"lamp\"\n[[objects]]\nmodel = \"lamp\"\n"
      "position = [0.1, 0, 0]\n[[objects]]\nmodel = \"rocket\"\nposition = [9, 0, 0]\n");
  const Outcome found =
      program_.run({"interfere", "lamps.toml", "--tree", "octree", "--store", "store"});
  EXPECT_EQ(found.exitCode, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("3 objects of 2 shapes"));
  EXPECT_THAT(found.out, HasSubstr("1 touch"));
  const Outcome help = program_.run({"interfere", "--help"});
  EXPECT_THAT(help.out, HasSubstr("[[objects]]"));
  EXPECT_THAT(help.out, HasSubstr("model = \"lamp\""));
  // Anything else is a file
  test::writeText(program_.home() / "none.toml", "version = 1\n[[objects]]\nmodel = \"lamb\"\n");
  EXPECT_NE(program_.run({"interfere", "none.toml", "--store", "store"}).exitCode, 0);
}

TEST_F(Interfere, WritesWhatTouchesAndWhatItTook) {
  const Outcome all = run({"-o", "all.csv", "--summary", "all.json"});
  ASSERT_EQ(all.exitCode, 0) << all.err;
  EXPECT_THAT(all.out, HasSubstr("10 objects of 10 shapes"));
  EXPECT_THAT(all.out, HasSubstr("9 touch"));
  const std::string pairs = readText(program_.home() / "all.csv");
  EXPECT_EQ(std::count(pairs.begin(), pairs.end(), '\n'), 10);
  const test::Table table(pairs);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    EXPECT_EQ(table.text(row, "b"), "ring" + std::to_string(row + 1));
    EXPECT_EQ(table.text(row, "class"), "protruding");
    EXPECT_GT(table.number(row, "depth"), 1e-4);
  }

  const Outcome little = run({"--resident-mb", "2.5", "-o", "some.csv", "--summary", "some.json"});
  ASSERT_EQ(little.exitCode, 0) << little.err;
  EXPECT_EQ(readText(program_.home() / "some.csv"), pairs);
  const auto figures = nlohmann::json::parse(readText(program_.home() / "some.json"));
  EXPECT_EQ(figures.at("contacts"), 9);
  EXPECT_EQ(figures.at("classes").at("protruding"), 9);
  EXPECT_EQ(figures.at("classes").at("clear"), 36);
  EXPECT_LE(figures.at("most_mb"), 2.5);
  if (test::isSanitized) return;
  EXPECT_GT(figures.at("scene_mb"), 4.0);
  EXPECT_GT(figures.at("groups"), 1);
}

/// Cubes of edge 2 along x, and a small one.
std::string cubesAt(std::initializer_list<std::pair<const char*, double>> objects) {
  std::string text;
  for (const auto& [name, x] : objects)
    text += "[[objects]]\nname = \"" + std::string(name) + "\"\nmodel = \"" +
            (name[0] == 's' ? "small" : "cube") + ".obj\"\nposition = [" + std::to_string(x) +
            ", 0, 0]\n";
  return text;
}

class Classes : public Interfere {
 protected:
  Classes() {
    test::writeText(program_.home() / "cube.obj", test::asObj(test::cube(1.0)));
    test::writeText(program_.home() / "small.obj", test::asObj(test::cube(0.25)));
    writeLayout("");
  }
  void writeLayout(const std::string& skipped) const {
    test::writeText(program_.home() / "chain.toml", skipped + cubesAt({{"base", 0.0},
                                                                       {"deep", 1.75},
                                                                       {"small", 0.25},
                                                                       {"twin", 0.0},
                                                                       {"beside", 3.75},
                                                                       {"gap", 5.875}}));
  }
  /// Class and pair of each row.
  std::vector<std::string> rows(const Words& more) const {
    const Outcome outcome = run(test::joined({"-o", "all.csv"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    const test::Table table(readText(program_.home() / "all.csv"));
    std::vector<std::string> found;
    for (std::size_t i = 0; i < table.rows(); ++i)
      found.push_back(table.text(i, "class") + " " + table.text(i, "a") + " " + table.text(i, "b"));
    return found;
  }
};

TEST_F(Classes, AreThoseThatWereMade) {
  EXPECT_THAT(rows({"--clearance", "0.125"}),
              testing::UnorderedElementsAre("protruding base deep", "enclosed base small",
                                            "duplicate base twin", "protruding deep twin",
                                            "enclosed small twin", "touching deep beside",
                                            "within clearance beside gap"));
  const test::Table table(readText(program_.home() / "all.csv"));
  for (std::size_t i = 0; i < table.rows(); ++i) {
    const std::string &kind = table.text(i, "class"), &of = table.text(i, "of");
    if (kind == "enclosed") {
      EXPECT_EQ(of, "small");
      EXPECT_EQ(table.text(i, "part"), "whole");
    }
    EXPECT_EQ(table.text(i, "depth").empty(), kind != "protruding");
    if (kind == "protruding") {
      EXPECT_NEAR(table.number(i, "depth"), 0.25, 1e-9);
    }
    if (kind == "within clearance") {
      EXPECT_NEAR(table.number(i, "gap"), 0.125, 1e-9);
    }
  }
}

TEST_F(Classes, AreListedAsAskedFor) {
  EXPECT_THAT(rows({"--classes", "touching,duplicate"}),
              testing::ElementsAre("duplicate base twin", "touching deep beside"));
  EXPECT_THAT(rows({"--classes", "within-clearance"}), testing::IsEmpty());
  const auto clear = rows({"--classes", "clear"});
  EXPECT_EQ(clear.size(), 15u - 6u);
  EXPECT_THAT(clear, testing::Contains("clear deep small"));
  const Outcome wrong = run({"--classes", "touching,deep"});
  EXPECT_EQ(wrong.exitCode, 1);
  EXPECT_THAT(wrong.err, HasSubstr("\"deep\" is not known."));
  EXPECT_EQ(run({"--clearance", "-1"}).exitCode, 1);
  EXPECT_EQ(run({"--tolerance", "nan"}).exitCode, 1);
  EXPECT_EQ(run({"--bcf", "nowhere/a.bcf"}).exitCode, 2);
  EXPECT_EQ(run({"--bcf", "a.csv", "-o", "a.csv"}).exitCode, 1);
}

TEST_F(Classes, AreOfObjectsWithAnyNames) {
  test::writeText(
      program_.home() / "chain.toml",
      cubesAt({{"a,b", 0.0}, {"a_b", 1.75}, {"the \\\"x\\\"", 10.0}, {"c\\rd", 11.75}}));
  ASSERT_EQ(run({"-o", "all.csv"}).exitCode, 0);
  const std::string table = readText(program_.home() / "all.csv");
  EXPECT_THAT(table, HasSubstr("\n\"a,b\",a_b,protruding,"));
  EXPECT_THAT(table, HasSubstr("\n\"the \"\"x\"\"\",\"c\rd\",protruding,"));
}

TEST_F(Classes, LeaveOutJointsAndWhatIsAllowed) {
  writeLayout(
      "joints = [[\"deep\", \"base\"]]\nallowed = [[\"twin\", \"deep\"], [\"base\", \"twin\"], "
      "[\"base\", \"deep\"]]\n");
  EXPECT_THAT(rows({"--summary", "some.json"}),
              testing::UnorderedElementsAre("enclosed base small", "enclosed small twin",
                                            "touching deep beside"));
  EXPECT_THAT(run({}).out, HasSubstr("3 pairs left out: 1 shares a joint, 2 are allowed"));
  const auto figures = nlohmann::json::parse(readText(program_.home() / "some.json"));
  EXPECT_EQ(figures.at("left_out").at("joint"), 1);
  EXPECT_EQ(figures.at("left_out").at("allowed"), 2);
  EXPECT_EQ(figures.at("classes").at("clear"), 15 - 3 - 3);
  EXPECT_EQ(rows({"--classes", "clear"}).size(), 9u);
  writeLayout("allowed = [[\"twin\", \"depp\"]]\n");
  const Outcome unknown = run({});
  EXPECT_EQ(unknown.exitCode, 3);
  EXPECT_THAT(unknown.err, HasSubstr("no object has. Did you mean \"deep\"?"));
}

TEST_F(Classes, LeaveOutWhatARobotsFileAllows) {
  test::writeText(program_.home() / "pairs.srdf", R"(<robot name="plant">
<disable_collisions link1="twin" link2="base" reason="Adjacent"/>
<disable_collisions link1="small" link2="base" reason="Never"/>
<disable_collisions link1="small" link2="nobody" reason="Never"/></robot>)");
  EXPECT_THAT(rows({"--allowed", "pairs.srdf", "--classes", "enclosed,duplicate"}),
              testing::ElementsAre("enclosed small twin"));
  EXPECT_THAT(run({"--allowed", "pairs.srdf"}).out,
              HasSubstr("2 pairs left out: 1 shares a joint, 1 is allowed"));
  EXPECT_EQ(run({"--allowed", "gone.srdf"}).exitCode, 3);
}

/// Names of few words stand for any number of pairs where many objects share them.
TEST_F(Interfere, AllowsNoMorePairsThanMemoryHolds) {
  test::writeText(program_.home() / "cube.obj", test::asObj(test::cube(1.0)));
  test::writeText(program_.home() / "pairs.srdf",
                  "<robot><disable_collisions link1=\"odd\" link2=\"even\"/></robot>");
  std::string text;
  for (int i = 0; i < 17'000; ++i)
    text +=
        std::string("[[objects]]\nmodel=\"cube.obj\"\nname=\"") + (i % 2 ? "odd" : "even") + "\"\n";
  test::writeText(program_.home() / "chain.toml", text);
  const Outcome outcome = run({"--allowed", "pairs.srdf"});
  EXPECT_EQ(outcome.exitCode, 3) << outcome.out;
  EXPECT_THAT(outcome.err, HasSubstr("\"pairs.srdf\": "));
  EXPECT_THAT(outcome.err, HasSubstr("more than 67108864 pairs of objects"));
}

TEST_F(Classes, ToleranceMovesTheirBorders) {
  EXPECT_THAT(
      rows({"--tolerance", "0.26", "--classes", "protruding,touching"}),
      testing::ElementsAre("touching base deep", "touching deep small", "touching deep twin",
                           "touching deep beside", "touching beside gap"));
}

TEST_F(Interfere, WarnsOfSurfacesThatAreOpen) {
  TriangleMesh open = test::torus(12, 6);
  open.triangles.resize(open.triangles.size() / 2);
  test::writeText(program_.home() / "open.obj", test::asObj(open));
  test::writeText(program_.home() / "chain.toml", "[[objects]]\nmodel = \"open.obj\"\n");
  // The second time from what is stored
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = run({});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_THAT(outcome.err, HasSubstr("\"open 0\" is not a solid: its surface alone collides"));
  }
}

TEST_F(Interfere, TellsOfRoomsThatBecameSolid) {
  TriangleMesh room = test::cube(2.0);
  test::flip(room);
  test::writeText(program_.home() / "room.obj", test::asObj(room));
  test::writeText(program_.home() / "chain.toml", "[[objects]]\nmodel = \"room.obj\"\n");
  // The second time from what is stored
  for (int time = 0; time < 2; ++time) {
    const Outcome outcome = run({});
    EXPECT_EQ(outcome.exitCode, 0);
    EXPECT_THAT(outcome.err,
                HasSubstr("\"room 0\" faced inwards: what it encloses is taken as the solid"));
  }
}

TEST_F(Interfere, SizesBeyondTheRangeAreRefused) {
  TriangleMesh vast = test::cube(1e16);
  test::writeText(program_.home() / "vast.obj", test::asObj(vast));
  test::writeText(program_.home() / "chain.toml", "[[objects]]\nmodel = \"vast.obj\"\n");
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.exitCode, 3);
  EXPECT_THAT(outcome.err, HasSubstr("1e15"));
}

/// The list of a store only saves time: a wrong one changes no answer.
TEST_F(Interfere, MeasuresAgainWhatAStrangeListHolds) {
  ASSERT_EQ(run({"-o", "one.csv"}).exitCode, 0);
  const std::string list = readText(program_.home() / "store" / "shapes.json");
  const std::size_t deep = 200'000, number = list.rfind(',');
  for (const std::string& strange :
       {std::string(), std::string("[1,2"), list.substr(0, list.size() / 2),
        "{\"x\":" + std::string(deep, '[') + std::string(deep, ']') + "}",
        list.substr(0, number) + ", 1e300" + list.substr(list.find('\n', number))}) {
    test::writeText(program_.home() / "store" / "shapes.json", strange);
    const Outcome outcome = run({"-o", "two.csv"});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_EQ(readText(program_.home() / "two.csv"), readText(program_.home() / "one.csv"));
  }
}

TEST_F(Interfere, TakesFoldersWhoseNamesAreInNoEncoding) {
  const std::string name = "caf\xe9";
  std::filesystem::create_directory(program_.home() / name);
  for (const char* file : {"ring0.obj", "ring1.obj"})
    std::filesystem::copy(program_.home() / file, program_.home() / name / file);
  test::writeText(program_.home() / name / "chain.toml",
                  "[[objects]]\nmodel = \"ring0.obj\"\n[[objects]]\nmodel = \"ring1.obj\"\n");
  const Outcome outcome = program_.run(
      {"interfere", name + "/chain.toml", "--tree", "octree", "--store", name + "/store"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("1 touch"));
}

TEST_F(Interfere, WritesTheOtherFilesWhereOneFails) {
  const Outcome full = run({"-o", "/dev/full", "--bcf", "all.bcf", "--summary", "all.json"});
  EXPECT_EQ(full.exitCode, 2);
  EXPECT_THAT(full.err, HasSubstr("/dev/full"));
  for (const char* file : {"all.bcf", "all.json"})
    EXPECT_TRUE(std::filesystem::exists(program_.home() / file)) << file;
}

TEST_F(Interfere, SaysWhatItCannotDo) {
  EXPECT_THAT(run({"--resident-mb", "0.5"}).err, HasSubstr("--resident-mb"));
  if (!test::isSanitized) {
    const Outcome tight = run({"--resident-mb", "1"});
    EXPECT_EQ(tight.exitCode, 1);
    EXPECT_THAT(tight.err, HasSubstr("at most 1.0 are allowed"));
  }
  const Outcome lost = program_.run({"interfere", "gone.toml"});
  EXPECT_EQ(lost.exitCode, 3);
  EXPECT_THAT(lost.err, HasSubstr("gone.toml"));
  EXPECT_EQ(run({"-o", "nowhere/pairs.csv"}).exitCode, 2);
  EXPECT_EQ(program_.run({"interfere"}).exitCode, 1);
}

}  // namespace
}  // namespace nearmiss
