// SPDX-License-Identifier: MIT
/// Contact manifolds: on both surfaces, as deep as samples say, named alike from frame to frame.
#include <gtest/gtest.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <numbers>
#include <set>

#include "support/allocations.h"
#include "support/box_solids.h"
#include "support/campaign.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::treelessShape;
using test::TwoBodies;

Real distanceFrom(const Shape& shape, const Pose& pose, const Vec3& point) {
  return shape.polyhedron()
      .nearest(glm::conjugate(pose.rotation) * (point - pose.position))
      .distance;
}

bool isInside(const Shape& shape, const Pose& pose, const Vec3& point) {
  return shape.polyhedron().contains(glm::conjugate(pose.rotation) * (point - pose.position));
}

void expectOnBoth(const ContactManifold& manifold, const Shape& a, const Pose& poseA,
                  const Shape& b, const Pose& poseB) {
  std::set<std::uint64_t> ids;
  for (const ManifoldPoint& point : manifold.points) {
    // Features that overlap by more than is certain have their points between the surfaces
    const auto isBetween = [&](const Vec3& at) {
      return point.depth > 0.0 && (isInside(a, poseA, at) || isInside(b, poseB, at));
    };
    ASSERT_TRUE(distanceFrom(a, poseA, point.onA) < 1e-6 || isBetween(point.onA));
    ASSERT_TRUE(distanceFrom(b, poseB, point.onB) < 1e-6 || isBetween(point.onB));
    ASSERT_NEAR(glm::length(point.normal), 1.0, 1e-9);
    ASSERT_LT(glm::distance(point.onB - point.onA, point.depth * point.normal), 1e-6);
    ASSERT_TRUE(ids.insert(point.id).second) << "one name for two points";
  }
}

/// The deepest that samples of the surface of `own` lie inside `other`.
Real deepestSample(Random& random, const Shape& own, const Pose& ownPose, const Shape& other,
                   const Pose& otherPose, int perTriangle) {
  const Pose toOther = relativePose(otherPose, ownPose);
  Real deepest = 0.0;
  for (std::size_t t = 0; t < own.polyhedron().mesh().triangles.size(); ++t) {
    const Triangle corners = own.polyhedron().mesh().corners(t);
    for (int i = 0; i < perTriangle; ++i) {
      const Real root = std::sqrt(random.unit()), along = random.unit();
      const Vec3 point =
          transformed(toOther, (1.0 - root) * corners[0] + root * (1.0 - along) * corners[1] +
                                   root * along * corners[2]);
      if (!other.polyhedron().bounds().contains(point) || !other.polyhedron().contains(point))
        continue;
      deepest = std::max(deepest, other.polyhedron().nearest(point).distance);
    }
  }
  return deepest;
}

