// SPDX-License-Identifier: MIT
/// Medial sphere trees: what they cover in either mode, and how close they fit.
#include <gtest/gtest.h>
#include <nearmiss/advanced/narrow_phase.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>
#include <nearmiss/shape.h>

#include <array>
#include <string>
#include <vector>

#include "support/borrowed.h"
#include "support/campaign.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/narrow.h"
#include "support/random.h"
#include "support/triangle_points.h"
#include "support/wavy_balls.h"
#include "support/whole_levels.h"

namespace nearmiss {
namespace {

using test::Random;

constexpr SphereTreeSettings quick{.levels = 2, .medial = {.surfacePoints = 150}};

SphereTreeSettings inPaperMode(SphereTreeSettings settings) {
  settings.medial.coverage = Coverage::Paper;
  return settings;
}

class EveryMedialMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(EveryMedialMesh, IsCoveredByACertifiedTreeWithFewerNeighbours) {
  SphereTreeSettings settings = quick;
  settings.medial.adjacency = MedialAdjacency::SharedEdge;
  const auto tree = buildMedialSphereTree(polyhedron_, settings);
  ASSERT_TRUE(tree) << tree.error().message;
  test::expectCertified(*tree, polyhedron_);
}

TEST_P(EveryMedialMesh, IsCoveredByACertifiedTreeByTheSafestPolicy) {
  SphereTreeSettings settings = quick;
  settings.medial.guarantee = CoverageGuarantee::Safest;
  const auto tree = buildMedialSphereTree(polyhedron_, settings);
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->coverage(), Coverage::Guaranteed);
  test::expectCertified(*tree, polyhedron_);
}

TEST_P(EveryMedialMesh, IsCoveredByEveryLevelAsAWholeInPaperMode) {
  const auto tree = buildMedialSphereTree(polyhedron_, inPaperMode(quick));
  ASSERT_TRUE(tree) << tree.error().message;
  EXPECT_EQ(tree->coverage(), Coverage::Paper);
  EXPECT_TRUE(checkSphereTree(*tree, polyhedron_).bounds);
  Random random(1);
  const auto levels = test::wholeLevels(*tree);
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (int i = 0; i < 400; ++i) {
      const auto& mesh = polyhedron_.mesh();
      const std::size_t t = random.bits() % mesh.triangles.size();
      const Vec3 p = test::pointOn(random, mesh.corners(t));
      Real gap = 1e9;
      for (const Sphere& s : levels[level])
        gap = std::min(gap, glm::distance(p, s.centre) - s.radius);
      EXPECT_LE(gap, 1e-15 * glm::length(p)) << "level " << level;
    }
}

INSTANTIATE_TEST_SUITE_P(, EveryMedialMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

/// Both sides of an open surface are outside: no sphere fills what it bends around.
TEST(Medial, FitsOpenSurfacesCloserThanTheOctree) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const Polyhedron polyhedron(test::openedAbove(test::wavyBall(seed, 4), 0.2));
    const SphereTreeSettings settings{.levels = 2, .medial = {.surfacePoints = 1000}};
    const SphereTree tree = *buildMedialSphereTree(polyhedron, settings);
    test::expectCertified(tree, polyhedron);
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, settings));
    const auto reports = levelReports(tree);
    for (std::size_t level = 1; level <= 2; ++level) {
      EXPECT_LT(reports[level].hausdorffMean, 0.8 * octree[level].hausdorffMean) << seed;
      EXPECT_LT(reports[level].hausdorffMax, 0.8 * octree[level].hausdorffMax) << seed;
    }
  }
}

