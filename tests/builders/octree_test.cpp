// SPDX-License-Identifier: MIT
/// Octree sphere trees: that they cover, that they halve, that they can be stopped.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/campaign.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// For tests that do not look at H, which is most of the time of a build.
constexpr SphereTreeSettings careless{.hausdorffTolerance = 1.0};

class OctreeOfEveryMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

/// The same as the certificate's claim, in the plainest way: go down through the spheres that hold
/// the point.
TEST_P(OctreeOfEveryMesh, HasAChainOfSpheresAtEachPoint) {
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

TEST_P(OctreeOfEveryMesh, HalvesItsSpheresFromLevelToLevel) {
  const auto reports = levelReports(*buildOctreeSphereTree(polyhedron_, careless));
  for (std::size_t level = 2; level < reports.size(); ++level) {
    EXPECT_LE(reports[level].spheres, 8 * reports[level - 1].spheres);
    // Far from the origin the rounding of the centres to float adds to small radii
    const Real rounding = 1e-6 * glm::length(polyhedron_.bounds().high) / reports[level].radiusMax;
    EXPECT_NEAR(reports[level].radiusMax / reports[level - 1].radiusMax, 0.5, 1e-5 + rounding);
    EXPECT_LE(reports[level].hausdorffMax, 2.0001 * reports[level].radiusMax);
  }
}

TEST_P(OctreeOfEveryMesh, GivesTheSameTreeTwiceAndItsDoubleWhenDoubled) {
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

INSTANTIATE_TEST_SUITE_P(, OctreeOfEveryMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

TEST(Octree, IsCertifiedAsBuiltByDefault) {
  const Polyhedron polyhedron(test::spikyStar(3, 7, 9));
  const SphereTree tree = *buildOctreeSphereTree(polyhedron);
  EXPECT_EQ(tree.levelCount(), 5);
  test::expectCertified(tree, polyhedron);
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
  EXPECT_EQ(hash, hashOf("octree", {.variational = {.branching = 7}}));
  EXPECT_NE(hash, hashOf("octree", {.hausdorffTolerance = 0.01}));
  EXPECT_EQ(hash, hashOf("octree", {.medial = {.coverage = Coverage::Paper}}));
}

}  // namespace
}  // namespace nearmiss
