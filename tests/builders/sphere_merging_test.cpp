// SPDX-License-Identifier: MIT
/// Merging spheres: bounding spheres, costs, the order of merging.
#include "builders/sphere_merging.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

#include "spheres/enclosing_ball.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/wavy_balls.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(RitterBall, HoldsAllPointsAndIsNearlyTheSmallest) {
  Random random(1);
  Real sum = 0.0, worst = 0.0;
  const int count = test::cases(500);
  for (int i = 0; i < count; ++i) {
    std::vector<Vec3> points;
    for (int k = random.whole(1, 40); k > 0; --k)
      points.push_back(random.chance(0.5) ? random.onLattice(2) : random.inCube(1.0));
    const Sphere ball = ritterBall(points);
    for (const Vec3& p : points) EXPECT_LE(glm::distance(p, ball.centre), ball.radius);
    const Real smallest = smallestEnclosingBall(points).radius;
    if (smallest == 0.0) continue;
    EXPECT_GE(ball.radius, smallest * (1.0 - 1e-9));
    worst = std::max(worst, ball.radius / smallest);
    sum += ball.radius / smallest;
  }
  RecordProperty("ratio_mean_per_mille", static_cast<int>(1000.0 * sum / count));
  RecordProperty("ratio_worst_per_mille", static_cast<int>(1000.0 * worst));
  EXPECT_LT(sum / count, 1.1);
  EXPECT_LT(worst, 1.35);
}

TEST(ExitDistance, IsWhereTheNormalLeavesTheSphere) {
  Random random(2);
  for (int i = 0; i < test::cases(2000); ++i) {
    const Sphere ball{random.inCube(2.0), random.between(0.1, 3.0)};
    const Vec3 p = ball.centre + random.direction() * (ball.radius * random.unit());
    const Vec3 normal = random.direction();
    const Real exit = exitDistance(ball, p, normal);
    EXPECT_GE(exit, 0.0);
    EXPECT_NEAR(glm::distance(p + exit * normal, ball.centre), ball.radius, 1e-9);
  }
}

TEST(ExitDistance, IsTheSumOrTheDifferenceOfTheFigure) {
  // The centre is 4 to the side of the point and 3 above or below the plane
  const Real root = std::sqrt(13.0 * 13.0 - 16.0);
  EXPECT_NEAR(exitDistance({{4, 0, 3}, 13}, {0, 0, 0}, {0, 0, 1}), root + 3, 1e-12);
  EXPECT_NEAR(exitDistance({{4, 0, -3}, 13}, {0, 0, 0}, {0, 0, 1}), root - 3, 1e-12);
  // Rounding may put a forming point a hair outside
  EXPECT_EQ(exitDistance({{1, 0, 0}, 1.0 - 1e-16}, {0, 0, 0}, {0, 0, 1}), 0.0);
}

/// By adjacency, and by whether costs are by area.
class Merging : public testing::TestWithParam<std::tuple<MedialAdjacency, bool>> {
 protected:
  MedialAdjacency adjacency_ = std::get<0>(GetParam());
  bool byArea_ = std::get<1>(GetParam());
};

TEST_P(Merging, TakesTheCheapestPairEveryTime) {
  const Polyhedron polyhedron(test::torus(12, 6));
  const MedialAxis axis = medialAxis(polyhedron, 60, adjacency_, nullptr);
  std::vector<std::uint32_t> all(axis.spheres.size());
  std::iota(all.begin(), all.end(), 0u);
  SphereMerging merging(axis, all, byArea_);
  int steps = 0;
  for (;;) {
    // The lowest numbers among equals come first here as well
    SphereMerging::Step best{0, 0, std::numeric_limits<Real>::infinity()};
    for (const auto& [a, b] : merging.pairs()) {
      const Real cost = merging.costOf(a, b);
      if (cost < best.cost) best = {a, b, cost};
    }
    SphereMerging::Step step{};
    if (!merging.mergeCheapest(&step)) {
      EXPECT_TRUE(merging.pairs().empty());
      break;
    }
    EXPECT_EQ(step.a, best.a);
    EXPECT_EQ(step.b, best.b);
    EXPECT_EQ(step.cost, best.cost);
    ++steps;
  }
  EXPECT_GT(steps, 100);
}

TEST_P(Merging, LosesNoSphereAndNoPoint) {
  for (const TriangleMesh& mesh : {test::cube(), test::bedOfNails(), test::soup(1, 60, 0.3)}) {
    const Polyhedron polyhedron(mesh);
    const MedialAxis axis = medialAxis(polyhedron, 200, adjacency_, nullptr);
    std::vector<std::uint32_t> all(axis.spheres.size());
    std::iota(all.begin(), all.end(), 0u);
    SphereMerging merging(axis, all, byArea_);
    while (merging.liveCount() > 8)
      if (!merging.mergeCheapest()) merging.widen();
    std::vector<std::uint32_t> spheres;
    std::vector<bool> covered(axis.points.size(), false);
    for (const SphereCluster& cluster : merging.live()) {
      spheres.insert(spheres.end(), cluster.spheres.begin(), cluster.spheres.end());
      for (const std::uint32_t s : cluster.spheres)
        for (const std::uint32_t p : axis.spheres[s].points)
          EXPECT_TRUE(std::binary_search(cluster.points.begin(), cluster.points.end(), p));
      for (const std::uint32_t p : cluster.points) {
        covered[p] = true;
        EXPECT_LE(glm::distance(axis.points[p].position, cluster.ball.centre),
                  cluster.ball.radius * (1.0 + 1e-12));
      }
    }
    std::sort(spheres.begin(), spheres.end());
    EXPECT_EQ(spheres, all);
    EXPECT_EQ(std::count(covered.begin(), covered.end(), false), 0);
  }
}

