// SPDX-License-Identifier: MIT
/// `tree export`, `tree info` and `lab fig14` from outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/primitives.h>
#include <nearmiss/sphere_tree_builder.h>
#include <nearmiss/sphere_tree_io.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "support/csv.h"
#include "support/files.h"
#include "support/meshes.h"
#include "support/program.h"

namespace nearmiss {
namespace {

using test::asObj;
using test::cellsOf;
using test::countOf;
using test::joined;
using test::Outcome;
using test::readText;
using test::Words;
using test::writeText;
using testing::HasSubstr;
using testing::Not;

/// Ships far from the origin and in large units, so that a lost frame shows.
class TreeTools : public testing::Test {
 protected:
  TreeTools() {
    cube_ = test::box(Vec3(10.0, 20.0, -6.0), Vec3(14.0, 24.0, -2.0));
    torus_ = test::torus(10, 6);
    for (Vec3& p : torus_.positions) p = p * 50.0 + Vec3(300.0, -200.0, 1000.0);
    writeText(home() / "cube.obj", asObj(cube_));
    writeText(home() / "torus.obj", asObj(torus_));
  }

  const test::TemporaryFolder& home() const { return program_.home(); }
  Outcome run(const Words& words) const { return program_.run(words); }
  void build(const std::string& model, const std::string& levels,
             const std::string& method = "octree") const {
    // Thousands would be no better here
    const Words more = method == "medial" ? Words{"--points", "500"} : Words{};
    const Outcome built = run(joined({"tree", "build", model + ".obj", "-o", model + ".tree",
                                      "--levels", levels, "--method", method},
                                     more));
    ASSERT_EQ(built.exitCode, 0) << built.err;
  }
  /// Exports the tree of a model in its own frame and returns the text.
  std::string exported(const std::string& model, const Words& more) const {
    const Outcome outcome = run(joined(
        {"tree", "export", model + ".tree", "-o", "out.txt", "--model", model + ".obj"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    return readText(home() / "out.txt");
  }
  static std::vector<Sphere> spheresIn(const std::string& csv, const std::string& level) {
    std::vector<Sphere> spheres;
    for (const auto& row : cellsOf(csv))
      if (row[0] == level)
        spheres.push_back(
            {Vec3(std::stod(row[3]), std::stod(row[4]), std::stod(row[5])), std::stod(row[6])});
    return spheres;
  }
  /// Even points of every triangle, as its file has it, lie in some sphere.
  static void expectCovered(const TriangleMesh& mesh, const std::vector<Sphere>& spheres) {
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const auto p = mesh.corners(t);
      for (int i = 0; i <= 4; ++i)
        for (int j = 0; i + j <= 4; ++j) {
          const Vec3 point = p[0] + 0.25 * i * (p[1] - p[0]) + 0.25 * j * (p[2] - p[0]);
          EXPECT_TRUE(std::any_of(spheres.begin(), spheres.end(), [&](const Sphere& s) {
            return glm::distance(s.centre, point) <= s.radius;
          })) << t;
        }
    }
  }

  TriangleMesh cube_, torus_;
  test::Program program_{NEARMISS_PROGRAM};
};

TEST_F(TreeTools, InnerSpheresAreBuiltShownAndCertified) {
  Outcome outcome =
      run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "1", "--inner", "64"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("inside the solid: 1 8 64 spheres by level"));
  outcome = run({"tree", "info", "torus.tree", "torus.obj"});
  EXPECT_THAT(outcome.out, HasSubstr("gap mean"));
  outcome = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("3 levels of spheres lie inside the solid"));

