// SPDX-License-Identifier: MIT
/// Distances beside those of all pairs of triangles, and bounds that hold wherever time runs out.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>
#include <nearmiss/ray.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/distance.h"
#include "support/campaign.h"
#include "support/manual_clock.h"
#include "support/meshes.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::TwoBodies;

TwoBodies draw(Random& random, int i) {
  TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.2);
  // Far apart, and one within the other
  if (i % 5 == 0)
    bodies[1].pose.position += 10.0 * (bodies[1].pose.position - bodies[0].pose.position);
  if (i % 7 == 0) bodies[1].pose.position = bodies[0].pose.position + random.inCube(0.05);
  return bodies;
}

/// By all triangles of both, moved into the world.
Real trueDistance(const TwoBodies& bodies) {
  if (queriedShapes().touch(bodies)) return 0.0;
  std::array<std::vector<Triangle>, 2> moved;
  for (std::size_t k = 0; k < 2; ++k) {
    const TriangleMesh& mesh = queriedShapes().of(bodies[k]).polyhedron().mesh();
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      Triangle corners = mesh.corners(t);
      for (Vec3& p : corners) p = transformed(bodies[k].pose, p);
      moved[k].push_back(corners);
    }
  }
  Real least = std::numeric_limits<Real>::infinity();
  for (const Triangle& s : moved[0])
    for (const Triangle& t : moved[1]) least = std::min(least, test::triangleToTriangle(s, t));
  return least;
}

/// Distance of a point from the triangle that is said to hold it.
Real offTriangle(const BodyState& body, std::uint32_t triangle, const Vec3& point) {
  Triangle corners = queriedShapes().of(body).polyhedron().mesh().corners(triangle);
  for (Vec3& p : corners) p = transformed(body.pose, p);
  return test::pointToTriangle(point, corners);
}

TEST(Distance, IsThatOfAllTriangles) {
  Random random(1);
  const int count = test::cases(400);
  int touching = 0;
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = draw(random, i);
    const Real truth = trueDistance(bodies);
    const DistanceBounds found = distance(queriedShapes().of(bodies[0]), bodies[0].pose,
                                          queriedShapes().of(bodies[1]), bodies[1].pose);
    touching += truth == 0.0;
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.lower, truth);
    ASSERT_NEAR(found.lower, truth, 1e-6);
    ASSERT_NEAR(found.upper, truth, 1e-9);
    if (truth == 0.0) continue;
    ASSERT_NEAR(glm::distance(found.pointA, found.pointB), truth, 1e-9);
    ASSERT_LT(offTriangle(bodies[0], found.triangleA, found.pointA), 1e-9);
    ASSERT_LT(offTriangle(bodies[1], found.triangleB, found.pointB), 1e-9);
  }
  EXPECT_GT(touching, 3 * count / 10);
  EXPECT_LT(touching, 7 * count / 10);
}

TEST(Distance, IsBoundedWhereverTimeRunsOut) {
  Random random(2);
  WorkClock clock;
  DistanceQuery query;
  int steps = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = draw(random, i);
    const Real truth = trueDistance(bodies);
    query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
                bodies[1].pose);
    DistanceBounds last = query.known();
    ASSERT_EQ(last.lower, 0.0);
    ASSERT_TRUE(std::isinf(last.upper));
    while (last.canRefine) {
      const DistanceBounds now = query.refine(TimeBudget(clock, {}));
      ASSERT_LE(now.lower, truth);
      ASSERT_GE(now.upper, truth - 1e-9);
      ASSERT_GE(now.lower, std::min(last.lower, truth - 1e-6));
      ASSERT_LE(now.upper, last.upper);
      ASSERT_TRUE(std::isfinite(now.upper));
      last = now;
      ++steps;
    }
    ASSERT_NEAR(last.upper, truth, 1e-9);
    ASSERT_NEAR(last.lower, truth, 1e-6);
  }
  EXPECT_GT(steps, test::cases(200) * 2);
}

TEST(Distance, TellsWhatIsNearerThanATolerance) {
  Random random(3);
  ManualClock clock;
  int nearer = 0, farther = 0, early = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    const TwoBodies bodies = draw(random, i);
    const Real truth = trueDistance(bodies);
    const Real tolerance = i % 3 == 0 ? 0.0 : random.between(0.0, 2.0);
    DistanceQuery query;
    query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
                bodies[1].pose);
    const DistanceBounds found = query.refineUntil(tolerance);
    const std::optional<bool> told = found.isWithin(tolerance);
    if (std::abs(truth - tolerance) < 1e-6 && truth != 0.0) continue;
    ASSERT_EQ(told, truth <= tolerance) << i;
    (*told ? nearer : farther) += 1;
    early += found.canRefine;
    ASSERT_EQ(query.refine().isWithin(tolerance), told);
  }
  EXPECT_GT(nearer, test::cases(300) / 4);
  EXPECT_GT(farther, test::cases(300) / 4);
  EXPECT_GT(early, test::cases(300) / 8);
  EXPECT_EQ((DistanceBounds{.lower = 1.0, .upper = 2.0}.isWithin(1.5)), std::nullopt);
}

/// A ridge of one body above one of the other, nearly parallel to it: the gap is known.
TEST(Distance, IsBoundedWhereEdgesCrossAtASmallAngle) {
  const Shape below = test::treelessShape({{{-1, 0, 0}, {1, 0, 0}, {0, -0.5, -1}, {0, 0.5, -1}},
                                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}});
  for (const Real turn : {1e-7, 3e-8, 1e-8, 3e-9}) {
    constexpr Real gap = 1e-10;
    const Shape above =
        test::treelessShape({{{-1, -turn, 0}, {1, turn, 0}, {0, -0.5, 1}, {0, 0.5, 1}},
                             {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}});
    ASSERT_TRUE(below.solid() && above.solid());
    const DistanceBounds found = distance(below, {}, above, {{0, 0, gap}});
    EXPECT_LE(found.lower, gap) << turn;
    EXPECT_NEAR(found.upper, gap, 1e-14) << turn;
  }
}