/// Where both sides count the radius is what a merger costs: exits at points of the rim are none.
TEST(MergingCosts, OfPointsAreRadii) {
  const Polyhedron polyhedron(test::openedAbove(test::wavyBall(2, 3), 0.3));
  const MedialAxis axis = pointAxis(polyhedron, 200, nullptr);
  std::vector<std::uint32_t> all(axis.spheres.size());
  std::iota(all.begin(), all.end(), 0u);
  SphereMerging merging(axis, all);
  int pairs = 0;
  for (const auto& [a, b] : merging.pairs()) {
    const Vec3 p = axis.points[axis.spheres[a].points[0]].position;
    const Vec3 q = axis.points[axis.spheres[b].points[0]].position;
    EXPECT_NEAR(merging.costOf(a, b), 0.5 * glm::distance(p, q), 1e-12);
    ++pairs;
  }
  EXPECT_GT(pairs, 300);
}

/// Costs that are put off are looked at before they decide, and what comes of it is about as good.
TEST_P(Merging, PutsCostsOffWithoutMuchLoss) {
  Real exactSum = 0.0, sum = 0.0;
  for (const TriangleMesh& mesh : {test::torus(12, 6), test::bedOfNails(), test::wavyBall(1, 3)}) {
    const Polyhedron polyhedron(mesh);
    const MedialAxis axis = medialAxis(polyhedron, 300, adjacency_, nullptr);
    std::vector<std::uint32_t> all(axis.spheres.size());
    std::iota(all.begin(), all.end(), 0u);
    const auto merge = [&](SphereMerging& merging) {
      Real greatest = 0.0;
      while (merging.liveCount() > 8) {
        SphereMerging::Step step{};
        if (!merging.mergeCheapest(&step)) {
          merging.widen();
          continue;
        }
        greatest = std::max(greatest, step.cost);
      }
      return greatest / polyhedron.radius();
    };
    SphereMerging exact(axis, all, byArea_), putOff(axis, all, byArea_, 0);
    exactSum += merge(exact);
    sum += merge(putOff);
    EXPECT_LT(putOff.visits(), exact.visits());
  }
  EXPECT_LT(sum, 1.15 * exactSum);
}

/// All spheres of a ball's axis are each other's neighbours: by exact costs its time would grow
/// with the cube of their number.
TEST(MergingCosts, OfABallAreFoundFromFewPoints) {
  const Polyhedron polyhedron(test::ball(16, 16, [](int, int) { return 1.0; }));
  const MedialAxis axis = medialAxis(polyhedron, 300, MedialAdjacency::SameFace, nullptr);
  std::vector<std::uint32_t> all(axis.spheres.size());
  std::iota(all.begin(), all.end(), 0u);
  const auto visits = [&](std::uint64_t exactVisits) {
    SphereMerging merging(axis, all, false, exactVisits);
    SphereMerging::Step step{};
    while (merging.liveCount() > 8) {
      if (merging.mergeCheapest(&step)) continue;
      merging.widen();
    }
    return merging.visits();
  };
  EXPECT_LT(visits(0) * 5, visits(~std::uint64_t{0}));
}

/// Points that repeat others have no cells, and no neighbours.
TEST(MergingCosts, OfManyPointsWithoutTiesAreFew) {
  MedialAxis axis;
  axis.bothSides = true;
  constexpr std::uint32_t count = 3000;
  for (std::uint32_t i = 0; i < count; ++i) {
    SurfaceSample point{};
    point.position = Vec3(1e-12 * i, 0.0, 0.0);
    axis.points.push_back(point);
    axis.normals.push_back(Vec3(1.0, 0.0, 0.0));
    MedialSphere& sphere = axis.spheres.emplace_back();
    sphere.ball = {point.position, 0.0};
    sphere.points.push_back(i);
  }
  std::vector<std::uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  SphereMerging merging(axis, all);
  EXPECT_FALSE(merging.mergeCheapest());
  merging.widen();
  EXPECT_EQ(merging.pairs().size(), count - 1);
  while (merging.liveCount() > 1) ASSERT_TRUE(merging.mergeCheapest());
  EXPECT_EQ(merging.live()[0].points.size(), count);

  // Few are all compared
  SphereMerging few(axis, std::span(all).first(1000));
  few.widen();
  EXPECT_EQ(few.pairs().size(), 1000u * 999u / 2u);

  // Once cancelled, nothing is
  const std::atomic<bool> cancelled = true;
  SphereMerging none(axis, all, false, SphereMerging::usualExactVisits, &cancelled);
  none.widen();
  EXPECT_EQ(none.visits(), 0u);
  EXPECT_FALSE(none.mergeCheapest());
}

INSTANTIATE_TEST_SUITE_P(, Merging,
                         testing::Combine(testing::Values(MedialAdjacency::SameFace,
                                                          MedialAdjacency::SharedEdge),
                                          testing::Bool()));

}  // namespace
}  // namespace nearmiss