/// By the largest H spheres keep to the surface of a thick solid; else they lie deep inside it, and
/// stick out less.
TEST(Medial, KeepsToTheSurfaceByTheLargestDistance) {
  for (int lobes = 3; lobes <= (test::inCampaign() ? 4 : 3); ++lobes) {
    const Polyhedron polyhedron(test::ballWithLobes(0.1, lobes));
    const auto levelOf = [&](SphereObjective objective) {
      const auto tree = buildMedialSphereTree(
          polyhedron, {.levels = 2, .medial = {.objective = objective, .surfacePoints = 800}});
      test::expectCertified(*tree, polyhedron);
      return measureLevels(*tree, polyhedron,
                           {.tolerance = 0.05, .surfaceSamples = 0, .volumeSamples = 0})[2];
    };
    const Real octree =
        levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 2}))[2].hausdorffMax;
    const SphereLevelMeasure largest = levelOf(SphereObjective::Largest);
    const SphereLevelMeasure exposed = levelOf(SphereObjective::Exposed);
    EXPECT_LT(largest.surfaceMax, octree) << lobes;
    EXPECT_GT(exposed.surfaceMax, octree) << lobes;
    EXPECT_LT(exposed.outsideMean, largest.outsideMean) << lobes;
  }
}

TEST(Medial, FitsCloserThanTheOctree) {
  for (const TriangleMesh& mesh : {test::torus(), test::bedOfNails(), test::comb()}) {
    const Polyhedron polyhedron(mesh);
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 2}));
    SphereTreeSettings settings{.levels = 2, .medial = {.surfacePoints = 500}};
    for (const Coverage coverage : {Coverage::Guaranteed, Coverage::Paper}) {
      settings.medial.coverage = coverage;
      const auto reports = levelReports(*buildMedialSphereTree(polyhedron, settings));
      ASSERT_EQ(reports.size(), octree.size());
      for (std::size_t level = 1; level < reports.size(); ++level) {
        EXPECT_LE(reports[level].spheres, level == 1 ? 8u : 64u);
        EXPECT_LT(reports[level].hausdorffMean, 0.8 * octree[level].hausdorffMean);
        // Merging the cheapest pairs guarantees nothing for the largest H. Eight balls around a bed
        // of nails are as far off as octants; where there are enough of them none is
        if (level > 1) {
          EXPECT_LT(reports[level].hausdorffMax, octree[level].hausdorffMax);
        }
      }
    }
  }
}

TEST(Medial, IsInTheCatalogueAndItsSettingsCount) {
  const SphereTreeBuilderEntry* entry = findSphereTreeBuilder("medial");
  ASSERT_NE(entry, nullptr);
  SphereTreeSettings other = quick;
  other.medial.adjacency = MedialAdjacency::SharedEdge;
  EXPECT_NE(hashOf("medial", quick), hashOf("medial", other));
  other = quick;
  other.medial.surfacePoints = 151;
  EXPECT_NE(hashOf("medial", quick), hashOf("medial", other));
  other = quick;
  other.medial.guarantee = CoverageGuarantee::Safest;
  EXPECT_NE(hashOf("medial", quick), hashOf("medial", other));
}

TEST(Medial, StopsWhereTheBoundIsReached) {
  const Polyhedron polyhedron(test::torus());
  SphereTreeSettings settings{.levels = 3, .medial = {.errorBound = 0.3, .surfacePoints = 800}};
  const SphereTree tree = *buildMedialSphereTree(polyhedron, settings);
  EXPECT_TRUE(checkSphereTree(tree, polyhedron).covers);
  std::vector<SphereId> ids;
  int leaves = 0, inner = 0;
  for (int level = 0; level < tree.levelCount(); ++level) {
    tree.spheresOf(level, ids);
    for (const SphereId id : ids) {
      const bool leaf = tree.childPackCount(id) == 0;
      ++(leaf ? leaves : inner);
      if (leaf) {
        EXPECT_LE(tree.hausdorff(id), 1.1 * settings.medial.errorBound) << level;
      } else {
        EXPECT_GT(tree.hausdorff(id), settings.medial.errorBound) << level;
      }
    }
  }
  EXPECT_GE(inner, 1);
  EXPECT_LT(leaves, 30);
  // Inside of the solid it may stray as far as it likes for this objective
  settings.medial.errorBound = 0.1;
  settings.medial.objective = SphereObjective::Outside;
  const SphereTree outside = *buildMedialSphereTree(polyhedron, settings);
  const auto measures =
      measureLevels(outside, polyhedron, {.surfaceSamples = 0, .volumeSamples = 0});
  EXPECT_LE(measures.back().outsideMax, 0.11);
  EXPECT_GT(measures.back().ballMax, 0.2);
  EXPECT_LT(measures.back().spheres, 200u);
}