/// The area of the convex hull of points in a plane z = constant.
Real hullAreaOf(std::vector<Vec3> points) {
  std::ranges::sort(points, {}, [](const Vec3& p) { return std::pair(p.x, p.y); });
  const auto turn = [](const Vec3& o, const Vec3& p, const Vec3& q) {
    return (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
  };
  Real area = 0.0;
  for (int side = 0; side < 2; ++side) {
    std::vector<Vec3> chain;
    for (const Vec3& point : points) {
      while (chain.size() > 1 && turn(chain[chain.size() - 2], chain.back(), point) <= 0.0)
        chain.pop_back();
      chain.push_back(point);
    }
    for (std::size_t i = 1; i < chain.size(); ++i)
      area += 0.5 * (chain[i - 1].x * chain[i].y - chain[i].x * chain[i - 1].y);
    std::ranges::reverse(points);
  }
  return area;
}

std::vector<Vec3> pointsOf(const ContactManifold& manifold) {
  std::vector<Vec3> points;
  for (const ManifoldPoint& point : manifold.points) points.push_back(point.onB);
  return points;
}

TEST(ContactManifold, LiesOnBothSurfacesAndSaysWhoTouches) {
  Random random(41);
  int touching = 0, apart = 0, edges = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.3);
    const Shape &a = queriedShapes().of(bodies[0]), &b = queriedShapes().of(bodies[1]);
    const Real margin = i % 2 ? 0.15 : 0.0;
    const ContactManifold found =
        contactManifold(a, bodies[0].pose, b, bodies[1].pose, {margin, 6});
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.points.size(), 6u);
    ASSERT_NO_FATAL_FAILURE(expectOnBoth(found, a, bodies[0].pose, b, bodies[1].pose));
    for (const ManifoldPoint& point : found.points) {
      ASSERT_GE(point.depth, -margin);
      edges += point.id >> 62 == 2;
    }
    const Real distance = distanceBetween(a.polyhedron(), b.polyhedron(),
                                          relativePose(bodies[0].pose, bodies[1].pose));
    if (distance == 0.0) {
      ++touching;
      ASSERT_FALSE(found.points.empty());
      ASSERT_GE(found.points.front().depth, 0.0);
    } else if (distance <= margin) {
      ++apart;
      ASSERT_FALSE(found.points.empty());
      // The nearest points are among them
      ASSERT_NEAR(-found.points.front().depth, distance, 1e-7);
    } else {
      ASSERT_TRUE(found.points.empty());
    }
  }
  EXPECT_GT(touching, test::cases(300) / 5);
  EXPECT_GT(apart, 3);
  EXPECT_GT(edges, 10);
}

TEST(ContactManifold, OfABoxOnAPlateIsItsFourCorners) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0})),
              cube = treelessShape(test::cube(0.5));
  Random random(42);
  for (int i = 0; i < 30; ++i) {
    const Real depth = random.between(1e-4, 0.05);
    const Quat turn = glm::angleAxis(random.between(-3, 3), Vec3(0, 0, 1));
    const Pose on{{random.between(-2, 2), random.between(-2, 2), 0.5 - depth}, turn};
    const ContactManifold found = contactManifold(plate, {}, cube, on);
    ASSERT_EQ(found.points.size(), 4u);
    for (const ManifoldPoint& point : found.points) {
      EXPECT_NEAR(point.depth, depth, 1e-9);
      EXPECT_NEAR(point.normal.z, -1.0, 1e-9) << "from the cube to the plate";
    }
    EXPECT_NEAR(hullAreaOf(pointsOf(found)), 1.0, 1e-6);
    // The other way around the normal turns
    const ContactManifold swapped = contactManifold(cube, on, plate, {});
    ASSERT_EQ(swapped.points.size(), 4u);
    EXPECT_NEAR(swapped.points.front().normal.z, 1.0, 1e-9);
  }
}

/// A cube that stands over the rim: two corners, and two points where edges cross.
TEST(ContactManifold, OfABoxOverARimKeepsThePatch) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0})),
              cube = treelessShape(test::cube(0.5));
  const Pose over{{2.8, 0.3, 0.5 - 0.01}};
  const ContactManifold found = contactManifold(plate, {}, cube, over, {0.0, 8});
  ASSERT_GE(found.points.size(), 4u);
  EXPECT_NEAR(hullAreaOf(pointsOf(found)), 0.7, 0.01);
  const ContactManifold few = contactManifold(plate, {}, cube, over, {0.0, 4});
  ASSERT_EQ(few.points.size(), 4u);
  EXPECT_GT(hullAreaOf(pointsOf(few)), 0.9 * 0.7);
}

