// SPDX-License-Identifier: MIT
/// Octree sphere trees: that they cover, that they halve, that they can be stopped.
#include <gtest/gtest.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <thread>
#include <vector>

#include "support/build_expectations.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// Solids, surfaces with holes, loose triangles, flat and thin things, things far from the origin.
std::vector<TriangleMesh> allMeshes() {
  std::vector<TriangleMesh> meshes = test::variousMeshes();
  meshes.push_back(test::soup(1, 60, 0.3));
  meshes.push_back(test::soup(2, 5, 2.0));
  meshes.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  meshes.push_back(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-9, 0}}, {{0, 1, 2}}});
  meshes.push_back(test::box({-1, -1, -1e-6}, {1, 1, 1e-6}));
  meshes.push_back(test::moved(test::torus(10, 6), {1000, -2000, 500}));
  meshes.push_back(test::moved(test::cube(0.25), {0.25, 0.25, 0.25}));
  return meshes;
}

/// For tests that do not look at H, which is most of the time of a build.
constexpr SphereTreeSettings careless{.hausdorffTolerance = 1.0};

class EveryMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{allMeshes()[GetParam()]};
};

TEST_P(EveryMesh, IsCoveredByACertifiedTree) {
  const auto tree = buildOctreeSphereTree(polyhedron_, {.levels = 3});
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(SphereTree::validate(tree->data(),
                                 static_cast<std::uint32_t>(polyhedron_.mesh().triangles.size())),
            nullptr);
  EXPECT_EQ(tree->levelCount(), 4);
  EXPECT_EQ(tree->coverage(), Coverage::Guaranteed);
  const SphereTreeCertificate verdict = checkSphereTree(*tree, polyhedron_);
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
  EXPECT_EQ(verdict.uncoveredPieces, 0u);
  EXPECT_EQ(verdict.brokenBounds, 0u);
  EXPECT_EQ(verdict.complaint, "");
}

/// The same as the certificate's claim, in the plainest way: go down through the spheres that hold
/// the point.
TEST_P(EveryMesh, HasAChainOfSpheresAtEachPoint) {
  const SphereTree tree = *buildOctreeSphereTree(polyhedron_, careless);
  const auto& data = tree.data();
  Random random(GetParam());
  for (int i = 0; i < test::cases(300); ++i) {
    const auto t = static_cast<std::uint32_t>(
        random.whole(0, static_cast<int>(polyhedron_.mesh().triangles.size()) - 1));
    const auto corners = polyhedron_.mesh().corners(t);
    const Real u = std::sqrt(random.unit());
    const Real v = i % 3 == 0 ? 0.0 : random.unit();
    const Vec3 point = (1 - u) * corners[0] + u * (1 - v) * corners[1] + u * v * corners[2];
    std::vector<SphereId> open{0};
    bool listed = false;
    while (!open.empty() && !listed) {
      const SphereId id = open.back();
      open.pop_back();
      if (glm::distance(point, tree.sphere(id).centre) > tree.sphere(id).radius) continue;
      const std::uint32_t child =
          data.links[id / SpherePack::width].childPack[id % SpherePack::width];
      if (child == SphereLinks::none) {
        const auto triangles = tree.trianglesOf(id);
        listed = std::binary_search(triangles.begin(), triangles.end(), t);
        continue;
      }
      for (std::uint32_t lane = 0; lane < SpherePack::width; ++lane)
        if (data.packs[child].r[lane] >= 0.0f) open.push_back(child * SpherePack::width + lane);
    }
    ASSERT_TRUE(listed) << "triangle " << t << " at " << point.x << " " << point.y << " "
                        << point.z;
  }
}

TEST_P(EveryMesh, HalvesItsSpheresFromLevelToLevel) {
  const auto reports = levelReports(*buildOctreeSphereTree(polyhedron_, careless));
  for (std::size_t level = 2; level < reports.size(); ++level) {
    EXPECT_LE(reports[level].spheres, 8 * reports[level - 1].spheres);
    // Far from the origin the rounding of the centres to float adds to small radii
    const Real rounding = 1e-6 * glm::length(polyhedron_.bounds().high) / reports[level].radiusMax;
    EXPECT_NEAR(reports[level].radiusMax / reports[level - 1].radiusMax, 0.5, 1e-5 + rounding);
    EXPECT_LE(reports[level].hausdorffMax, 2.0001 * reports[level].radiusMax);
  }
}

