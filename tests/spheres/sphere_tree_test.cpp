// SPDX-License-Identifier: MIT
/// The structure of a valid sphere tree, and faults that validate() must refuse.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "support/meshes.h"

namespace nearmiss {
namespace {

SphereTree someTree() {
  const Polyhedron polyhedron(test::torus(10, 6));
  return *buildOctreeSphereTree(polyhedron, {.levels = 2});
}

struct Fault {
  const char* name;
  std::function<void(SphereTree::Data&)> make;
};

class EveryFault : public testing::TestWithParam<Fault> {};

TEST_P(EveryFault, IsFound) {
  SphereTree::Data data = someTree().data();
  ASSERT_EQ(SphereTree::validate(data, 120), nullptr);
  GetParam().make(data);
  EXPECT_NE(SphereTree::validate(data, 120), nullptr);
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

INSTANTIATE_TEST_SUITE_P(
    , EveryFault,
    testing::Values(
        Fault{"Nothing", [](auto& d) { d = {}; }},
        Fault{"FewerLinks", [](auto& d) { d.links.pop_back(); }},
        Fault{"MorePacks",
              [](auto& d) {
                d.packs.push_back(d.packs.back());
                d.links.push_back(d.links.back());
              }},
        Fault{"NoLevels", [](auto& d) { d.levelBegin.clear(); }},
        Fault{"OnlyTheEnd", [](auto& d) { d.levelBegin = {0}; }},
        Fault{"TooManyLevels", [](auto& d) { d.levelBegin.resize(40, d.levelBegin.back()); }},
        Fault{"EmptyLevel", [](auto& d) { d.levelBegin.push_back(d.levelBegin.back()); }},
        Fault{"LevelsOutOfOrder", [](auto& d) { std::swap(d.levelBegin[1], d.levelBegin[2]); }},
        Fault{"LevelsBeyondPacks", [](auto& d) { ++d.levelBegin.back(); }},
        Fault{"ShiftedLevel", [](auto& d) { ++d.levelBegin[2]; }},
        Fault{"ChildIsItself", [](auto& d) { d.links[0].childPack[0] = 0; }},
        Fault{"ChildBeyondEnd", [](auto& d) { d.links[0].childPack[0] = 1000000; }},
        Fault{"ChildTwoLevelsDown", [](auto& d) { d.links[0].childPack[0] = d.levelBegin[2]; }},
        Fault{"SharedChild", [](auto& d) { d.links[1].childPack[1] = d.links[1].childPack[0]; }},
        Fault{"ForgottenChild", [](auto& d) { d.links[1].childPack[0] = SphereLinks::none; }},
        Fault{"ChildOfUnusedPlace", [](auto& d) { d.links[0].childPack[3] = 2; }},
        Fault{"SecondRoot", [](auto& d) { d.packs[0].r[1] = 1.0f; }},
        Fault{"NoRoot", [](auto& d) { d.packs[0].r[0] = -1.0f; }},
        Fault{"EmptyPack",
              [](auto& d) {
                for (float& r : d.packs.back().r) r = -1.0f;
              }},
        Fault{"GapInPack", [](auto& d) { d.packs[1].r[0] = -1.0f; }},
        Fault{"OddUnusedRadius", [](auto& d) { d.packs[0].r[5] = -2.0f; }},
        Fault{"RadiusNotANumber", [](auto& d) { d.packs[1].r[0] = notANumber; }},
        Fault{"RadiusInfinite", [](auto& d) { d.packs[1].r[0] = infinity; }},
        Fault{"CentreNotANumber", [](auto& d) { d.packs[1].y[0] = notANumber; }},
        Fault{"CentreInfinite", [](auto& d) { d.packs[1].z[0] = -infinity; }},
        Fault{"CentreTooFar", [](auto& d) { d.packs[1].x[0] = 1e30f; }},
        Fault{"HausdorffNegative", [](auto& d) { d.links[1].hausdorff[0] = -1.0f; }},
        Fault{"HausdorffNotANumber", [](auto& d) { d.links[1].hausdorff[0] = notANumber; }},
        Fault{"HausdorffInfinite", [](auto& d) { d.links[1].hausdorff[0] = infinity; }},
        Fault{"OutsideOfTooFew", [](auto& d) { d.outside.assign(8, 0.0f); }},
        Fault{"OutsideNegative",
              [](auto& d) {
                d.outside.assign(8 * d.packs.size(), 0.0f);
                d.outside[8] = -1.0f;
              }},
        Fault{"OutsideNotANumber",
              [](auto& d) { d.outside.assign(8 * d.packs.size(), notANumber); }},
        Fault{"OutsideAboveH", [](auto& d) { d.outside.assign(8 * d.packs.size(), 1e9f); }},
        Fault{"FewerTriangleRanges", [](auto& d) { d.triangleBegin.pop_back(); }},
        Fault{"RangesBeginLate", [](auto& d) { d.triangleBegin.front() = 1; }},
        Fault{"RangesEndLate", [](auto& d) { ++d.triangleBegin.back(); }},
        Fault{"RangesDescend",
              [](auto& d) { d.triangleBegin[d.triangleBegin.size() / 2] = 0xffffffff; }},
        Fault{"TrianglesInInnerSphere",
              [](auto& d) {
                for (std::size_t i = 1; i < 16; ++i) d.triangleBegin[i] = 1;
              }},
        Fault{"UnknownTriangle", [](auto& d) { d.leafTriangles[3] = 120; }}),
    [](const auto& fault) { return std::string(fault.param.name); });

TEST(SphereTree, NamesTheSpheresOfEachLevel) {
  const SphereTree tree = someTree();
  ASSERT_EQ(tree.levelCount(), 3);
  std::vector<SphereId> spheres;
  tree.spheresOf(0, spheres);
  EXPECT_EQ(spheres, std::vector<SphereId>{0});
  std::size_t all = 0;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, spheres);
    all += spheres.size();
    EXPECT_LE(spheres.size(), std::pow(8, level));
    for (const SphereId id : spheres) {
      EXPECT_GT(tree.sphere(id).radius, 0.0);
      EXPECT_EQ(tree.trianglesOf(id).empty(), level < 2);
    }
  }
  std::size_t used = 0;
  for (const SpherePack& pack : tree.data().packs)
    for (const float r : pack.r) used += r >= 0.0f;
  EXPECT_EQ(all, used);
}

TEST(SphereTree, ReportsEachLevel) {
  const SphereTree tree = someTree();
  const auto reports = levelReports(tree);
  ASSERT_EQ(reports.size(), 3u);
  std::vector<SphereId> spheres;
  for (int level = 0; level < 3; ++level) {
    const SphereLevelReport& report = reports[static_cast<std::size_t>(level)];
    tree.spheresOf(level, spheres);
    ASSERT_EQ(report.spheres, spheres.size());
    Real sum = 0.0, most = 0.0;
    for (const SphereId id : spheres) {
      sum += tree.hausdorff(id);
      most = std::max(most, tree.hausdorff(id));
    }
    EXPECT_DOUBLE_EQ(report.hausdorffMean * static_cast<Real>(spheres.size()), sum);
    EXPECT_EQ(report.hausdorffMax, most);
    EXPECT_EQ(report.outsideMax, most);
    EXPECT_LE(report.radiusMean, report.radiusMax * (1 + 1e-12));
  }
  // Octants halve
  EXPECT_NEAR(reports[2].radiusMax / reports[1].radiusMax, 0.5, 1e-5);
}

}  // namespace
}  // namespace nearmiss
