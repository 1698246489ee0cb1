// SPDX-License-Identifier: MIT
/// Balls anchored at the surface: empty of points, touching each, and the trees merged of them.
#include <gtest/gtest.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/rivals/tree_builders.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "rivals/anchored.h"
#include "spheres/winding_field.h"
#include "support/certified.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// As the paper tells it: a big ball is shrunk until it bounds none of the points.
Sphere shrunk(const Vec3& anchor, const Vec3& normal, std::vector<Vec3> points, Real most) {
  Sphere ball{anchor - most * normal, most};
  bool stopped = false;
  for (bool again = true; again;) {
    again = false;
    for (const Vec3& p : points) {
      if (glm::distance(p, anchor) < 1e-6) continue;
      if (glm::distance(p, ball.centre) >= ball.radius * (1.0 - 1e-12)) continue;
      // Through the anchor and p, with its centre on the normal: by halving
      Real low = 0.0, high = ball.radius;
      for (int i = 0; i < 200; ++i) {
        const Real middle = 0.5 * (low + high);
        const Vec3 centre = anchor - middle * normal;
        (glm::distance(p, centre) < middle ? high : low) = middle;
      }
      ball = {anchor - low * normal, low};
      again = stopped = true;
    }
  }
  return stopped ? ball : Sphere{anchor, 0.0};
}

TEST(AnchoredBalls, AreShrunkUntilTheyHoldNoPoint) {
  Random random(5);
  int shrunkOnes = 0, free = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<Vec3> points;
    const std::size_t count = 1 + random.bits() % 20;
    for (std::size_t i = 0; i < count; ++i) points.push_back(random.inCube(1.0));
    const Vec3 normal = random.direction();
    points.push_back(points[0] + 1e-12 * random.inCube(1.0));
    const Sphere ball = anchoredBall(points[0], normal, points, 2.0);
    const Sphere expected = shrunk(points[0], normal, points, 2.0);
    EXPECT_NEAR(ball.radius, expected.radius, 1e-9);
    EXPECT_NEAR(glm::distance(ball.centre, expected.centre), 0.0, 1e-9);
    (ball.radius > 0.0 ? shrunkOnes : free) += 1;
  }
  EXPECT_GT(shrunkOnes, 100);
  EXPECT_GT(free, 20);
}

class EveryAnchoredMesh : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::allMeshes()[GetParam()]};
};

/// No point strictly inside, each point a forming point, no ball's anchor on an earlier ball; the
/// same for any number of workers.
TEST_P(EveryAnchoredMesh, HasBallsThatTouchEveryPointAndHoldNone) {
  constexpr std::size_t count = 300;
  const MedialAxis axis = anchoredBalls(polyhedron_, count, 1, nullptr);
  ASSERT_EQ(axis.points.size(), count);
  const WindingField winding(polyhedron_.mesh());
  const Real spacing = evenSpacing(polyhedron_.mesh(), count);
  std::vector<bool> formed(count, false);
  for (std::size_t s = 0; s < axis.spheres.size(); ++s) {
    const MedialSphere& sphere = axis.spheres[s];
    EXPECT_EQ(sphere.ball.radius > 0.0, s < axis.innerSpheres);
    EXPECT_TRUE(std::ranges::is_sorted(sphere.points));
    if (sphere.ball.radius > 0.0) {
      EXPECT_TRUE(winding.inside(sphere.ball.centre));
    }
    for (std::uint32_t p = 0; p < count; ++p) {
      const Real gap = glm::distance(axis.points[p].position, sphere.ball.centre);
      EXPECT_GE(gap, sphere.ball.radius * (1.0 - 1e-9) - 1e-10 * polyhedron_.radius());
      const bool own = std::ranges::binary_search(sphere.points, p);
      formed[p] = formed[p] || own;
      if (own) {
        EXPECT_LE(gap, sphere.ball.radius + 0.1 * spacing + 1e-12);
      }
    }
    for (const std::uint32_t other : sphere.neighbours) {
      EXPECT_NE(other, s);
      EXPECT_TRUE(std::ranges::binary_search(axis.spheres[other].neighbours, s));
    }
  }
  EXPECT_EQ(std::ranges::count(formed, true), static_cast<std::ptrdiff_t>(count));

  const MedialAxis again = anchoredBalls(polyhedron_, count, 3, nullptr);
  ASSERT_EQ(again.spheres.size(), axis.spheres.size());
  for (std::size_t s = 0; s < axis.spheres.size(); ++s) {
    EXPECT_EQ(again.spheres[s].ball.centre, axis.spheres[s].ball.centre);
    EXPECT_EQ(again.spheres[s].points, axis.spheres[s].points);
    EXPECT_EQ(again.spheres[s].neighbours, axis.spheres[s].neighbours);
  }
}

INSTANTIATE_TEST_SUITE_P(, EveryAnchoredMesh,
                         testing::Range<std::size_t>(0, test::allMeshes().size()));

/// Wherever the surface is a ball's, one ball is all; in a slab the balls are as thick as it is.
TEST(AnchoredBalls, FindTheBallsOfSimpleSolids) {
  const Polyhedron ball(test::sphere(30, 60));
  const MedialAxis one = anchoredBalls(ball, 400, 1, nullptr);
  EXPECT_GT(one.spheres[0].ball.radius, 0.95);
  EXPECT_LT(glm::length(one.spheres[0].ball.centre), 0.05);
  EXPECT_LE(one.spheres.size(), 100u);

  const Polyhedron slab(test::box(Vec3(-1.0, -1.0, -0.1), Vec3(1.0, 1.0, 0.1)));
  const MedialAxis many = anchoredBalls(slab, 2000, 1, nullptr);
  ASSERT_GT(many.innerSpheres, 100u);
  EXPECT_NEAR(many.spheres[0].ball.radius, 0.1, 0.01);
  EXPECT_NEAR(many.spheres[0].ball.centre.z, 0.0, 0.01);
}

TEST(AnchoredTree, FitsCloserThanTheOctree) {
  for (const TriangleMesh& mesh : {test::torus(40, 20), test::bedOfNails(), test::comb()}) {
    const Polyhedron polyhedron(mesh);
    const auto octree = levelReports(*buildOctreeSphereTree(polyhedron, {.levels = 2}));
    const auto tree =
        buildAnchoredSphereTree(polyhedron, {.levels = 2, .anchored = {.surfacePoints = 1000}});
    ASSERT_TRUE(tree) << tree.error().message;
    test::expectCertified(*tree, polyhedron);
    const auto reports = levelReports(*tree);
    ASSERT_EQ(reports.size(), octree.size());
    for (std::size_t level = 1; level < reports.size(); ++level)
      EXPECT_LT(reports[level].hausdorffMean, 0.9 * octree[level].hausdorffMean);
  }
}

}  // namespace
}  // namespace nearmiss