TEST(ContactManifold, OfFineSpheresIsAsDeepAsTheyOverlap) {
  const Shape ball = treelessShape(test::sphere(48, 64));
  Random random(43);
  for (int i = 0; i < 20; ++i) {
    const Real depth = random.between(0.05, 0.2);
    const Pose poseA{Vec3(0.0), random.rotation()};
    const Pose poseB{(2.0 - depth) * random.direction(), random.rotation()};
    const ContactManifold found = contactManifold(ball, poseA, ball, poseB, {0.0, 4});
    ASSERT_FALSE(found.points.empty());
    ASSERT_NO_FATAL_FAILURE(expectOnBoth(found, ball, poseA, ball, poseB));
    const Vec3 along = glm::normalize(-poseB.position);
    EXPECT_GT(glm::dot(found.points.front().normal, along), 0.98);
    // Facets lie up to 0.0012 and 0.0021 within the spheres
    EXPECT_NEAR(found.points.front().depth, depth, 0.008);
    const Real sampled = std::max(deepestSample(random, ball, poseA, ball, poseB, 6),
                                  deepestSample(random, ball, poseB, ball, poseA, 6));
    EXPECT_GE(found.points.front().depth, 0.99 * sampled);
  }
}

/// The tubes of two linked rings press on each other where these are, in the hole and not in the
/// middle of it.
TEST(ContactManifold, OfLinkedRingsLiesOnTheirTubes) {
  const Shape ring = treelessShape(test::torus(64, 32, 1.0, 0.2));
  Random random(44);
  for (int i = 0; i < 20; ++i) {
    const Real depth = random.between(0.02, 0.08);
    const Pose poseB{
        {2.0 - 0.4 + depth, 0.0, 0.0},
        glm::angleAxis(std::numbers::pi / 2 + random.between(-0.3, 0.3), Vec3(1, 0, 0))};
    const ContactManifold found = contactManifold(ring, {}, ring, poseB);
    ASSERT_FALSE(found.points.empty());
    ASSERT_NO_FATAL_FAILURE(expectOnBoth(found, ring, {}, ring, poseB));
    const ManifoldPoint& deepest = found.points.front();
    EXPECT_NEAR(deepest.depth, depth, 0.004);
    EXPECT_GT(deepest.normal.x, 0.97);
    EXPECT_NEAR(deepest.onA.x, 0.8, 0.01);
    for (const ManifoldPoint& point : found.points) {
      const Vec3& p = point.onA;
      const Real around = std::hypot(std::hypot(p.x, p.y) - 1.0, p.z);
      EXPECT_NEAR(around, 0.2, 0.002) << "on the torus, up to its facets";
    }
    const Real sampled = std::max(deepestSample(random, ring, {}, ring, poseB, 6),
                                  deepestSample(random, ring, poseB, ring, {}, 6));
    EXPECT_GE(deepest.depth, 0.99 * sampled);
  }
}

TEST(ContactManifold, CountsWhatIsNearerThanTheMargin) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0})),
              cube = treelessShape(test::cube(0.5));
  const Pose above{{0.2, 0.1, 0.5 + 0.02}};
  EXPECT_TRUE(contactManifold(plate, {}, cube, above, {0.01, 4}).points.empty());
  const ContactManifold near = contactManifold(plate, {}, cube, above, {0.03, 4});
  ASSERT_EQ(near.points.size(), 4u);
  for (const ManifoldPoint& point : near.points) EXPECT_NEAR(point.depth, -0.02, 1e-9);
  // Edges that cross in the air
  const Shape bar = treelessShape(test::box({-2, -0.1, -0.1}, {2, 0.1, 0.1}));
  const Quat onEdge = glm::angleAxis(std::numbers::pi / 4, Vec3(1, 0, 0));
  const Pose across{{0, 0, 0.1 * std::numbers::sqrt2 * 2 + 0.01},
                    glm::angleAxis(1.2, Vec3(0, 0, 1)) * onEdge};
  const ContactManifold crossing =
      contactManifold(bar, {Vec3(0.0), onEdge}, bar, across, {0.02, 4});
  ASSERT_FALSE(crossing.points.empty());
  EXPECT_NEAR(crossing.points.front().depth, -0.01, 1e-9);
  EXPECT_NEAR(crossing.points.front().normal.z, -1.0, 1e-9);
}