  // What is no solid has a tree, but no inside
  torus_.triangles.pop_back();
  writeText(home() / "open.obj", asObj(torus_));
  outcome = run({"tree", "build", "open.obj", "-o", "open.tree", "--levels", "1", "--inner", "64"});
  EXPECT_EQ(outcome.exitCode, 0);
  EXPECT_THAT(outcome.err, HasSubstr("no solid"));
  outcome = run({"tree", "build", "torus.obj", "-o", "no.tree", "--inner", "5000"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("4096"));
}

TEST_F(TreeTools, ATreeIsJudgedByWhatItsModePromises) {
  const auto built = [this](const std::string& coverage) {
    const Outcome outcome =
        run({"tree", "build", "torus.obj", "-o", coverage + ".tree", "--levels", "2", "--method",
             "medial", "--points", "300", "--coverage", coverage});
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("coverage " + coverage));
    return *readSphereTree(home() / (coverage + ".tree"));
  };
  const auto checked = [this](const SphereTreeFile& file) {
    EXPECT_TRUE(writeSphereTree(home() / "some.tree", file));
    return run({"tree", "check", "some.tree", "torus.obj"});
  };
  // As a whole, and with siblings shrunk or as good as gone
  for (const std::string coverage : {"guaranteed", "paper"}) {
    SphereTreeFile file = built(coverage);
    Outcome outcome = checked(file);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("coverage  holds"));
    const SphereTree::Data whole = file.tree.data();
    for (const std::uint32_t pack : {1u, whole.levelBegin[2]})
      for (const float share : {0.7f, 0.0f}) {
        SphereTree::Data data = whole;
        for (float& r : data.packs[pack].r)
          if (r > 0.0f) r *= share;  // empty lanes stay as they are
        file.tree = SphereTree(data);
        outcome = checked(file);
        EXPECT_EQ(outcome.exitCode, 4) << coverage << " " << pack << " " << share;
        EXPECT_THAT(outcome.out, HasSubstr("coverage  broken"));
        EXPECT_THAT(outcome.err, HasSubstr("is not proven to"));
      }
  }
}

TEST_F(TreeTools, BoxesAreBuiltShownAndCertified) {
  Outcome outcome =
      run({"tree", "build", "torus.obj", "-o", "torus.tree", "--levels", "2", "--boxes", "0.5"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out,
              testing::ContainsRegex("boxes beside spheres: 0 [1-9][0-9]* [1-9][0-9]*"));
  outcome = run({"tree", "check", "torus.tree", "torus.obj"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("coverage  holds"));
  EXPECT_THAT(outcome.out, testing::ContainsRegex("with [0-9]+ boxes"));
  outcome = run({"tree", "build", "torus.obj", "-o", "no.tree", "--boxes", "1001"});
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_THAT(outcome.err, HasSubstr("number from 0 to 1000, got 1001"));
  outcome =
      run({"tree", "build", "torus.obj", "-o", "low.tree", "--levels", "1", "--boxes", "0.01"});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
}

TEST_F(TreeTools, ExportKeepsFrameAndUnitOfTheSource) {
  build("cube", "1");
  const auto rows = cellsOf(exported("cube", {"--format", "csv"}));
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[0],
            (std::vector<std::string>{"level", "index", "parent", "cx", "cy", "cz", "r", "h"}));
  EXPECT_THAT(std::vector<std::string>(rows[1].begin(), rows[1].begin() + 6),
              testing::ElementsAre("0", "0", "-1", "12", "22", "-4"));
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
    const auto rows = cellsOf(csv);
    for (std::size_t i = 1; i < rows.size(); ++i) {
      indices[std::stoi(rows[i][0])].insert(std::stoi(rows[i][1]));
      parents[std::stoi(rows[i][0])].push_back(std::stoi(rows[i][2]));
    }
    ASSERT_EQ(indices.size(), 3u);
    for (const auto& [level, places] : indices) {
      EXPECT_EQ(*places.begin(), 0);
      EXPECT_EQ(*places.rbegin() + 1, static_cast<int>(places.size()));
      for (const int parent : parents[level]) {
        EXPECT_TRUE(level == 0 ? parent == -1 : indices[level - 1].contains(parent)) << level;
      }
    }
    expectCovered(torus_, spheresIn(csv, "0"));
    expectCovered(torus_, spheresIn(csv, "1"));

    for (const std::size_t count : {1u, 2u, 3u, 9u, 20u}) {
      SCOPED_TRACE(count);
      const std::string flat =
          exported("torus", {"--format", "csv", "--count", std::to_string(count)});
      const std::vector<Sphere> set = spheresIn(flat, "0");
      EXPECT_EQ(set.size(), count);
      EXPECT_EQ(cellsOf(flat).size(), count + 1);
      expectCovered(torus_, set);
    }
  }
}

TEST_F(TreeTools, EveryBuilderRefusesWhatIsNoMesh) {
  writeText(home() / "empty.obj", "");
  writeText(home() / "nan.obj", "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "huge.obj", "v 1e39 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  writeText(home() / "points.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n");
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
    for (const char* file : {"empty.obj", "nan.obj", "huge.obj", "points.obj"}) {
      const Outcome outcome =
          run({"tree", "build", file, "-o", "never.tree", "--method", std::string(builder.name)});
      EXPECT_EQ(outcome.exitCode, 3) << outcome.err;
      EXPECT_THAT(outcome.err, HasSubstr(file));
      EXPECT_EQ(countOf("\n", outcome.err), 1u) << outcome.err;
      EXPECT_FALSE(std::filesystem::exists(home() / "never.tree"));
    }
}

TEST_F(TreeTools, BuildHeedsEveryOptionOrSaysThatItMeansNothing) {
  const auto spheres = [this](const Words& more) {
    const Outcome outcome =
        run(joined({"tree", "build", "torus.obj", "-o", "t.tree", "--levels", "2"}, more));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
    EXPECT_THAT(outcome.err, Not(HasSubstr("means nothing")));
    return outcome.out.substr(outcome.out.find("level "));
  };
  const Words annealed{"--method", "annealed"}, variational{"--method", "variational"},
      medial{"--method", "medial", "--points", "300"};
  const std::string plain = spheres(annealed);
  for (const Words& option : {Words{"--steps", "10"}, Words{"--seed", "7"}, Words{"--heat", "0.5"},
                              Words{"--cooled", "0.5"}})
    EXPECT_NE(spheres(joined(annealed, option)), plain) << option[0];
  const std::string closest = spheres(variational);
  for (const Words& option : {Words{"--objective", "largest"}, Words{"--branching", "4"},
                              Words{"--even-branching"}, Words{"--error-bound", "0.3"}})
    EXPECT_NE(spheres(joined(variational, option)), closest) << option[0];
  if (findSphereTreeBuilder("medial")) {
    const std::string paper = spheres(medial);
    for (const Words& option :
         {Words{"--adjacency", "edge"}, Words{"--coverage", "safest"}, Words{"--coverage", "paper"},
          Words{"--error-bound", "0.3"}, Words{"--drop-redundant"}})
      EXPECT_NE(spheres(joined(medial, option)), paper) << option[0];
    EXPECT_NE(spheres({"--method", "medial", "--points", "200"}), paper);
  }
  const Outcome vain = run({"tree", "build", "cube.obj", "-o", "t.tree", "--method", "octree",
                            "--levels", "1", "--points", "300", "--even-branching", "--coverage",
                            "safest", "--error-bound", "0.1", "--branching", "4"});
  EXPECT_EQ(vain.exitCode, 0);
  EXPECT_THAT(vain.err, HasSubstr("--points means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--even-branching means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--error-bound means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--branching means nothing to the octree builder"));
  EXPECT_THAT(vain.err, HasSubstr("--coverage safest means nothing to the octree builder"));
  const std::string even = spheres({"--method", "variational"});
  EXPECT_EQ(spheres({"--method", "variational", "--spheres", "0"}), even);
  for (const std::string method : {"variational", "dag"}) {
    const std::string few = spheres({"--method", method, "--spheres", "20"});
    EXPECT_THAT(few, testing::ContainsRegex("\n *2 +(1[0-9]|20) "));
  }
  for (const SphereTreeBuilderEntry& builder : sphereTreeBuilderCatalog())
    if (const std::string method(builder.name); method != "variational" && method != "dag") {
      const Outcome none = run({"tree", "build", "cube.obj", "-o", "t.tree", "--method", method,
                                "--levels", "1", "--spheres", "5"});
      EXPECT_EQ(none.exitCode, 0);
      EXPECT_THAT(none.err, HasSubstr("--spheres means nothing to the " + method));
    }
  const Outcome many =
      run({"tree", "build", "cube.obj", "-o", "no.tree", "--levels", "1", "--spheres", "600"});
  EXPECT_EQ(many.exitCode, 1);
  EXPECT_THAT(many.err, HasSubstr("a number of spheres of 0 to 512, not 600"));
  EXPECT_FALSE(std::filesystem::exists(home() / "no.tree"));
}

TEST_F(TreeTools, EveryFormatHoldsTheSameSpheres) {
  build("torus", "2");
  const std::vector<Sphere> finest = spheresIn(exported("torus", {"--format", "csv"}), "2");
  const std::size_t count = finest.size();
  ASSERT_GT(count, 20u);

  const auto json = nlohmann::json::parse(exported("torus", {"--format", "json"}));
  EXPECT_EQ(json["frame"], "source");
  EXPECT_EQ(json["levels"][2]["spheres"].size(), count);
  EXPECT_EQ(json["levels"][2]["spheres"][0]["radius"].get<double>(), finest[0].radius);

  const auto foam = nlohmann::json::parse(exported("torus", {"--format", "foam"}));
  ASSERT_EQ(foam.size(), 3u);
  EXPECT_EQ(foam[2]["spheres"].size(), count);
  EXPECT_EQ(foam[2]["spheres"][1]["origin"][2].get<double>(), finest[1].centre.z);
  EXPECT_LE(foam[2]["best"], foam[2]["mean"]);
  EXPECT_LE(foam[2]["mean"], foam[2]["worst"]);

  const std::string curobo = exported("torus", {"--format", "curobo"});
  EXPECT_THAT(curobo, testing::StartsWith("collision_spheres:\n  torus:\n    - center: ["));
  EXPECT_EQ(countOf("radius:", curobo), count);
  const std::string urdf = exported("torus", {"--format", "urdf"});
  EXPECT_THAT(urdf, HasSubstr("<robot name=\"torus\">"));
  EXPECT_EQ(countOf("<sphere radius=", urdf), count);

  std::istringstream sph(exported("torus", {"--format", "sph"}));
  std::size_t levels = 0, branch = 0, used = 0, places = 0;
  sph >> levels >> branch;
  EXPECT_EQ(levels, 3u);
  for (double x, y, z, r, importance; sph >> x >> y >> z >> r >> importance; ++places)
    used += r >= 0.0 ? 1 : 0;
  EXPECT_EQ(places, 1 + branch + branch * branch);
  EXPECT_GT(used, count);
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
                "cannot be divided into 100000 spheres: it has only");
  expectMistake({"noise.tree", "-o", "o", "--format", "csv"}, 3, "noise.tree");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--model", "x.obj"}, 3, "x.obj");
  expectMistake({"torus.tree", "-o", "o", "--format", "csv", "--model", "cube.obj"}, 4,
                "from another mesh");
  expectMistake({"torus.tree", "-o", "no/o", "--format", "csv"}, 2, "cannot write \"no/o\"");
  program_.fileLimit = 500;
  expectMistake({"torus.tree", "-o", "o", "--format", "csv"}, 2, "cannot write \"o\"");
}

TEST_F(TreeTools, InfoMeasuresAgainstTheModel) {
  build("torus", "2");
  EXPECT_THAT(run({"tree", "info", "torus.tree"}).out, Not(HasSubstr("Hw")));
  const Outcome info = run({"tree", "info", "torus.tree", "torus.obj"});
  EXPECT_EQ(info.exitCode, 0) << info.err;
  for (const char* word : {"Hw", "Ho max", "volume", "outside", "Hd+ max"})
    EXPECT_THAT(info.out, HasSubstr(word));
  EXPECT_THAT(info.out, Not(HasSubstr("lies in no sphere")));
  EXPECT_EQ(run({"tree", "info", "torus.tree", "cube.obj"}).exitCode, 4);
}

TEST_F(TreeTools, Fig14ComparesEveryBuilderWithTheOctree) {
  EXPECT_THAT(run({"list", "experiments"}).out, HasSubstr("fig14"));
  const Outcome outcome =
      run({"lab", "fig14", "-o", "lab", "--quick", "--model", "torus.obj", "--levels", "2"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const test::Table table(readText(home() / "lab" / "fig14.csv"));
  ASSERT_EQ(table.rows(), 2 * (sphereTreeBuilderCatalog().size() + 1));
  const auto at = [&](std::size_t row, const char* name) { return table.text(row, name); };
  double octreeAlarms = 0.0, alarms = 0.0, withBoxes = 0.0;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    EXPECT_EQ(at(i, "model"), "torus");
    EXPECT_EQ(at(i, "separated_poses"), "200");
    EXPECT_EQ(at(i, "missed_contacts"), "0");
    EXPECT_GT(std::stoi(at(i, "contact_poses")), 20);
    EXPECT_EQ(std::stod(at(i, "uncovered_percent")), 0.0);
    EXPECT_LE(std::stod(at(i, "h_mean_m")), std::stod(at(i, "h_max_m")));
    EXPECT_LE(std::stod(at(i, "h_max_m")), std::stod(at(i, "hb_max_m")));
    EXPECT_LE(std::stod(at(i, "hd_mean_m")), std::stod(at(i, "h_mean_m")));
    EXPECT_LE(std::stod(at(i, "hd_max_m")), std::stod(at(i, "h_max_m")));
    EXPECT_GT(std::stod(at(i, "hd_mean_m")), 0.5 * std::stod(at(i, "h_mean_m")));
    EXPECT_GT(std::stod(at(i, "hd_corrected_mean_m")), std::stod(at(i, "hb_mean_m")));
    EXPECT_GE(std::stod(at(i, "hd_corrected_max_m")), std::stod(at(i, "hd_corrected_mean_m")));
    EXPECT_LE(std::stod(at(i, "false_alarm_percent")), 100.0);
    EXPECT_EQ(at(i, "paper_mean_ratio"), "");
    EXPECT_GT(std::stod(at(i, "separated_us")), 0.0);
    EXPECT_GT(std::stod(at(i, "contact_us")), 0.0);
    if (at(i, "builder") == "variational") alarms += std::stod(at(i, "false_alarm_percent"));
    if (at(i, "builder") == "variational+boxes")
      withBoxes += std::stod(at(i, "false_alarm_percent"));
    if (at(i, "builder") != "octree") continue;
    EXPECT_EQ(std::stod(at(i, "h_mean_ratio")), 1.0);
    octreeAlarms = std::max(octreeAlarms, std::stod(at(i, "false_alarm_percent")));
  }
  EXPECT_GT(octreeAlarms, 0.0);
  EXPECT_LT(withBoxes, alarms);
  const std::string svg = readText(home() / "lab" / "fig14.svg");
  EXPECT_THAT(svg, testing::StartsWith("<svg "));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
  EXPECT_EQ(countOf("level 1<", svg), 3u);

  // The smallest trees that fit as well as those of the paper
  const test::Table equal(readText(home() / "lab" / "equal_spheres.csv"));
  ASSERT_EQ(equal.rows(), findSphereTreeBuilder("medial") ? 2u : 0u);
  for (std::size_t i = 0; i < equal.rows(); ++i) {
    EXPECT_EQ(equal.text(i, "model"), "torus");
    EXPECT_LE(std::stoi(equal.text(i, "medial_spheres")), 64);
    const int spheres = std::stoi(equal.text(i, "spheres"));
    EXPECT_GT(spheres, 1);
    EXPECT_LE(spheres, std::stoi(equal.text(i, "medial_spheres")));
    EXPECT_LE(std::stod(equal.text(i, "hw_m")), std::stod(equal.text(i, "medial_hw_m")));
    EXPECT_LE(spheres,
              std::pow(std::stod(equal.text(i, "branching")), std::stod(equal.text(i, "levels"))));
  }

  // They are the smallest of all that were tried, and those just below them were
  const test::Table tried(readText(home() / "lab" / "equal_spheres_tried.csv"));
  for (std::size_t i = 0; i < equal.rows(); ++i) {
    std::size_t trees = 0;
    std::set<int> sizes;
    for (std::size_t k = 0; k < tried.rows(); ++k) {
      if (tried.text(k, "builder") != equal.text(i, "builder")) continue;
      ++trees;
      EXPECT_LE(std::stoi(tried.text(k, "spheres")), std::stoi(tried.text(k, "most_spheres")));
      const bool fits = std::stod(tried.text(k, "hw_m")) <= std::stod(equal.text(i, "medial_hw_m"));
      EXPECT_EQ(tried.text(k, "fits"), fits ? "1" : "0");
      if (fits) {
        EXPECT_LE(std::stoi(equal.text(i, "spheres")), std::stoi(tried.text(k, "spheres")));
      }
      if (tried.text(k, "objective") == equal.text(i, "objective") &&
          tried.text(k, "levels") == equal.text(i, "levels"))
        sizes.insert(std::stoi(tried.text(k, "most_spheres")));
    }
    EXPECT_EQ(std::to_string(trees), equal.text(i, "tried"));
    EXPECT_GT(trees, 8u);
    const int spheres = std::stoi(equal.text(i, "spheres"));
    for (int below = 1; below <= 4 && below < spheres; ++below)
      EXPECT_TRUE(sizes.contains(spheres - below)) << below;
  }
}

TEST_F(TreeTools, Fig14NamesMistakes) {
  EXPECT_EQ(run({"lab", "fig14"}).exitCode, 1);
  const Outcome typo = run({"lab", "fig41", "-o", "lab"});
  EXPECT_EQ(typo.exitCode, 1);
  EXPECT_THAT(typo.err, HasSubstr("Did you mean \"fig14\"?"));
  EXPECT_EQ(run({"lab", "fig14", "-o", "lab", "--model", "x.obj"}).exitCode, 3);
  EXPECT_THAT(run({"lab", "fig14", "-o", "lab", "--tree", "variational+boxs"}).err,
              HasSubstr("Did you mean \"variational+boxes\"?"));
  writeText(home() / "file", "");
  EXPECT_EQ(run({"lab", "fig14", "-o", "file", "--model", "torus.obj"}).exitCode, 2);
}

}  // namespace
}  // namespace nearmiss
