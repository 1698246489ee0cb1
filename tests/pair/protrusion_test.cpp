// SPDX-License-Identifier: MIT
/// The deepest vertex of one body inside another, against a look at every vertex.
#include <gtest/gtest.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/pair.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <set>

#include "support/box_solids.h"
#include "support/campaign.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::treelessShape;
using test::TwoBodies;

/// The greatest distance of a vertex of `own` inside `other` from the faces around it, by all
/// faces.
Real deepestBruteForce(const Polyhedron& own, const Pose& ownPose, const Polyhedron& other,
                       const Pose& otherPose) {
  const Pose toOther = relativePose(otherPose, ownPose);
  Real deepest = 0.0;
  std::set<std::uint32_t> vertices;
  for (const auto& corners : own.mesh().triangles) vertices.insert(corners.begin(), corners.end());
  for (const std::uint32_t vertex : vertices) {
    const Vec3 point = transformed(toOther, own.mesh().positions[vertex]);
    if (!other.contains(point)) continue;
    Real nearest = std::numeric_limits<Real>::infinity();
    for (std::size_t t = 0; t < other.mesh().triangles.size(); ++t) {
      const Triangle corners = other.mesh().corners(t);
      const Polyhedron alone(TriangleMesh{{corners.begin(), corners.end()}, {{0, 1, 2}}});
      nearest = std::min(nearest, alone.nearest(point).distance);
    }
    deepest = std::max(deepest, nearest);
  }
  return deepest;
}

TEST(Protrusion, IsThatOfTheDeepestVertex) {
  Random random(31);
  int inside = 0, ofB = 0;
  for (int i = 0; i < test::cases(120); ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.2);
    const Shape &a = queriedShapes().of(bodies[0]), &b = queriedShapes().of(bodies[1]);
    const Protrusion found = protrusion(a, bodies[0].pose, b, bodies[1].pose);
    ASSERT_FALSE(found.canRefine);
    const Real ofAInB =
        deepestBruteForce(a.polyhedron(), bodies[0].pose, b.polyhedron(), bodies[1].pose);
    const Real ofBInA =
        deepestBruteForce(b.polyhedron(), bodies[1].pose, a.polyhedron(), bodies[0].pose);
    ASSERT_NEAR(found.depth, std::max(ofAInB, ofBInA), 1e-9);
    if (found.depth == 0.0) continue;
    ++inside;
    ofB += found.ofB;
    const auto& own = found.ofB ? bodies[1] : bodies[0];
    const Vec3 vertex = queriedShapes().of(own).polyhedron().mesh().positions[found.vertex];
    ASSERT_LT(glm::distance(transformed(own.pose, vertex), found.from), 1e-9);
    ASSERT_NEAR(glm::distance(found.from, found.to), found.depth, 1e-9);
  }
  EXPECT_GT(inside, test::cases(120) / 6);
  EXPECT_GT(ofB, inside / 5);
  EXPECT_LT(ofB, inside);
}

TEST(Protrusion, OfACornerInAPlateIsItsDepth) {
  const Shape plate = treelessShape(test::box({-2, -2, -1}, {2, 2, 0}));
  const Shape cube = treelessShape(test::cube(0.5));
  const Protrusion found = protrusion(plate, {}, cube, {{0.1, 0.2, 0.5 - 0.07}});
  EXPECT_NEAR(found.depth, 0.07, 1e-12);
  EXPECT_TRUE(found.ofB);
  EXPECT_NEAR(found.from.z, -0.07, 1e-12);
  EXPECT_NEAR(found.to.z, 0.0, 1e-12);
  // Bars that cross have no vertex in each other
  const Shape bar = treelessShape(test::box({-2, -0.1, -0.1}, {2, 0.1, 0.1}));
  const Pose across{{0, 0, 0.15}, glm::angleAxis(1.5, Vec3(0, 0, 1))};
  EXPECT_EQ(protrusion(bar, {}, bar, across).depth, 0.0);
}

TEST(Protrusion, OnlyGrowsWhileTimeLasts) {
  TwoBodies bodies{test::bodyOf(0, 1, queriedShapes().polyhedra[1], {}),
                   test::bodyOf(1, 2, queriedShapes().polyhedra[2], {})};
  bodies[1].pose.position = {0.4, 0.1, 0.2};
  const Shape &a = queriedShapes().of(bodies[0]), &b = queriedShapes().of(bodies[1]);
  const Protrusion whole = protrusion(a, bodies[0].pose, b, bodies[1].pose);
  ASSERT_GT(whole.depth, 0.0);
  ProtrusionQuery query;
  query.begin(a, bodies[0].pose, b, bodies[1].pose);
  WorkClock clock;
  int cut = 0;
  Protrusion part;
  do {
    const Protrusion next = query.refine(TimeBudget(clock, {}));
    ASSERT_GE(next.depth, part.depth);
    ASSERT_EQ(query.known().depth, next.depth);
    part = next;
    cut += part.canRefine;
  } while (part.canRefine);
  EXPECT_EQ(part.depth, whole.depth);
  EXPECT_EQ(part.vertex, whole.vertex);
  EXPECT_GT(cut, 5);
}

TEST(Protrusion, RefusesPosesThatAreNone) {
  const Shape& shape = queriedShapes().shapes[0];
  const Pose lost{Vec3(std::numeric_limits<Real>::quiet_NaN())};
  EXPECT_FALSE(check(lost));
  EXPECT_DEATH(static_cast<void>(protrusion(shape, {}, shape, lost)), "position.x is nan");
}

/// A vertex that no triangle has is no part of a body.
TEST(Protrusion, PassesOverLooseVertices) {
  TriangleMesh loose = test::cube(0.5);
  loose.positions.push_back({2.0, 0.0, 0.0});
  const Shape a = Shape::of(*makePolyhedron(std::move(loose)));
  ASSERT_TRUE(a.solid());
  const Protrusion found = protrusion(a, {}, treelessShape(test::cube(0.5)), {{2.0, 0.0, 0.0}});
  EXPECT_EQ(found.depth, 0.0);
  EXPECT_FALSE(found.canRefine);
}

}  // namespace
}  // namespace nearmiss