/// Hw is less for the objective that minimises it.
TEST(Medial, MakesItsObjectiveSmall) {
  const auto weighted = [](const Polyhedron& polyhedron, SphereObjective objective) {
    const SphereTreeSettings settings{.levels = 2,
                                      .hausdorffTolerance = 1.0,
                                      .medial = {.objective = objective, .surfacePoints = 400}};
    const SphereTree tree = *buildMedialSphereTree(polyhedron, settings);
    return measureLevels(tree, polyhedron,
                         {.tolerance = 0.05, .surfaceSamples = 5000, .volumeSamples = 0})[2]
        .areaWeighted;
  };
  Real byArea = 0.0, byLargest = 0.0;
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    byArea += weighted(polyhedron, SphereObjective::AreaWeighted);
    byLargest += weighted(polyhedron, SphereObjective::Largest);
  }
  EXPECT_LT(byArea, byLargest);
}

/// Verdicts of trees against those of brute force, over random pairs.
test::Comparison compareWithBruteForce(const SphereTreeSettings& settings, int count) {
  std::vector<Polyhedron> shapes;
  std::vector<SphereTree> trees;
  for (TriangleMesh& mesh : test::variousMeshes()) {
    shapes.emplace_back(std::move(mesh));
    trees.push_back(*buildMedialSphereTree(shapes.back(), settings));
  }
  const std::array tried{makeSphereTreeNarrowPhase(test::borrowed(shapes, trees))};
  const auto reference = makeBruteForceNarrowPhase(test::borrowed(shapes));
  Random random(11);
  return test::compared(tried, *reference, count,
                        [&](int) { return test::randomNearMissPair(random, shapes); });
}

TEST(Medial, FindsWhatBruteForceFinds) {
  const int count = test::cases(300);
  for (const CoverageGuarantee guarantee :
       {CoverageGuarantee::Partition, CoverageGuarantee::Safest}) {
    SphereTreeSettings settings = quick;
    settings.medial.guarantee = guarantee;
    const test::Comparison found = compareWithBruteForce(settings, count);
    EXPECT_EQ(found.missed, 0);
    EXPECT_EQ(found.invented, 0);
    EXPECT_GT(found.contacts, count / 10);
    EXPECT_LT(found.contacts, count - count / 10);
  }
}

TEST(Medial, InPaperModeInventsNothingAndSaysHowMuchItMisses) {
  const int count = test::cases(300);
  const test::Comparison found = compareWithBruteForce(inPaperMode(quick), count);
  EXPECT_EQ(found.invented, 0);
  RecordProperty("meeting", found.contacts);
  RecordProperty("missed", found.missed);
  EXPECT_LT(found.missed, found.contacts / 4);
}

/// In the plane of a needle the boundary lemma proves nothing, however large the spheres.
TEST(Medial, EndsWhereANeedleLeavesADoubt) {
  TriangleMesh mesh = test::cube(1.0);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3& p : {Vec3(3, 0, 0), Vec3(4 + 0x1p-30, 1, 0), Vec3(4, 1 - 0x1p-30, 0)})
    mesh.positions.push_back(p);
  mesh.triangles.push_back({first, first + 1, first + 2});
  const Polyhedron polyhedron(std::move(mesh));
  for (const Coverage coverage : {Coverage::Paper, Coverage::Guaranteed}) {
    SphereTreeSettings settings{.levels = 1};
    settings.medial.coverage = coverage;
    settings.medial.guarantee = CoverageGuarantee::Safest;
    settings.medial.surfacePoints = 100;
    EXPECT_TRUE(buildMedialSphereTree(polyhedron, settings));
  }
}

TEST(Medial, RefusesTooManyPoints) {
  const auto tree =
      buildMedialSphereTree(Polyhedron(test::cube()), {.medial = {.surfacePoints = 2000000}});
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace nearmiss