TEST(ContactManifold, KeepsNamesFromFrameToFrame) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0}));
  const Shape ball = treelessShape(test::box({-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}));
  ManifoldQuery query;
  std::vector<std::uint64_t> names;
  for (int frame = 0; frame < 100; ++frame) {
    const Pose on{{-2.0 + 0.04 * frame, 0.3, 0.3 - 0.01},
                  glm::angleAxis(0.02 * frame, Vec3(0, 0, 1))};
    query.begin(plate, {}, ball, on);
    EXPECT_TRUE(query.known().points.empty());
    std::vector<std::uint64_t> now;
    const ContactManifold& refined = query.refine();
    EXPECT_EQ(&refined, &query.known());
    for (const ManifoldPoint& point : query.known().points) now.push_back(point.id);
    std::ranges::sort(now);
    if (frame > 0) {
      ASSERT_EQ(now, names) << frame;
    }
    names = now;
  }
  EXPECT_EQ(names.size(), 4u);
}

TEST(ContactManifold, AllocatesNothingOnceWarm) {
  const Shape ring = treelessShape(test::torus(24, 12, 1.0, 0.2));
  ManifoldQuery query;
  std::size_t points = 0;
  const auto turnOnce = [&] {
    for (int frame = 0; frame < 20; ++frame) {
      const Pose across{{1.65, 0.0, 0.0}, glm::angleAxis(1.4 + 0.01 * frame, Vec3(1, 0, 0))};
      query.begin(ring, {}, ring, across);
      points += query.refine().points.size();
    }
  };
  turnOnce();
  EXPECT_EQ(test::allocationsIn(turnOnce), 0u);
  EXPECT_GE(points, 40u);
}

TEST(ContactManifold, MayBeStoppedAtAnyTime) {
  const Shape ring = treelessShape(test::torus(48, 24, 1.0, 0.2));
  const Pose across{{1.65, 0.0, 0.0}, glm::angleAxis(1.4, Vec3(1, 0, 0))};
  const ContactManifold whole = contactManifold(ring, {}, ring, across);
  ManifoldQuery query;
  query.begin(ring, {}, ring, across);
  WorkClock clock;
  int stops = 0;
  while (query.refine(TimeBudget(clock, {})).canRefine) ++stops;
  const ContactManifold& last = query.refine();
  ASSERT_EQ(last.points.size(), whole.points.size());
  for (std::size_t i = 0; i < whole.points.size(); ++i)
    EXPECT_EQ(last.points[i].id, whole.points[i].id);
  EXPECT_GT(stops, 5);
}

/// The shortest way out leads to the nearest side of the plate.
TEST(ContactManifold, OfANeedleThroughAPlateLeadsOutSideways) {
  const Shape plate = treelessShape(test::box({-1, -1, -0.1}, {1, 1, 0.1}));
  const Shape needle = treelessShape(test::box({-0.01, -0.01, -2}, {0.01, 0.01, 2}));
  const Pose through{{0.2, 0.1, 0.0}};
  const ContactManifold found = contactManifold(plate, {}, needle, through);
  ASSERT_EQ(found.points.size(), 4u);
  ASSERT_NO_FATAL_FAILURE(expectOnBoth(found, plate, {}, needle, through));
  for (const ManifoldPoint& point : found.points) {
    EXPECT_NEAR(point.depth, 1.0 - 0.2 + 0.01, 1e-9);
    EXPECT_NEAR(point.normal.x, -1.0, 1e-9);
  }
}