TEST_P(EveryMesh, GivesTheSameTreeTwiceAndItsDoubleWhenDoubled) {
  const SphereTreeSettings settings{.levels = 2};
  const SphereTree::Data once = buildOctreeSphereTree(polyhedron_, settings)->data();
  TriangleMesh larger = polyhedron_.mesh();
  for (Vec3& p : larger.positions) p *= 16.0;
  const SphereTree::Data scaled = buildOctreeSphereTree(Polyhedron(larger), settings)->data();
  const SphereTree::Data twice = buildOctreeSphereTree(polyhedron_, settings)->data();
  EXPECT_EQ(once.leafTriangles, twice.leafTriangles);
  EXPECT_EQ(once.leafTriangles, scaled.leafTriangles);
  ASSERT_EQ(once.packs.size(), twice.packs.size());
  ASSERT_EQ(once.packs.size(), scaled.packs.size());
  for (std::size_t pack = 0; pack < once.packs.size(); ++pack)
    for (int lane = 0; lane < SpherePack::width && once.packs[pack].r[lane] >= 0.0f; ++lane) {
      ASSERT_EQ(once.packs[pack].r[lane], twice.packs[pack].r[lane]);
      ASSERT_EQ(once.packs[pack].x[lane] * 16.0f, scaled.packs[pack].x[lane]);
      ASSERT_EQ(once.packs[pack].r[lane] * 16.0f, scaled.packs[pack].r[lane]);
      ASSERT_EQ(once.links[pack].hausdorff[lane], twice.links[pack].hausdorff[lane]);
      ASSERT_EQ(once.links[pack].hausdorff[lane] * 16.0f, scaled.links[pack].hausdorff[lane]);
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryMesh, testing::Range<std::size_t>(0, allMeshes().size()));

TEST(Octree, IsCertifiedAsBuiltByDefault) {
  const Polyhedron polyhedron(test::spikyStar(3, 7, 9));
  const SphereTree tree = *buildOctreeSphereTree(polyhedron);
  EXPECT_EQ(tree.levelCount(), 5);
  const SphereTreeCertificate verdict = checkSphereTree(tree, polyhedron);
  EXPECT_TRUE(verdict.covers && verdict.bounds) << verdict.complaint;
}

TEST(Octree, HasAsManyLevelsAsAskedFor) {
  const Polyhedron polyhedron(test::tetrahedron());
  for (int levels = 1; levels <= 5; ++levels) {
    const auto tree =
        buildOctreeSphereTree(polyhedron, {.levels = levels, .hausdorffTolerance = 1.0});
    ASSERT_TRUE(tree);
    EXPECT_EQ(tree->levelCount(), levels + 1);
  }
}

TEST(Octree, TellsEverySettingApartInItsHash) {
  const SphereTreeSettings usual;
  const std::uint64_t hash = hashOf("octree", usual);
  EXPECT_EQ(hash, hashOf("octree", SphereTreeSettings{}));
  EXPECT_NE(hash, hashOf("another", usual));
  EXPECT_NE(hash, hashOf("octree", {.levels = 5}));
  EXPECT_NE(hash, hashOf("octree", {.branching = 7}));
  EXPECT_NE(hash, hashOf("octree", {.hausdorffTolerance = 0.01}));
  EXPECT_NE(hash, hashOf("octree", {.coverage = Coverage::Paper}));
}

TEST(Octree, RefusesSettingsItCannotMeet) {
  const Polyhedron polyhedron(test::cube());
  test::expectRefused(
      std::array{SphereTreeSettings{.levels = 0}, SphereTreeSettings{.levels = 11},
                 SphereTreeSettings{.levels = -1}, SphereTreeSettings{.branching = 4},
                 SphereTreeSettings{.hausdorffTolerance = 0.0},
                 SphereTreeSettings{.hausdorffTolerance = std::nan("")}},
      [&](const SphereTreeSettings& settings) {
        return buildOctreeSphereTree(polyhedron, settings);
      });
}

TEST(Octree, ReportsItsProgress) {
  BuildProgress progress;
  ASSERT_TRUE(buildOctreeSphereTree(Polyhedron(test::cube()), {.levels = 2}, &progress));
  EXPECT_EQ(progress.stage, BuildStage::Done);
  EXPECT_EQ(progress.fraction, 1.0f);
}

TEST(Octree, StopsWhenCancelled) {
  const Polyhedron polyhedron(test::spikyStar(5, 20, 30));
  BuildProgress before;
  before.cancelled = true;
  const auto none = buildOctreeSphereTree(polyhedron, {}, &before);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::Cancelled);

  // In each stage that lasts; a build of ten levels would take minutes
  for (const BuildStage stage : {BuildStage::Structure, BuildStage::Accuracy}) {
    BuildProgress progress;
    std::thread watcher([&] {
      while (progress.stage < stage) std::this_thread::yield();
      progress.cancelled = true;
    });
    const int levels = stage == BuildStage::Structure ? 10 : 6;
    const auto tree = buildOctreeSphereTree(polyhedron, {.levels = levels}, &progress);
    watcher.join();
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Cancelled);
    EXPECT_EQ(progress.stage, stage);
  }
}

TEST(Catalogue, FindsTheOctree) {
  const SphereTreeBuilderEntry* entry = findSphereTreeBuilder("octree");
  ASSERT_NE(entry, nullptr);
  EXPECT_NE(entry->summary, "");
  const auto tree = entry->build(Polyhedron(test::cube()), {.levels = 1}, nullptr);
  ASSERT_TRUE(tree);
  EXPECT_EQ(tree->levelCount(), 2);
  EXPECT_EQ(findSphereTreeBuilder("oktree"), nullptr);
}

}  // namespace
}  // namespace nearmiss
