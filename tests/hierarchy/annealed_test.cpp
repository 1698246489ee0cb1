// SPDX-License-Identifier: MIT
/// Annealed spheres: never worse than the octree's, most of them much better, and what they hold.
#include <gtest/gtest.h>
#include <nearmiss/sphere_tree_builder.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "hierarchy/clipped_triangle.h"
#include "hierarchy/sphere_annealing.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/same_tree.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(ClippedTriangle, HasExactlyWhatTheTriangleHasInTheBox) {
  Random random(1);
  int met = 0, apart = 0, corners = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    // Of all sizes, flat and on a lattice now and then, so that corners lie on planes
    const bool lattice = i % 3 == 0;
    Triangle triangle;
    const Real size = random.chance(0.5) ? 3.0 : 0.5;
    for (Vec3& p : triangle) {
      p = size * random.inCube(1.0);
      if (lattice) p = glm::round(p);
    }
    const Vec3 low = lattice ? Vec3(-1.0) : random.inCube(1.0);
    const Box box{low, low + 1.0};
    std::vector<Vec3> polygon;
    appendClipped(triangle, box, polygon);
    for (const Vec3& p : polygon)
      for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(p[axis], box.low[axis]);
        EXPECT_LE(p[axis], box.high[axis]);
      }
    bool any = false;
    for (int k = 0; k < 40; ++k) {
      const Real u = random.unit(), v = (1.0 - u) * random.unit();
      const Vec3 p =
          triangle[0] + u * (triangle[1] - triangle[0]) + v * (triangle[2] - triangle[0]);
      if (!box.contains(p)) continue;
      any = true;
      // No direction leads farther than the corners do
      for (int d = 0; d < 20; ++d) {
        const Vec3 direction = random.direction();
        Real most = -std::numeric_limits<Real>::infinity();
        for (const Vec3& corner : polygon) most = std::max(most, glm::dot(corner, direction));
        ASSERT_LE(glm::dot(p, direction), most + 1e-12) << i;
      }
    }
    met += any;
    apart += polygon.empty();
    corners = std::max(corners, static_cast<int>(polygon.size()));
  }
  EXPECT_GT(met, test::cases(3000) / 10);
  EXPECT_GT(apart, test::cases(3000) / 10);
  EXPECT_GE(corners, 7);
}

class EveryAnnealedMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

TEST_P(EveryAnnealedMesh, HasNoSphereWorseThanTheOctrees) {
  const SphereTreeSettings settings{.levels = 3};
  const SphereTree octree = *buildOctreeSphereTree(polyhedron_, settings);
  const SphereTree annealed = *buildAnnealedSphereTree(polyhedron_, settings);
  ASSERT_EQ(octree.data().packs.size(), annealed.data().packs.size());
  EXPECT_EQ(octree.data().leafTriangles, annealed.data().leafTriangles);
  std::vector<SphereId> ids;
  for (int level = 0; level < octree.levelCount(); ++level) {
    octree.spheresOf(level, ids);
    for (const SphereId id : ids) ASSERT_LE(annealed.hausdorff(id), octree.hausdorff(id)) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryAnnealedMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

TEST(Annealed, FitsMuchCloserThanTheOctree) {
  for (const TriangleMesh& mesh : {test::torus(40, 20), test::bedOfNails(), test::spikyStar(3)}) {
    const Polyhedron polyhedron(mesh);
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 3}));
    const auto annealed = levelReports(*buildAnnealedSphereTree(polyhedron, {.levels = 3}));
    for (std::size_t level = 1; level < octree.size(); ++level) {
      EXPECT_LT(annealed[level].hausdorffMean, 0.75 * octree[level].hausdorffMean) << level;
      EXPECT_LT(annealed[level].hausdorffMax, 0.9 * octree[level].hausdorffMax) << level;
    }
  }
}

