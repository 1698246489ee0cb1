// SPDX-License-Identifier: MIT
/// `lab fig14` from outside: the trees of every builder against those of the octree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

#include "app/tools/tree/tree_tools.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::countOf;
using test::Outcome;
using test::readText;
using test::TreeTools;
using test::writeText;
using testing::HasSubstr;

TEST_F(TreeTools, Fig14ComparesEveryBuilderWithTheOctree) {
  EXPECT_THAT(run({"list", "experiments"}).out, HasSubstr("fig14"));
  const Outcome outcome =
      run({"lab", "fig14", "-o", "lab", "--quick", "--model", "torus.obj", "--levels", "2"});
  ASSERT_EQ(outcome.exitCode, 0) << outcome.err;
  const test::Table table(readText(home() / "lab" / "fig14.csv"));
  ASSERT_EQ(table.rows(), 2 * (sphereTreeBuilderCatalog().size() + 3));
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
    if (at(i, "builder") == "octree") {
      EXPECT_EQ(std::stod(at(i, "hd_mean_ratio")), 1.0);
      EXPECT_EQ(std::stod(at(i, "hd_corrected_mean_ratio")), 1.0);
    }
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
}

TEST_F(TreeTools, EqualSpheresAreTheSmallestThatFitAsWellAsThoseOfThePaper) {
  if (!findSphereTreeBuilder("medial")) GTEST_SKIP() << "built without medial spheres";
  // Some twenty trees are fitted to it
  writeText(home() / "wedge.obj", test::asObj(test::tetrahedron()));
  // A model that is not there costs those before it nothing
  const Outcome outcome = run({"lab", "equal-spheres", "-o", "lab", "--quick", "--model",
                               "wedge.obj", "--model", "none.obj", "--levels", "1"});
  ASSERT_EQ(outcome.exitCode, 3) << outcome.err;
  EXPECT_THAT(readText(home() / "lab" / "equal-spheres.csv"),
              testing::HasSubstr("# complete: no\n"));
  const test::Table equal(readText(home() / "lab" / "equal-spheres.csv"));
  ASSERT_EQ(equal.rows(), 2u);
  for (std::size_t i = 0; i < equal.rows(); ++i) {
    EXPECT_EQ(equal.text(i, "model"), "wedge");
    EXPECT_LE(std::stoi(equal.text(i, "medial_spheres")), 8);
    const int spheres = std::stoi(equal.text(i, "spheres"));
    EXPECT_GT(spheres, 1);
    EXPECT_LE(spheres, std::stoi(equal.text(i, "medial_spheres")));
    EXPECT_LE(std::stod(equal.text(i, "hw_m")), std::stod(equal.text(i, "medial_hw_m")));
    EXPECT_LE(spheres,
              std::pow(std::stod(equal.text(i, "branching")), std::stod(equal.text(i, "levels"))));
  }

  // They are the smallest of all that were tried, and those just below them were
  const test::Table tried(readText(home() / "lab" / "equal-spheres-tried.csv"));
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
