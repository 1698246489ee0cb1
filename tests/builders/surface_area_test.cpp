// SPDX-License-Identifier: MIT
/// Trees that are built at once: that they cover and bound, fit far closer than the octree, and
/// stay within what they may cost.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>

#include <cstring>
#include <vector>

#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/hard_meshes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

const SphereTreeBuilderEntry& sah() { return *findCoreSphereTreeBuilder(fastSphereTreeBuilder); }

/// As a shape of TreeQuality::Fast has it.
constexpr SphereTreeSettings rough{
    .hausdorffTolerance = 0.1, .hausdorffQueries = 2000, .nodeBoxRatio = 1.0, .innerSpheres = 8};

class HalvedOfEveryMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(HalvedOfEveryMesh, IsCertifiedWithItsBoxesAndRoughBounds) {
  for (const SphereTreeSettings& settings : {rough, SphereTreeSettings{.levels = 2}}) {
    const auto tree = buildSphereTree(sah(), polyhedron_, settings);
    ASSERT_TRUE(tree);
    test::expectCertified(*tree, polyhedron_);
  }
}

TEST_P(HalvedOfEveryMesh, IsTheSameForAnyNumberOfThreads) {
  SphereTreeSettings many = rough;
  many.workers = 5;
  const auto one = buildSphereTree(sah(), polyhedron_, rough);
  const auto five = buildSphereTree(sah(), polyhedron_, many);
  ASSERT_TRUE(one && five);
  ASSERT_EQ(one->data().packs.size(), five->data().packs.size());
  EXPECT_EQ(std::memcmp(one->data().packs.data(), five->data().packs.data(),
                        one->data().packs.size() * sizeof(SpherePack)),
            0);
  EXPECT_EQ(std::memcmp(one->data().links.data(), five->data().links.data(),
                        one->data().links.size() * sizeof(SphereLinks)),
            0);
  EXPECT_EQ(one->data().leafTriangles, five->data().leafTriangles);
  EXPECT_EQ(one->data().boxes.boxOf, five->data().boxes.boxOf);
}

TEST_P(HalvedOfEveryMesh, HasNoMoreSpheresThanItMay) {
  const std::size_t triangles = polyhedron_.mesh().triangles.size();
  const auto tree = buildSphereTree(sah(), polyhedron_, {.levels = 4, .hausdorffTolerance = 1.0});
  ASSERT_TRUE(tree);
  std::vector<SphereId> spheres;
  for (int level = 1; level < tree->levelCount(); ++level) {
    tree->spheresOf(level, spheres);
    EXPECT_LE(spheres.size(), std::size_t{1} << 3 * level);
    // Two halves at least of each sphere above may be more than there are triangles
    EXPECT_LE(spheres.size(), 2 * std::max<std::size_t>(64, triangles));
  }
}

INSTANTIATE_TEST_SUITE_P(Meshes, HalvedOfEveryMesh,
                         testing::Range(std::size_t{0}, test::allMeshes().size()));

Real meanOf(const SphereTree& tree, int level) {
  std::vector<SphereId> spheres;
  tree.spheresOf(level, spheres);
  Real sum = 0.0;
  for (const SphereId id : spheres) sum += tree.hausdorff(id);
  return sum / static_cast<Real>(spheres.size());
}

TEST(SurfaceAreaBuilder, FitsTwiceAsCloseAsTheOctree) {
  // Of a ball both have hemispheres first
  for (TriangleMesh mesh :
       {test::sphere(24, 32), test::torus(64, 32), test::spikyStar(3, 21, 40)}) {
    const Polyhedron polyhedron(std::move(mesh));
    const auto octree = buildOctreeSphereTree(polyhedron, {.levels = 3});
    const auto halved = buildSphereTree(sah(), polyhedron, {.levels = 3});
    ASSERT_TRUE(octree && halved);
    EXPECT_LE(meanOf(*halved, 3), 0.6 * meanOf(*octree, 3));
  }
}

/// Queries for a level are shared out; bounds grow where they do not suffice, and stay bounds.
TEST(SurfaceAreaBuilder, SpendsAsManyQueriesAsItMay) {
  const Polyhedron polyhedron(test::sphere(24, 32));
  const auto exact = buildSphereTree(sah(), polyhedron, {.levels = 3});
  const auto hasty = buildSphereTree(sah(), polyhedron, {.levels = 3, .hausdorffQueries = 1});
  ASSERT_TRUE(exact && hasty);
  ASSERT_EQ(exact->data().packs.size(), hasty->data().packs.size());
  std::size_t looser = 0;
  for (SphereId id = 0; id < exact->data().packs.size() * SpherePack::width; ++id) {
    if (!(exact->sphere(id).radius >= 0.0)) continue;
    // The tolerance of both
    const Real tolerance = 0.02 * exact->sphere(id).radius;
    EXPECT_GE(hasty->hausdorff(id), exact->hausdorff(id) - tolerance);
    EXPECT_GE(hasty->outside(id), exact->outside(id) - tolerance);
    EXPECT_LE(hasty->outside(id), hasty->hausdorff(id));
    looser += hasty->hausdorff(id) > exact->hausdorff(id) + tolerance;
  }
  EXPECT_GT(looser, 5u);
}

TEST(SurfaceAreaBuilder, HearsACancellation) {
  BuildProgress progress;
  progress.cancelled = true;
  const auto tree = buildSphereTree(sah(), Polyhedron(test::cube(1.0)), {}, &progress);
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace nearmiss
