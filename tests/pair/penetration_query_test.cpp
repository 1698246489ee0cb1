// SPDX-License-Identifier: MIT
/// Penetration between two bounds: a translation that parts, and one that no direction can
/// undercut.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <cmath>
#include <limits>
#include <string_view>

#include "support/bounded_penetration.h"
#include "support/campaign.h"
#include "support/queried_shapes.h"
#include "support/untrapped.h"

namespace nearmiss {
namespace {

using test::queriedShapes;
using test::Random;
using test::TwoBodies;

PenetrationBounds penetration(const TwoBodies& bodies, const TimeBudget& budget) {
  PenetrationQuery query;
  query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
              bodies[1].pose);
  return query.refine(budget);
}

/// True if the first step says so, and has no time to go on.
bool hullsMeet(const TwoBodies& bodies) {
  WorkClock clock;
  const PenetrationBounds first = penetration(bodies, TimeBudget(clock, {}));
  return first.upper > 0.0 && first.canRefine;
}

TEST(Penetration, IsPartedByTheUpperBoundAndByNothingBelowTheLower) {
  Random random(21);
  int touching = 0, known = 0, apart = 0;
  for (int i = 0; i < test::cases(50); ++i) {
    SCOPED_TRACE(i);
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.05);
    const PenetrationBounds found = penetration(bodies, TimeBudget::unlimited());
    ASSERT_FALSE(found.canRefine);
    ASSERT_LE(found.lower, found.upper);
    const auto touchMoved = [&](const Vec3& by) {
      TwoBodies moved = bodies;
      moved[1].pose.position += by;
      return queriedShapes().touch(moved);
    };
    ASSERT_FALSE(touchMoved((found.upper * (1.0 + 1e-6) + 1e-6) * found.direction));
    if (!touchMoved(Vec3(0.0))) {
      ASSERT_EQ(found.lower, 0.0);
      ASSERT_EQ(found.upper, 0.0);
      ASSERT_EQ(found.direction, Vec3(0.0));
      apart += hullsMeet(bodies);
      continue;
    }
    ++touching;
    ASSERT_NEAR(glm::length(found.direction), 1.0, 1e-9);
    if (found.lower == 0.0) continue;
    ++known;
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(touchMoved(0.999 * found.lower * random.direction()));
    ASSERT_TRUE(touchMoved(0.999 * found.lower * found.direction));
  }
  EXPECT_GT(touching, test::cases(50) / 3);
  EXPECT_GT(known, touching / 2);
  EXPECT_GT(apart, test::cases(50) / 100) << "in the notches of each other";
}

/// An L in the notch of a larger one: their hulls overlap, and they do not.
TEST(Penetration, OfBodiesThatAreApartIsNone) {
  const nearmiss::test::Untrapped endsOfTheRange;
  const auto hook = [](Real sign, Real size) {
    TriangleMesh mesh = test::cube(1.0);
    const TriangleMesh arm = test::cube(1.0);
    for (Vec3& p : mesh.positions) p = {p.x, 0.1 * p.y - sign * 0.9, 0.5 * p.z};
    const auto count = static_cast<std::uint32_t>(mesh.positions.size());
    for (const Vec3& p : arm.positions)
      mesh.positions.emplace_back(0.1 * p.x - sign * 0.9, 0.7 * p.y, 0.5 * p.z);
    for (const auto& t : arm.triangles)
      mesh.triangles.push_back({t[0] + count, t[1] + count, t[2] + count});
    for (Vec3& p : mesh.positions) p *= size;
    return mesh;
  };
  for (const std::string_view builder : {std::string_view("octree"), std::string_view()}) {
    ShapeSettings settings;
    settings.treeBuilder = builder;
    settings.tree = {.levels = 2, .innerSpheres = 50};
    const auto a = makeShape(hook(1.0, 1.0), settings), b = makeShape(hook(-1.0, 0.5), settings);
    ASSERT_TRUE(a && b);
    const Pose aside{{-0.25, -0.25, 0.0}};
    ASSERT_EQ(collide(*a, Pose{}, *b, aside).verdict, Verdict::Separate);
    const PenetrationBounds none = penetration(*a, Pose{}, *b, aside, TimeBudget::unlimited());
    EXPECT_EQ(none.upper, 0.0);
    EXPECT_EQ(none.lower, 0.0);
    EXPECT_EQ(none.direction, Vec3(0.0));
    EXPECT_FALSE(none.canRefine);
    if (!builder.empty()) {
      WorkClock clock;
      PenetrationQuery query;
      query.begin(*a, Pose{}, *b, aside);
      const PenetrationBounds first = query.refine(TimeBudget(clock, {}));
      EXPECT_GT(first.upper, 0.3) << "of the hulls";
      EXPECT_TRUE(first.canRefine);
    }
    // Of those that meet there is one
    const Pose within{{-0.4, -0.4, 0.0}};
    ASSERT_EQ(collide(*a, Pose{}, *b, within).verdict, Verdict::Contact);
    EXPECT_GT(test::boundedPenetration(*a, Pose{}, *b, within).upper, 0.1);
  }
}

