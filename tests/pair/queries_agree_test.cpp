// SPDX-License-Identifier: MIT
/// What a planner relies on: a body moved along the line between the nearest points comes nearer by
/// just that, and rays, balls, points, times and manifolds say the same of the pair.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"
#include "support/sized_solids.h"

namespace nearmiss {
namespace {

using test::Random;

/// Metres: what a few roundings of coordinates of some metres come to.
constexpr Real rounding = 1e-9;

/// Metres that a ball may stop before the surface: triangles may be flat.
constexpr Real early = 1e-5;

/// Solids, a triangle, half a torus, and a surface without shared vertices.
std::vector<Shape> plannedShapes() {
  TriangleMesh half = test::torus(12, 6);
  half.triangles.resize(half.triangles.size() / 2);
  std::vector<Shape> made = test::edgedAndRoundSolids();
  for (TriangleMesh mesh : {TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}},
                            std::move(half), test::loose(test::sphere(5, 7))})
    made.push_back(test::treelessShape(std::move(mesh)));
  return made;
}

struct ApartPair {
  const Shape &a, &b;
  Pose poseA, poseB;
  DistanceBounds bounds;
  Vec3 way{0.0};  ///< unit, from the point of a to that of b

  [[nodiscard]] Pose movedA(Real by) const { return {poseA.position + by * way, poseA.rotation}; }
};

void expectPointsAreNearest(const ApartPair& pair) {
  const Real apart = pair.bounds.upper;
  EXPECT_NEAR(glm::distance(pair.bounds.pointA, pair.bounds.pointB), apart, rounding);
  EXPECT_NEAR(nearestPoint(pair.a, pair.poseA, pair.bounds.pointB).upper, apart, rounding);
  EXPECT_NEAR(nearestPoint(pair.b, pair.poseB, pair.bounds.pointA).upper, apart, rounding);
  EXPECT_NEAR(distance(pair.b, pair.poseB, pair.a, pair.poseA).upper, apart, rounding);
}

void expectComesNearer(const ApartPair& pair, Random& random) {
  const Real apart = pair.bounds.upper;
  for (const Real share : {random.unit(), random.unit(), 1.0 - 1e-6}) {
    const DistanceBounds moved = distance(pair.a, pair.movedA(share * apart), pair.b, pair.poseB);
    EXPECT_NEAR(moved.upper, apart - share * apart, rounding);
    EXPECT_LE(moved.lower, moved.upper);
  }
}

void expectTimeIsThat(const ApartPair& pair, Random& random) {
  constexpr Real tolerance = 1e-6;
  DistanceQuery query;
  SteadyMotion ofA{pair.poseA}, ofB{pair.poseB};
  const Real speed = random.between(0.1, 3.0);
  ofA.velocity = speed * pair.way;
  // Whatever both do besides
  const Vec3 both = random.inCube(1.0);
  for (const Vec3& besides : {Vec3(0.0), both}) {
    ofA.velocity += besides;
    ofB.velocity += besides;
    const ContactTime met = timeToContact(query, pair.a, ofA, pair.b, ofB, 100.0, tolerance);
    ASSERT_TRUE(met.reached);
    EXPECT_LE(met.noContactBefore, pair.bounds.upper / speed + rounding);
    EXPECT_GE(met.noContactBefore, (pair.bounds.upper - 1.1 * tolerance) / speed - rounding);
  }
}

/// A ball at the point of a meets b where it should, and nothing is within it before.
void expectBallsMeet(const ApartPair& pair, Random& random) {
  const Real apart = pair.bounds.upper, radius = apart * random.unit();
  const Vec3& from = pair.bounds.pointA;
  const RayHit straight = raycast(pair.b, pair.poseB, {from, pair.way, 10.0, radius});
  ASSERT_TRUE(straight.hit());
  EXPECT_LE(straight.t, apart - radius + rounding);
  EXPECT_GE(straight.t, apart - radius - early);
  const Vec3 other = random.direction();
  const RayHit hit = raycast(pair.b, pair.poseB, {from, other, 5.0, radius});
  const Real end = std::min(hit.t, 5.0);
  for (const Real share : {random.unit(), random.unit(), random.unit(), 1.0}) {
    const Real near = nearestPoint(pair.b, pair.poseB, from + share * end * other).upper;
    EXPECT_GE(near, radius - rounding);
    if (share == 1.0 && hit.hit()) {
      EXPECT_LE(near, radius + early);
      EXPECT_LT(glm::dot(hit.normal, other), 1e-3) << "it would be led on into the surface";
    }
  }
}

void expectManifoldHasTheGap(const ApartPair& pair) {
  const Real apart = pair.bounds.upper;
  const ContactManifold within =
      contactManifold(pair.a, pair.poseA, pair.b, pair.poseB, {1.001 * apart + rounding, 4});
  ASSERT_FALSE(within.points.empty());
  EXPECT_NEAR(within.points.front().depth, -apart, 1e-6);
  const ContactManifold below =
      contactManifold(pair.a, pair.poseA, pair.b, pair.poseB, {0.999 * apart, 4});
  EXPECT_TRUE(below.points.empty());
}

TEST(QueriesAgree, OnAPairOfBodies) {
  const std::vector<Shape> shapes = plannedShapes();
  Random random(61);
  int apart = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    SCOPED_TRACE(i);
    const Shape &a = random.anyOf(shapes), &b = random.anyOf(shapes);
    const bool aligned = random.chance(0.3);
    const Pose poseA{random.inCube(10.0), aligned ? Quat(1, 0, 0, 0) : random.rotation()};
    const Vec3 offset = aligned ? random.onLattice(6) / 3.0 : random.inCube(2.0);
    const Pose poseB{poseA.position + offset, aligned ? Quat(1, 0, 0, 0) : random.rotation()};
    const DistanceBounds bounds = distance(a, poseA, b, poseB);
    ASSERT_FALSE(bounds.canRefine);
    ASSERT_LE(bounds.upper - bounds.lower, 2e-8);
    if (bounds.upper < 1e-6) continue;
    const Vec3 way = (bounds.pointB - bounds.pointA) / bounds.upper;
    const ApartPair pair{a, b, poseA, poseB, bounds, way};
    expectPointsAreNearest(pair);
    expectComesNearer(pair, random);
    expectTimeIsThat(pair, random);
    expectBallsMeet(pair, random);
    expectManifoldHasTheGap(pair);
    if (testing::Test::HasFailure()) return;
    ++apart;
  }
  EXPECT_GT(apart, test::cases(300) / 2);
}

}  // namespace
}  // namespace nearmiss
