// SPDX-License-Identifier: MIT
/// Variational sphere trees: that they cover whatever they are given, and cover it closely.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/shape.h>

#include <numeric>
#include <span>
#include <vector>

#include "spheres/enclosing_ball.h"
#include "spheres/surface_samples.h"
#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/random.h"
#include "support/same_tree.h"
#include "support/wavy_balls.h"

namespace nearmiss {
namespace {

using test::Random;

class VariationalTreeOfEveryMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(VariationalTreeOfEveryMesh, IsCoveredForEveryObjectiveBranchingAndBound) {
  for (const SphereTreeSettings& settings :
       {SphereTreeSettings{.levels = 1, .variational = {.objective = SphereObjective::Largest}},
        SphereTreeSettings{.levels = 1,
        .variational = {.branching = 4, .objective = SphereObjective::Outside}},
        SphereTreeSettings{.levels = 1,
        .variational = {.branching = 3, .objective = SphereObjective::AreaWeighted}},
        SphereTreeSettings{.levels = 2, .variational = {.branching = 3}},
        SphereTreeSettings{.levels = 1,
        .variational = {.branching = 4, .errorBound = 0.5 * polyhedron_.radius()}}}) {
    const auto tree = buildVariationalSphereTree(polyhedron_, settings);
    ASSERT_TRUE(tree) << tree.error().message;
    test::expectCertified(*tree, polyhedron_);
  }
}

INSTANTIATE_TEST_SUITE_P(, VariationalTreeOfEveryMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

TEST(Variational, FitsCloserThanTheOctree) {
  for (const TriangleMesh& mesh : {test::torus(40, 20), test::bedOfNails(), test::comb()}) {
    const Polyhedron polyhedron(mesh);
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 2}));
    const auto reports = levelReports(*buildVariationalSphereTree(polyhedron, {.levels = 2}));
    ASSERT_EQ(reports.size(), octree.size());
    for (std::size_t level = 1; level < reports.size(); ++level) {
      EXPECT_LT(reports[level].hausdorffMean, 0.7 * octree[level].hausdorffMean);
      EXPECT_LT(reports[level].hausdorffMax, 1.1 * octree[level].hausdorffMax);
    }
  }
}

/// What lies deep inside of a solid says nothing of bounds: its spheres are those that stick out of
/// it little.
TEST(Variational, FitsThickSolidsFromOutside) {
  for (int lobes = 3; lobes <= 4; ++lobes) {
    const Polyhedron polyhedron(test::wavyBall(static_cast<std::uint64_t>(lobes), lobes));
    const auto levelsOf = [&](const Result<SphereTree>& tree) {
      return measureLevels(*tree, polyhedron,
                           {.tolerance = 0.05, .surfaceSamples = 0, .volumeSamples = 0});
    };
    const SphereLevelMeasure octree = levelsOf(buildOctreeSphereTree(polyhedron, {.levels = 2}))[2];
    const SphereLevelMeasure fitted =
        levelsOf(buildVariationalSphereTree(polyhedron, {.levels = 2}))[2];
    EXPECT_LT(fitted.outsideMean, 0.21 * octree.outsideMean) << lobes;
    EXPECT_LT(fitted.outsideMax, 0.25 * octree.outsideMax) << lobes;
  }
}

/// Without an inside nothing hides a distance: the greatest H decides.
TEST(Variational, FitsOpenSurfacesByTheGreatestDistance) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const Polyhedron polyhedron(test::openedAbove(test::wavyBall(seed, 4), 0.2));
    ASSERT_FALSE(polyhedron.report().solid());
    const auto built = [&](SphereObjective objective) {
      return *buildVariationalSphereTree(polyhedron,
                                         {.levels = 3, .variational = {.objective = objective}});
    };
    const SphereTree tree = built(SphereObjective::Exposed);
    EXPECT_TRUE(test::same(tree.data(), built(SphereObjective::Largest).data())) << seed;
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 3}));
    EXPECT_LT(levelReports(tree)[3].hausdorffMax, 0.5 * octree[3].hausdorffMax) << seed;
  }
}

/// Hw is less for the objective that minimises it, by clearly more than trees differ by chance.
class MeanOverTheArea : public testing::TestWithParam<decltype(&buildSphereDag)> {};

TEST_P(MeanOverTheArea, IsSmallerForItsObjective) {
  Real byArea = 0.0, byLargest = 0.0;
  for (const TriangleMesh& mesh :
       {test::torus(12, 6), test::comb(), test::bedOfNails(5), test::spikyStar(1, 7, 9)}) {
    const Polyhedron polyhedron(mesh);
    const auto level = [&](SphereObjective objective) {
      // What is measured is the surface itself, whatever the tree knows of it
      const SphereTreeSettings settings{
          .levels = 2,
          .hausdorffTolerance = 1.0,
          .variational = {.objective = objective, .seeds = SphereSeeds::FarthestPoints},
          .dag = {.objective = objective, .seeds = SphereSeeds::FarthestPoints}};
      const auto tree = GetParam()(polyhedron, settings, nullptr);
      return measureLevels(*tree, polyhedron,
                           {.tolerance = 0.05, .surfaceSamples = 5000, .volumeSamples = 0})[2];
    };
    const SphereLevelMeasure area = level(SphereObjective::AreaWeighted);
    const SphereLevelMeasure largest = level(SphereObjective::Largest);
    EXPECT_EQ(area.uncovered, 0.0);
    EXPECT_LE(area.spheres, largest.spheres);
    byArea += area.areaWeighted / polyhedron.radius();
    byLargest += largest.areaWeighted / polyhedron.radius();
  }
  // Of levels without outliers the mean is nearly the least already
  EXPECT_LT(byArea, 0.98 * byLargest);
}