/// Each of many pieces beside a solid may lie within it.
TEST(Distance, IsBoundedWhilePiecesAreSought) {
  Random random(5);
  const TriangleMesh grain{{{0, 0, 0}, {1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}},
                           {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
  TriangleMesh grains;
  constexpr int count = 1000;
  for (int i = 0; i < count; ++i) test::append(grains, grain, 1.01 * random.direction());
  const Shape ball = test::treelessShape(test::sphere(20, 24));
  for (const bool held : {false, true}) {
    if (held) test::append(grains, grain, {0.9, 0.0, 0.0});
    const Shape dust = test::treelessShape(grains);
    const DistanceBounds whole = distance(ball, {}, dust, {});
    ASSERT_EQ(whole.upper == 0.0, held);
    WorkClock clock;
    DistanceQuery query;
    query.begin(ball, {}, dust, {});
    int calls = 0;
    for (DistanceBounds now; now.canRefine; ++calls) {
      const auto before = clock.now();
      now = query.refine(TimeBudget(clock, {}));
      ASSERT_LT(clock.now() - before, std::chrono::microseconds(100));
      ASSERT_LE(now.lower, whole.upper);
      ASSERT_GE(now.upper, whole.upper);
      ASSERT_TRUE(std::isfinite(now.upper)) << "a pair of points is there at once";
    }
    EXPECT_GT(calls, 10) << "all pieces at once";
    EXPECT_EQ(query.known().upper, whole.upper);
    EXPECT_EQ(query.known().lower, whole.lower);
    EXPECT_EQ(query.known().triangleB, whole.triangleB);
  }
}

TEST(DistanceDeathTest, RefusesPosesThatAreNone) {
  const Shape& shape = queriedShapes().shapes[0];
  DistanceQuery query;
  EXPECT_DEATH(query.refine(), "taken");
  Pose bad;
  bad.position.x = std::numeric_limits<Real>::quiet_NaN();
  EXPECT_DEATH(query.begin(shape, bad, shape, {}), "finite");
}

/// A vertex of one body on or in the other, which says that they touch before any surface does.
TEST(Distance, HasPointsWhereverSurfacesMeet) {
  const Shape slab = test::treelessShape(test::box({-10, -10, -1}, {10, 10, 0}));
  const Shape cube = test::treelessShape(test::cube(0.5));
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const Pose whole = i % 2 ? Pose{random.inCube(2.0), random.rotation()} : Pose{};
    const Real height = i % 4 < 2 ? 0.5 : random.between(-0.3, 0.49);
    const Pose on{transformed(whole, {5, 5, i % 2 ? 0.3 : height}), whole.rotation};
    for (const bool swapped : {false, true}) {
      const DistanceBounds found =
          swapped ? distance(cube, on, slab, whole) : distance(slab, whole, cube, on);
      EXPECT_EQ(found.upper, 0.0);
      EXPECT_FALSE(found.canRefine);
      ASSERT_NE(found.triangleA, DistanceBounds::noTriangle);
      for (const Vec3& point : {found.pointA, found.pointB}) {
        EXPECT_LT(nearestPoint(slab, whole, point).upper, 1e-9);
        EXPECT_LT(nearestPoint(cube, on, point).upper, 1e-9);
      }
      // However short the steps
      DistanceQuery query;
      query.begin(slab, whole, cube, on);
      WorkClock clock;
      DistanceBounds some;
      for (int steps = 0; some.canRefine && steps < 1000; ++steps)
        some = query.refine(TimeBudget(clock, {}));
      EXPECT_EQ(some.upper, 0.0);
      EXPECT_NE(some.triangleA, DistanceBounds::noTriangle);
    }
  }
  // Held without a point in common
  const DistanceBounds held = distance(slab, {}, cube, {{0, 0, -0.5 - 1e-3}});
  EXPECT_EQ(held.upper, 0.0);
  const Shape crumb = test::treelessShape(test::cube(0.1));
  const DistanceBounds within = distance(slab, {}, crumb, {{4, 4, -0.5}});
  EXPECT_EQ(within.upper, 0.0);
  EXPECT_FALSE(within.canRefine);
  EXPECT_EQ(within.triangleA, DistanceBounds::noTriangle);
}

/// A rotation that is sound though as long as can be would stretch a million metres by two
/// millimetres.
TEST(Distance, OfRotationsAtTheEndOfTheirToleranceIsABound) {
  const Shape cube = test::treelessShape(test::cube(1.0));
  for (const Real off : {0.99e-9, -0.99e-9}) {
    const Pose turned{Vec3(0.0), std::sqrt(1.0 + off) * Quat(0.0, 0.0, 0.0, 1.0)};
    const NearestPoint point = nearestPoint(cube, turned, {1e6, 0, 0});
    EXPECT_LE(point.lower, 1e6 - 1.0 + 1e-7);
    EXPECT_GE(point.upper, 1e6 - 1.0 - 1e-7);
    const DistanceBounds found = distance(cube, turned, cube, {{1e6, 0, 0}, turned.rotation});
    EXPECT_LE(found.lower, 1e6 - 2.0 + 1e-7);
    EXPECT_GE(found.upper, 1e6 - 2.0 - 1e-7);
  }
}

}  // namespace
}  // namespace nearmiss