/// What touches has a point, where a solid and a sheet meet too, in which no vertex takes part, and
/// nearly always a depth.
TEST(ContactManifold, OfWhatTouchesIsNeverEmpty) {
  Random random(45);
  int touching = 0, deep = 0;
  for (int i = 0; i < test::cases(300); ++i) {
    SCOPED_TRACE(i);
    TriangleMesh sheet;
    for (int k = 0; k < 3; ++k) sheet.positions.push_back(random.inCube(2.5));
    sheet.triangles = {{0, 1, 2}};
    const Shape other = treelessShape(std::move(sheet));
    const Shape& solid = queriedShapes().shapes[static_cast<unsigned>(i % 6)];
    const Pose pose{random.inCube(1.5), random.rotation()};
    const bool first = i % 2 == 0;
    const Shape &a = first ? solid : other, &b = first ? other : solid;
    const ContactManifold found = contactManifold(a, {}, b, pose);
    ASSERT_NO_FATAL_FAILURE(expectOnBoth(found, a, {}, b, pose));
    const bool touch = distanceBetween(a.polyhedron(), b.polyhedron(), pose) == 0.0;
    ASSERT_EQ(found.points.empty(), !touch);
    touching += touch;
    deep += touch && found.points.front().depth > 0.0;
  }
  EXPECT_GT(touching, test::cases(300) / 10);
  EXPECT_GT(deep, 0.9 * touching);
}

/// A tetrahedron with a level edge on top; if split, a triangle of it has an area that rounding
/// loses.
Shape edgeUpwards(bool split) {
  const Real e = std::numeric_limits<Real>::epsilon();
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {1 + 2 * e, 1 + e, 0}, {0, 1, -1}, {1, 0, -1}};
  mesh.triangles = {{1, 0, 3}, {0, 1, 2}, {0, 2, 3}, {1, 3, 2}};
  if (split) {
    mesh.positions.push_back({1 + e, 1, 0});
    mesh.triangles = {{0, 4, 1}, {0, 1, 2}, {4, 0, 3}, {1, 4, 3}, {0, 2, 3}, {1, 3, 2}};
  }
  return treelessShape(std::move(mesh));
}

TEST(ContactManifold, FindsAnEdgeThatANeedleSplits) {
  TriangleMesh downwards;
  downwards.positions = {{0, 1, 0}, {1, 0, 0}, {0, 0, 1}, {1, 1, 1}};
  downwards.triangles = {{0, 1, 2}, {1, 0, 3}, {2, 1, 3}, {0, 2, 3}};
  const Shape above = treelessShape(std::move(downwards));
  for (const bool split : {false, true}) {
    SCOPED_TRACE(split);
    const Shape below = edgeUpwards(split);
    ASSERT_TRUE(below.solid());
    ASSERT_EQ(below.polyhedron().mesh().triangles.size(), split ? 6u : 4u);
    const ContactManifold found = contactManifold(below, {}, above, Pose{{0, 0, 0.001}}, {0.01, 4});
    ASSERT_FALSE(found.points.empty());
    const ManifoldPoint& point = found.points.front();
    EXPECT_EQ(point.id >> 62, 2u);
    EXPECT_NEAR(point.depth, -0.001, 1e-9);
    EXPECT_LT(glm::distance(point.normal, Vec3(0, 0, -1)), 1e-6);
  }
}

TEST(ContactManifold, RefusesWhatItCannotWorkWith) {
  const Shape cube = treelessShape(test::cube(0.5));
  const Real none = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real endless = std::numeric_limits<Real>::infinity();
  for (const Real margin : {none, -0.1, endless}) {
    const auto refused = check(ManifoldSettings{margin, 4});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().message, "the margin must be finite and at least 0");
  }
  EXPECT_EQ(check(ManifoldSettings{0.1, 0}).error().message,
            "a manifold must have room for a point");
  EXPECT_TRUE(check(ManifoldSettings{}));
  ManifoldQuery query;
  EXPECT_DEATH(query.begin(cube, {}, cube, Pose{Vec3(none)}), "position.x is nan");
  EXPECT_DEATH(query.begin(cube, {}, cube, {}, {none, 4}), "margin");
  EXPECT_DEATH(query.begin(cube, {}, cube, {}, {0.1, 0}), "maxPoints");
}

}  // namespace
}  // namespace nearmiss
