// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/exact_predicates.h"
#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"
#include "support/triangle_points.h"

namespace nearmiss {
namespace {

using test::pointOn;
using test::Random;

struct TrianglePair {
  Triangle a, b;
};

Triangle anywhere(Random& random) { return {random.inCube(1), random.inCube(1), random.inCube(1)}; }
Triangle onLattice(Random& random, int half) {
  return {random.onLattice(half), random.onLattice(half), random.onLattice(half)};
}
Vec3 nudged(Random& random, const Vec3& p, Real most) {
  const Vec3 by = random.direction() * (most * random.unit());
  return p + by;
}

TrianglePair randomPair(Random& random) {
  Triangle a = anywhere(random), b = anywhere(random);
  const Vec3 by = random.inCube(0.3);
  for (Vec3& p : b) p = p * 1.5 + by;
  return {a, b};
}

/// A corner of one lies within 1e-13 of the other, which the rest stands off from.
TrianglePair cornerNearFace(Random& random) {
  const Triangle a = anywhere(random);
  const Vec3 corner = nudged(random, pointOn(random, a), 1e-13);
  const Vec3 normal = glm::cross(a[1] - a[0], a[2] - a[0]);
  const Vec3 away = normal * (random.chance(0.5) ? 1.0 : -1.0);
  Triangle b{corner, corner + away + 0.1 * glm::cross(normal, random.inCube(1)),
             corner + away + 0.1 * glm::cross(normal, random.inCube(1))};
  std::swap(b[0], b[random.whole(0, 2)]);
  return {a, b};
}

/// An edge of one lies within 1e-13 of an edge of the other.
TrianglePair edgeNearEdge(Random& random) {
  const Vec3 meeting = random.inCube(1);
  const auto withEdgeThrough = [&](const Vec3& p, Real side) {
    Vec3 along = random.direction();
    along.z *= 0.1;
    Vec3 off = random.direction();
    off.z *= 0.1;
    return Triangle{p - along * random.between(0.1, 1), p + along * random.between(0.1, 1),
                    p + Vec3(0, 0, side) + 0.5 * off};
  };
  return {withEdgeThrough(meeting, 1.0), withEdgeThrough(nudged(random, meeting, 1e-13), -1.0)};
}

/// Corners or an edge in common, or just not in common.
TrianglePair sharing(Random& random) {
  TrianglePair pair{anywhere(random), anywhere(random)};
  pair.b[random.whole(0, 2)] = pair.a[random.whole(0, 2)];
  if (random.chance(0.4)) pair.b[0] = pair.a[0], pair.b[1] = pair.a[1];
  if (random.chance(0.7))
    for (Vec3& p : pair.b) p = nudged(random, p, 1e-14);
  return pair;
}

TrianglePair latticePair(Random& random) { return {onLattice(random, 2), onLattice(random, 2)}; }

TrianglePair coplanarPair(Random& random) {
  TrianglePair pair{onLattice(random, 4), onLattice(random, 4)};
  const int turn = random.whole(0, 2);
  for (Triangle* t : {&pair.a, &pair.b})
    for (Vec3& p : *t) {
      p.z = 2 * p.x - p.y;
      p = {p[turn], p[(turn + 1) % 3], p[(turn + 2) % 3]};
    }
  return pair;
}

/// Segments and points, in space and in one plane.
TrianglePair withoutArea(Random& random) {
  TrianglePair pair{onLattice(random, 1), onLattice(random, 1)};
  pair.a[2] = random.chance(0.5) ? pair.a[0] : 0.5 * (pair.a[0] + pair.a[1]);
  if (random.chance(0.2)) pair.a[1] = pair.a[2] = pair.a[0];
  if (random.chance(0.4)) pair.b[2] = 2.0 * pair.b[1] - pair.b[0];
  if (random.chance(0.6))
    for (Triangle* t : {&pair.a, &pair.b})
      for (Vec3& p : *t) p.z = p.x;
  return pair;
}

struct Family {
  const char* name;
  TrianglePair (*make)(Random&);
  int cases;
};

class EveryFamily : public testing::TestWithParam<Family> {};

TEST_P(EveryFamily, AgreesWithRationalClipping) {
  Random random(17);
  const int count = test::cases(GetParam().cases);
  int hits = 0;
  for (int i = 0; i < count; ++i) {
    const auto [a, b] = GetParam().make(random);
    const bool expected = test::trianglesMeetByClipping(a, b);
    hits += expected;
    ASSERT_EQ(trianglesMeet(a, b), expected) << "case " << i;
    // The same two triangles, spelled otherwise
    ASSERT_EQ(trianglesMeet(b, a), expected) << "case " << i << ", exchanged";
    ASSERT_EQ(trianglesMeet({a[1], a[2], a[0]}, {b[2], b[1], b[0]}), expected)
        << "case " << i << ", corners permuted";
    Triangle turnedA = a, turnedB = b;
    for (Triangle* t : {&turnedA, &turnedB})
      for (Vec3& p : *t) p = {-p.z, p.x, p.y};
    ASSERT_EQ(trianglesMeet(turnedA, turnedB), expected) << "case " << i << ", axes permuted";
  }
  EXPECT_GT(hits, count / 5) << "too few meet for the test to mean something";
  EXPECT_LT(hits, count * 4 / 5) << "too many meet for the test to mean something";
}

INSTANTIATE_TEST_SUITE_P(TrianglesMeet, EveryFamily,
                         testing::Values(Family{"Random", randomPair, 2000},
                                         Family{"CornerNearFace", cornerNearFace, 1500},
                                         Family{"EdgeNearEdge", edgeNearEdge, 1500},
                                         Family{"Sharing", sharing, 2000},
                                         Family{"Lattice", latticePair, 6000},
                                         Family{"Coplanar", coplanarPair, 6000},
                                         Family{"WithoutArea", withoutArea, 6000}),
                         [](const auto& family) { return family.param.name; });

TEST(TrianglesMeet, TouchingCounts) {
  const Triangle floor{Vec3{0, 0, 0}, Vec3{4, 0, 0}, Vec3{0, 4, 0}};
  const auto standingAt = [](const Vec3& foot) {
    return Triangle{foot, foot + Vec3{1, 0, 1}, foot + Vec3{0, 1, 2}};
  };
  EXPECT_TRUE(trianglesMeet(floor, standingAt({1, 1, 0})));
  EXPECT_TRUE(trianglesMeet(floor, standingAt({0, 0, 0})));
  EXPECT_TRUE(trianglesMeet(floor, standingAt({2, 2, 0})));
  EXPECT_FALSE(trianglesMeet(floor, standingAt({1, 1, 1e-60})));
  EXPECT_FALSE(trianglesMeet(floor, standingAt({2, std::nextafter(2.0, 3.0), 0})));
  EXPECT_FALSE(trianglesMeet(floor, standingAt({-1e-60, 1, 0})));
}

TEST(TrianglesMeet, OneInsideTheOtherInItsPlane) {
  const Triangle large{Vec3{0, 0, 1}, Vec3{8, 0, 1}, Vec3{0, 8, 1}};
  const Triangle small{Vec3{1, 1, 1}, Vec3{2, 1, 1}, Vec3{1, 2, 1}};
  EXPECT_TRUE(trianglesMeet(large, small));
  EXPECT_TRUE(trianglesMeet(small, large));
}

TEST(TrianglesMeet, SegmentsAgreeWithClippingToo) {
  Random random(23);
  int hits = 0;
  const int count = test::cases(8000);
  for (int i = 0; i < count; ++i) {
    std::array<Vec3, 4> ends;
    for (Vec3& end : ends) end = random.onLattice(1);
    if (i % 2 == 0)
      for (Vec3& end : ends) end.z = end.x;
    const auto& [p, q, r, s] = ends;
    const bool expected = test::trianglesMeetByClipping({p, q, q}, {r, s, s});
    ASSERT_EQ(segmentsMeet(p, q, r, s), expected) << i;
    hits += expected;
  }
  EXPECT_GT(hits, count / 5);
  EXPECT_LT(hits, count * 4 / 5);
}

}  // namespace
}  // namespace nearmiss