/// Its apex lies farthest along no axis and no diagonal.
TEST(Penetration, OfABevelledPyramidIsThatOfASolid) {
  TriangleMesh mesh;
  mesh.positions = {{1, 1, -1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {0.25, 0, 0.25}};
  mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {1, 0, 4}, {2, 1, 4}, {3, 2, 4}, {0, 3, 4}};
  const Shape pyramid = test::treelessShape(mesh);
  ASSERT_TRUE(pyramid.solid());
  for (const Real aside : {0.0, 0.0625}) {
    const Pose pose{{aside, 0.0, 0.0}};
    const PenetrationBounds found = test::boundedPenetration(pyramid, Pose{}, pyramid, pose);
    EXPECT_NEAR(found.upper, 0.35, 0.05);
    EXPECT_GT(found.lower, 0.25);
    const Pose parted{pose.position + found.upper * found.direction};
    EXPECT_EQ(collide(pyramid, Pose{}, pyramid, parted).verdict, Verdict::Separate);
  }
}

/// In one plane they are parted across it; in a notch of the other, one touches nothing.
TEST(Penetration, OfPlatesInOnePlaneIsAcrossIt) {
  TriangleMesh mesh;
  mesh.positions = {{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}};
  mesh.triangles = {{0, 1, 3}, {1, 2, 3}, {0, 3, 5}, {3, 4, 5}};
  const Shape corner = test::treelessShape(mesh);
  mesh = {};
  mesh.positions = {{0, 0, 0}, {0.25, 0, 0}, {0, 0.25, 0}};
  mesh.triangles = {{0, 1, 2}};
  const Shape chip = test::treelessShape(mesh);
  for (const Real height : {0.0, 5.0}) {
    const Pose there{{0, 0, height}}, within{{0.5, 0.5, height}}, beside{{1.125, 1.125, height}};
    ASSERT_EQ(collide(corner, there, chip, within).verdict, Verdict::Contact);
    const PenetrationBounds found = test::boundedPenetration(corner, there, chip, within);
    EXPECT_EQ(found.lower, 0.0);
    EXPECT_FALSE(found.canRefine);
    EXPECT_LT(found.upper, 1e-8);
    EXPECT_NEAR(std::abs(found.direction.z), 1.0, 1e-12);
    const Pose parted{within.position + found.upper * found.direction};
    EXPECT_EQ(collide(corner, there, chip, parted).verdict, Verdict::Separate);
    const PenetrationBounds none = test::boundedPenetration(corner, there, chip, beside);
    EXPECT_EQ(none.upper, 0.0);
    EXPECT_EQ(none.direction, Vec3(0.0));
  }
}

TEST(Penetration, OfConvexBodiesIsKnown) {
  TwoBodies bodies{test::bodyOf(0, 1, queriedShapes().polyhedra[1], {}),
                   test::bodyOf(1, 1, queriedShapes().polyhedra[1], {})};
  bodies[1].pose.position = {1.2, 0.1, 0.2};
  const PenetrationBounds found = penetration(bodies, TimeBudget::unlimited());
  EXPECT_GT(found.lower, 0.95 * found.upper);
}

TEST(Penetration, HasAnUpperBoundHoweverShortTheTime) {
  Random random(22);
  WorkClock clock;
  int cut = 0;
  for (int i = 0; i < test::cases(3); ++i) {
    const TwoBodies bodies = test::randomNearMissPair(random, queriedShapes().polyhedra, 0.05);
    const PenetrationBounds whole = penetration(bodies, TimeBudget::unlimited());
    PenetrationQuery query;
    query.begin(queriedShapes().of(bodies[0]), bodies[0].pose, queriedShapes().of(bodies[1]),
                bodies[1].pose);
    PenetrationBounds part = query.known();
    ASSERT_EQ(part.upper, std::numeric_limits<Real>::infinity());
    do {
      const PenetrationBounds next = query.refine(TimeBudget(clock, {}));
      ASSERT_EQ(query.known().upper, next.upper);
      ASSERT_LE(next.upper, part.upper);
      ASSERT_GE(next.lower, part.lower);
      ASSERT_LE(next.lower, next.upper);
      part = next;
      cut += part.canRefine;
    } while (part.canRefine);
    ASSERT_EQ(part.lower, whole.lower);
    ASSERT_EQ(part.upper, whole.upper);
  }
  EXPECT_GT(cut, test::cases(3));
}

/// A corner exactly on a face, and hulls that rounding puts apart.
TEST(Penetration, OfWhatTouchesIsNeverNothing) {
  const Shape block = test::treelessShape(test::cube(1.0)),
              cube = test::treelessShape(test::cube(0.5));
  Random random(8);
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    SCOPED_TRACE(i);
    Pose on{{random.between(-0.1, 0.1), random.between(-0.1, 0.1), 0.0}, random.rotation()};
    Real lowest = 0.0;
    for (const Vec3& corner : cube.polyhedron().mesh().positions)
      lowest = std::min(lowest, transformed(on, corner).z);
    on.position.z = 1.0 - lowest;
    if (collide(block, {}, cube, on).verdict != Verdict::Contact) continue;
    ++touching;
    // The hulls, without a search
    PenetrationQuery query;
    query.begin(block, {}, cube, on);
    WorkClock clock;
    const PenetrationBounds found = query.refine(TimeBudget(clock, {}));
    ASSERT_GT(found.upper, 0.0);
    ASSERT_LT(found.upper, 1e-7);
    ASSERT_NEAR(glm::length(found.direction), 1.0, 1e-9);
    const Pose parted{on.position + found.upper * found.direction, on.rotation};
    ASSERT_EQ(collide(block, {}, cube, parted).verdict, Verdict::Separate);
  }
  EXPECT_GT(touching, 100);
}

}  // namespace
}  // namespace nearmiss
