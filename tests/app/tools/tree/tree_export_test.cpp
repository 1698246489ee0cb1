// SPDX-License-Identifier: MIT
/// `tree export` from outside: every format, in the frame and unit of the source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "app/tools/tree/tree_tools.h"

namespace nearmiss {
namespace {

using test::cellsOf;
using test::countOf;
using test::joined;
using test::Outcome;
using test::readText;
using test::TreeTools;
using test::Words;
using test::writeText;
using testing::HasSubstr;

TEST_F(TreeTools, ExportKeepsFrameAndUnitOfTheSource) {
  build("cube", "1");
  const auto rows = cellsOf(exported("cube", {"--format", "csv"}));
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"level", "index", "parents", "cx", "cy", "cz", "r", "h"}));
  EXPECT_THAT(std::vector<std::string>(rows[1].begin(), rows[1].begin() + 6),
              testing::ElementsAre("0", "0", "", "12", "22", "-4"));
  EXPECT_NEAR(std::stod(rows[1][6]), 2.0 * std::sqrt(3.0), 1e-5);
  EXPECT_GE(std::stod(rows[1][6]), 2.0 * std::sqrt(3.0));
  std::set<std::vector<int>> corners;
  for (std::size_t i = 2; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i][0], "1");
    EXPECT_EQ(rows[i][1], std::to_string(i - 2));
    EXPECT_EQ(rows[i][2], "0");
    std::vector<int> side;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double middle = std::stod(rows[1][3 + axis]);
      const double offset = std::stod(rows[i][3 + axis]) - middle;
      EXPECT_NEAR(std::abs(offset), 1.0, 1e-5);
      side.push_back(offset > 0.0 ? 1 : 0);
    }
    corners.insert(side);
    EXPECT_NEAR(std::stod(rows[i][6]), std::sqrt(3.0), 1e-4);
    EXPECT_GT(std::stod(rows[i][7]), 0.0);
  }
  EXPECT_EQ(corners.size(), 8u);
}

TEST_F(TreeTools, ExportWithoutModelSaysThatItStaysInTheFrameOfTheTree) {
  build("cube", "1");
  const Outcome outcome =
      run({"tree", "export", "cube.tree", "-o", "out.csv", "--format", "csv", "--level", "0"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err, HasSubstr("without --model"));
  const auto rows = cellsOf(readText(home() / "out.csv"));
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_NEAR(std::stod(rows[1][6]), 1.0, 1e-5);
}

/// One test, because a tree takes longer to build than to export.
TEST_F(TreeTools, EveryBuilderExportsWholeTreesAndExactlySoManySpheresThatCover) {
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog()) {
    SCOPED_TRACE(builder.name);
    build("torus", "2", std::string(builder.name));
    const std::string csv = exported("torus", {"--format", "csv"});
    std::map<int, std::set<int>> indices;
    std::map<int, std::vector<int>> parents;
    std::set<std::vector<std::string>> places;
    const auto rows = cellsOf(csv);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      indices[std::stoi(rows[i][0])].insert(std::stoi(rows[i][1]));
      EXPECT_TRUE(places.insert({rows[i][0], rows[i][1]}).second) << "listed twice";
      EXPECT_EQ(rows[i][2].empty(), rows[i][0] == "0");
      std::istringstream listed(rows[i][2]);
      for (int parent = 0; listed >> parent;) parents[std::stoi(rows[i][0])].push_back(parent);
    }
    ASSERT_EQ(indices.size(), 3u);
    for (const auto& [level, numbers] : indices) {
      EXPECT_EQ(*numbers.begin(), 0);
      EXPECT_EQ(*numbers.rbegin() + 1, static_cast<int>(numbers.size()));
      for (const int parent : parents[level]) {
        EXPECT_TRUE(indices[level - 1].contains(parent)) << level;
      }
    }
    expectCovered(torus_, spheresIn(csv, "0"));
    expectCovered(torus_, spheresIn(csv, "1"));

    for (const std::size_t count : {1u, 2u, 3u, 9u, 20u}) {
      SCOPED_TRACE(count);
      const std::string flat =
          exported("torus", {"--format", "csv", "--level", "2", "--count", std::to_string(count)});
      const std::vector<Sphere> set = spheresIn(flat, "0");
      EXPECT_EQ(set.size(), count);
      EXPECT_EQ(cellsOf(flat).size(), count + 1);
      expectCovered(torus_, set);
    }
  }
}