INSTANTIATE_TEST_SUITE_P(, MeanOverTheArea,
                         testing::Values(buildVariationalSphereTree, buildSphereDag),
                         [](const auto& builder) {
                           return builder.index == 0 ? "variational" : "dag";
                         });

/// A large plain part and many small ones: their share of the spheres is as small as they are.
TEST(Variational, SharesSpheresOutWhereTheyAreNeeded) {
  TriangleMesh mesh = test::torus();
  for (int i = 0; i < 4; ++i) test::append(mesh, test::cube(0.01), Vec3(2.0 + 0.1 * i, 0.0, 0.0));
  const Polyhedron polyhedron(mesh);
  const auto built = [&](bool adaptive) {
    return *buildVariationalSphereTree(
        polyhedron, {.levels = 3,
                     .variational = {.adaptive = adaptive, .objective = SphereObjective::Largest}});
  };
  const SphereTree plain = built(false);
  const SphereTree shared = built(true);
  for (const SphereTree* tree : {&plain, &shared}) {
    EXPECT_FALSE(tree->isDag());
    test::expectCertified(*tree, polyhedron);
    std::vector<SphereId> ids;
    for (int level = 0, most = 1; level < tree->levelCount(); ++level, most *= 8) {
      tree->spheresOf(level, ids);
      EXPECT_LE(ids.size(), static_cast<std::size_t>(most));
    }
  }
  const auto packsOf = [](const SphereTree& tree) {
    std::uint32_t most = 0;
    for (SphereId id = 0; id < tree.data().packs.size() * SpherePack::width; ++id)
      most = std::max(most, tree.childPackCount(id));
    return most;
  };
  EXPECT_EQ(packsOf(plain), 1u);
  EXPECT_GT(packsOf(shared), 1u);
  EXPECT_LE(packsOf(shared), 4u);
  EXPECT_LT(levelReports(shared)[3].hausdorffMax, 0.9 * levelReports(plain)[3].hausdorffMax);
}

TEST(Variational, StopsWhereTheBoundIsReached) {
  const Polyhedron polyhedron(test::torus());
  const SphereTreeSettings settings{.levels = 5, .variational = {.errorBound = 0.2}};
  const SphereTree tree = *buildVariationalSphereTree(polyhedron, settings);
  std::size_t leaves = 0;
  std::vector<SphereId> ids;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    for (const SphereId id : ids)
      if (!tree.trianglesOf(id).empty()) {
        ++leaves;
        EXPECT_LE(tree.hausdorff(id), 1.2 * settings.variational.errorBound);
      }
  }
  EXPECT_GT(leaves, 10u);
  EXPECT_LT(leaves, 400u);
  EXPECT_LT(tree.levelCount(), 6);
}

TEST(Variational, FindsWhatBruteForceFinds) {
  std::vector<Polyhedron> shapes;
  std::vector<SphereTree> trees;
  for (TriangleMesh& mesh : test::variousMeshes()) {
    shapes.emplace_back(std::move(mesh));
    trees.push_back(
        *buildVariationalSphereTree(shapes.back(), {.levels = 2, .variational = {.branching = 5}}));
  }
  const auto quick = makeSphereTreeNarrowPhase(test::borrowed(shapes, trees));
  const auto plain = makeBruteForceNarrowPhase(test::borrowed(shapes));
  Random random(11);
  test::expectAgreement(
      test::cases(300), 0.1, 0.9, [&] { return test::randomNearMissPair(random, shapes); }, *quick,
      *plain);
}

TEST(EnclosingBall, IsTheSmallest) {
  Random random(3);
  for (int i = 0; i < test::cases(200); ++i) {
    std::vector<Vec3> points;
    const int count = random.whole(1, 40);
    const bool lattice = random.chance(0.5), flat = random.chance(0.3);
    for (int k = 0; k < count; ++k) {
      Vec3 p = lattice ? random.onLattice(2) : random.inCube(1.0);
      if (flat) p.z = 0.0;
      points.push_back(p + Vec3(5.0, 0.0, 0.0));
    }
    const Sphere ball = smallestEnclosingBall(points);
    for (const Vec3& p : points) EXPECT_LE(glm::distance(p, ball.centre), ball.radius);
    // Smallest: moving the centre anywhere makes some point farther
    for (int k = 0; k < 40; ++k) {
      const Vec3 other = ball.centre + random.direction() * (0.3 * random.unit());
      Real reach = 0.0;
      for (const Vec3& p : points) reach = std::max(reach, glm::distance(p, other));
      EXPECT_GE(reach, ball.radius * (1.0 - 1e-7));
    }
  }
}

TEST(SurfacePieces, KeepTheAreaAndSampleItEvenly) {
  const TriangleMesh mesh = test::bedOfNails();
  std::vector<SurfacePiece> pieces = surfacePieces(mesh);
  const auto areaOfAll = [&] {
    return std::accumulate(pieces.begin(), pieces.end(), 0.0,
                           [](Real sum, const SurfacePiece& p) { return sum + areaOf(p); });
  };
  const Real area = areaOfAll();
  cutEvenly(pieces, 3000);
  EXPECT_NEAR(areaOfAll(), area, 1e-9 * area);
  EXPECT_GT(pieces.size(), 1500u);
  EXPECT_LE(pieces.size(), mesh.triangles.size() + 3000);
  const std::vector<std::uint32_t> sample = evenSample(pieces, 200);
  EXPECT_GT(sample.size(), 150u);
  EXPECT_LE(sample.size(), 201u);
  for (std::size_t i = 1; i < sample.size(); ++i) EXPECT_LT(sample[i - 1], sample[i]);
}

}  // namespace
}  // namespace nearmiss