TEST(Annealed, IsTheOctreeWithoutSteps) {
  const Polyhedron polyhedron(test::torus());
  const SphereTreeSettings settings{.levels = 2, .annealing = {.steps = 0}};
  EXPECT_TRUE(test::same(buildOctreeSphereTree(polyhedron, settings)->data(),
                         buildAnnealedSphereTree(polyhedron, settings)->data()));
}

TEST(Annealed, FitsCloserTheLongerItCools) {
  const Polyhedron polyhedron(test::spikyStar(3));
  const auto levelTwo = [&](int steps) {
    return levelReports(
        *buildAnnealedSphereTree(polyhedron, {.levels = 2, .annealing = {.steps = steps}}))[2];
  };
  const SphereLevelReport none = levelTwo(0), few = levelTwo(10), many = levelTwo(300);
  EXPECT_LT(few.hausdorffMean, none.hausdorffMean);
  EXPECT_LT(many.hausdorffMean, 0.9 * few.hausdorffMean);
  EXPECT_LT(many.hausdorffMax, none.hausdorffMax);
}

TEST(Annealed, DependsOnItsSeedAlone) {
  const Polyhedron polyhedron(test::comb());
  SphereTreeSettings settings{.levels = 2};
  const SphereTree first = *buildAnnealedSphereTree(polyhedron, settings);
  EXPECT_TRUE(test::same(first.data(), buildAnnealedSphereTree(polyhedron, settings)->data()));
  settings.annealing.seed = 2;
  EXPECT_FALSE(test::same(first.data(), buildAnnealedSphereTree(polyhedron, settings)->data()));
}

TEST(Annealed, TellsSchedulesApartAndRefusesImpossibleOnes) {
  const Polyhedron polyhedron(test::cube());
  const std::uint64_t usual = hashOf("annealed", SphereTreeSettings{});
  for (const AnnealingSchedule& schedule :
       {AnnealingSchedule{.seed = 2}, AnnealingSchedule{.steps = 301},
        AnnealingSchedule{.heat = 0.2}, AnnealingSchedule{.cooled = 0.02}})
    EXPECT_NE(hashOf("annealed", {.annealing = schedule}), usual);
  for (const AnnealingSchedule& schedule :
       {AnnealingSchedule{.steps = -1}, AnnealingSchedule{.steps = 2000000},
        AnnealingSchedule{.heat = -0.1}, AnnealingSchedule{.heat = 1.5},
        AnnealingSchedule{.heat = std::numeric_limits<Real>::quiet_NaN()},
        AnnealingSchedule{.cooled = 0.0}, AnnealingSchedule{.cooled = 2.0}}) {
    const auto tree = buildAnnealedSphereTree(polyhedron, {.annealing = schedule});
    ASSERT_FALSE(tree);
    EXPECT_EQ(tree.error().code, ErrorCode::Unsupported);
  }
}

/// What is annealed holds its points from the first move to the last, at any temperature.
TEST(Annealed, HoldsWhatItMust) {
  const Polyhedron polyhedron(test::bedOfNails());
  const DistanceField field(polyhedron.mesh());
  const InaccuracyProbe probe(field);
  Random random(5);
  for (int i = 0; i < test::cases(60); ++i) {
    std::vector<Vec3> held;
    for (int k = random.whole(1, 30); k > 0; --k) held.push_back(random.inCube(0.5));
    const AnnealingSchedule schedule{.steps = random.whole(1, 200), .heat = random.unit()};
    SphereAnnealing annealing(probe, schedule);
    const Sphere start{Vec3(0.0), 2.0};
    const Sphere best = annealing.anneal(start, held, static_cast<std::uint64_t>(i));
    for (const Vec3& p : held) ASSERT_LE(glm::distance(p, best.centre), best.radius);
    ProbeMemory before, after;
    EXPECT_LE(probe.explore(best, after), 1.1 * probe.explore(start, before));
  }
}

}  // namespace
}  // namespace nearmiss