TEST_F(TreeTools, ExportSaysWhereSpheresMayLeaveSurfaceOut) {
  const auto saidFor = [this](const char* coverage, const Words& more) {
    const Outcome built = run({"tree", "build", "cube.obj", "-o", "c.tree", "--levels", "1",
                               "--method", "medial", "--points", "100", "--coverage", coverage});
    EXPECT_EQ(built.exitCode, 0) << built.err;
    const Outcome outcome =
        run(joined({"tree", "export", "c.tree", "-o", "c.yml", "--format", "curobo"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_THAT(saidFor("samples", {}), HasSubstr("may leave parts of the surface out"));
  EXPECT_THAT(saidFor("paper", {"--count", "2"}), HasSubstr("only whole levels of \"c.tree\""));
  EXPECT_THAT(saidFor("paper", {}), testing::Not(HasSubstr("leave parts")));
}

TEST_F(TreeTools, EveryFormatHoldsTheSameSpheres) {
  build("torus", "2");
  const std::vector<Sphere> finest = spheresIn(exported("torus", {"--format", "csv"}), "2");
  const std::size_t count = finest.size();
  ASSERT_GT(count, 20u);

  const auto plain = nlohmann::json::parse(exported("torus", {"--format", "json"}));
  EXPECT_EQ(plain["frame"], "source");
  EXPECT_EQ(plain["levels"][2]["spheres"].size(), count);
  EXPECT_EQ(plain["levels"][2]["spheres"][0]["radius"].get<double>(), finest[0].radius);

  const auto foam = nlohmann::json::parse(exported("torus", {"--format", "foam"}));
  ASSERT_EQ(foam.size(), 3u);
  EXPECT_EQ(foam[2]["spheres"].size(), count);
  EXPECT_EQ(foam[2]["spheres"][1]["origin"][2].get<double>(), finest[1].centre.z);
  EXPECT_LE(foam[2]["best"], foam[2]["mean"]);
  EXPECT_LE(foam[2]["mean"], foam[2]["worst"]);

  const std::string curobo = exported("torus", {"--format", "curobo"});
  EXPECT_THAT(curobo, testing::StartsWith("collision_spheres:\n  \"torus\":\n    - center: ["));
  EXPECT_EQ(countOf("radius:", curobo), count);
  const std::string urdf = exported("torus", {"--format", "urdf"});
  EXPECT_THAT(urdf, HasSubstr("<robot name=\"torus\">"));
  EXPECT_EQ(countOf("<sphere radius=", urdf), count);

  // No tree that is uneven has a place to spare: a root, and all that covers below it
  std::istringstream sph(exported("torus", {"--format", "sph"}));
  std::size_t levels = 0, branch = 0, places = 0;
  sph >> levels >> branch;
  EXPECT_EQ(levels, 2u);
  EXPECT_EQ(branch, count);
  Sphere root;
  for (double x, y, z, r, importance; sph >> x >> y >> z >> r >> importance; ++places) {
    EXPECT_GT(r, 0.0);
    if (places == 0) root = {Vec3(x, y, z), r};
    EXPECT_LE(glm::distance(root.centre, Vec3(x, y, z)) + r, root.radius * (1.0 + 1e-9));
  }
  EXPECT_EQ(places, 1 + count);
}

TEST_F(TreeTools, ExportWritesEvenTreesWhole) {
  build("cube", "2");
  std::istringstream sph(exported("cube", {"--format", "sph", "--level", "1"}));
  std::size_t levels = 0, branch = 0, places = 0;
  sph >> levels >> branch;
  EXPECT_EQ(levels, 2u);
  EXPECT_EQ(branch, 8u);
  for (double x, y, z, r, importance; sph >> x >> y >> z >> r >> importance; ++places)
    EXPECT_GT(r, 0.0);
  EXPECT_EQ(places, 9u);
}

/// Leaves above a level stand for their surface there.
TEST_F(TreeTools, EachExportedLevelCoversAndIsCountedAsWritten) {
  ASSERT_EQ(run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "3", "--error-bound",
                 "0.12"})
                .exitCode,
            0);
  for (const char* format : {"csv", "json", "curobo", "foam", "urdf"})
    for (const char* level : {"1", "2", "3"}) {
      const Outcome outcome = run({"tree", "export", "torus.tree", "-o", "out.txt", "--model",
                                   "torus.obj", "--format", format, "--level", level});
      ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
      const std::string text = readText(home() / "out.txt");
      const std::size_t lines = cellsOf(text).size() - 1;
      const std::size_t written =
          std::string(format) == "csv"
              ? lines
              : countOf(std::string(format) == "urdf" ? "<sphere" : "radius\"", text) +
                    countOf("radius: ", text);
      EXPECT_THAT(outcome.out, testing::StartsWith(std::to_string(written) + " spheres")) << format;
      if (std::string(format) != "csv") continue;
      std::vector<Sphere> cover;
      for (const char* each : {"0", "1", "2", "3"})
        for (const Sphere& sphere : spheresIn(text, each)) cover.push_back(sphere);
      expectCovered(torus_, cover);
    }
}

TEST_F(TreeTools, ExportFitsSpheresToTheModel) {
  build("torus", "2");
  const std::vector<Sphere> set =
      spheresIn(exported("torus", {"--format", "csv", "--count", "5"}), "0");
  EXPECT_EQ(set.size(), 5u);
  expectCovered(torus_, set);
  const Outcome outcome =
      run({"spheres", "torus.obj", "-o", "out.txt", "--format", "csv", "--count", "5"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("5 spheres"));
  EXPECT_THAT(outcome.out, HasSubstr("of its volume"));
  // The tree has no say
  EXPECT_EQ(spheresIn(readText(home() / "out.txt"), "0").front().radius, set.front().radius);
}

TEST_F(TreeTools, ExportWritesTheTreesOwnSpheresWhereTheyAreTooManyToFit) {
  build("torus", "5");
  const Outcome outcome = run({"tree", "export", "torus.tree", "-o", "out.csv", "--format", "csv",
                               "--model", "torus.obj", "--count", "2000"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("these spheres are the tree's own: no more than 1024 are "
                                     "fitted to a model itself"));
  EXPECT_EQ(cellsOf(readText(home() / "out.csv")).size(), 2001u);
}

TEST_F(TreeTools, ExportNamesMistakesAndWritesNothing) {
  build("torus", "2");
  build("cube", "1");
  writeText(home() / "noise.tree", std::string(300, 'x'));
  const auto expectMistake = [this](const Words& words, int exitCode, const char* sentence) {
    const Outcome outcome = run(joined({"tree", "export"}, words));
    EXPECT_EQ(outcome.exitCode, exitCode) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_FALSE(std::filesystem::exists(home() / "o"));
  };
  expectMistake({"torus.tree", "-o", "o", "--format", "fome"}, 1, "Did you mean \"foam\"?");
  expectMistake({"torus.tree", "-o", "o"}, 1, "--format is required");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--level", "3"}, 1, "levels 0 to 2");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--count", "0"}, 1, "from 1 to");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--count", "100000"}, 1,
                "its leaves; a deeper tree");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--level", "1", "--count", "100"}, 1,
                "cannot be divided into 100 spheres: it has only 8 down to level 1; a larger "
                "--level has more");
  expectMistake({"noise.tree", "-o", "o", "--format", "csv"}, 3, "noise.tree");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--model", "x.obj"}, 3, "x.obj");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--model", "cube.obj"}, 4,
                "from another mesh");
  expectMistake({"torus.tree", "-o", "no/o", "--format", "csv"}, 2, "cannot write \"no/o\"");
  program_.fileLimit = 500;
  expectMistake({"torus.tree", "-o", "o", "--format", "csv"}, 2, "cannot write \"o\"");
}

}  // namespace
}  // namespace nearmiss
