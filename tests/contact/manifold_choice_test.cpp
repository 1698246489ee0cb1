// SPDX-License-Identifier: MIT
/// Which points a manifold has, and on which side of an open sheet.
#include <gtest/gtest.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <vector>

#include "support/campaign.h"
#include "support/queried_shapes.h"

namespace nearmiss {
namespace {

using test::treelessShape;

/// Whatever pair was asked about before, and whichever of two corners was the deeper.
TEST(ManifoldChoice, HasTheDeepestPoint) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0}));
  const Shape cube = treelessShape(test::cube(0.5)), other = treelessShape(test::cube(0.5));
  ManifoldSettings one;
  one.maxPoints = 1;
  ManifoldQuery query;
  const auto ask = [&](const Shape& shape, Real angle) {
    query.begin(plate, {}, shape,
                {{0, 0, 0.45}, glm::angleAxis(angle, glm::normalize(Vec3(0.1, 1, 0)))}, one);
    return query.refine().points.front();
  };
  ask(cube, 0.02);
  const ManifoldPoint tilted = ask(other, -0.002);
  const ManifoldPoint alone =
      contactManifold(plate, {}, other,
                      {{0, 0, 0.45}, glm::angleAxis(-0.002, glm::normalize(Vec3(0.1, 1, 0)))}, one)
          .points.front();
  EXPECT_EQ(tilted.id, alone.id);
  ask(cube, 0.02);
  EXPECT_EQ(ask(cube, -0.002).depth, alone.depth);
}

TEST(ManifoldChoice, RemembersThePointsWhenBegunTwice) {
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0}));
  const Shape cube = treelessShape(test::cube(0.5));
  ManifoldSettings one;
  one.maxPoints = 1;
  // Four corners of one depth: without a memory the first of them
  const Pose flat{{0, 0, 0.45}, glm::identity<Quat>()};
  const Pose tilted{flat.position, glm::angleAxis(-0.002, glm::normalize(Vec3(0.3, 1, 0)))};
  const std::uint64_t first = contactManifold(plate, {}, cube, flat, one).points.front().id;
  ManifoldQuery query;
  std::uint64_t kept = first;
  for (const Real turn : {0.0, 0.5, 1.0, 1.5}) {
    const Quat about = glm::angleAxis(turn * std::numbers::pi, Vec3(0, 0, 1));
    const Pose leaning{flat.position, about * tilted.rotation * glm::conjugate(about)};
    query.begin(plate, {}, cube, leaning, one);
    kept = query.refine().points.front().id;
    if (kept != first) break;
  }
  ASSERT_NE(kept, first);
  query.begin(plate, {}, cube, flat, one);
  query.begin(plate, {}, cube, flat, one);
  EXPECT_EQ(query.refine().points.front().id, kept);
}

/// A box that touches an open sheet, from either side.
TEST(ManifoldChoice, OfAnOpenSheetPointsToWhereTheOtherLies) {
  TriangleMesh quad{{{-3, -3, 0}, {3, -3, 0}, {3, 3, 0}, {-3, 3, 0}}, {}};
  test::addQuad(quad, 0, 1, 2, 3);
  const Shape sheet = treelessShape(quad), box = treelessShape(test::cube(0.5));
  for (const Real side : {-1.0, 1.0}) {
    const Pose at{{0, 0, 0.5 * side}, glm::identity<Quat>()};
    const ContactManifold of = contactManifold(sheet, {}, box, at);
    ASSERT_EQ(of.points.size(), 4u);
    for (const ManifoldPoint& point : of.points)
      EXPECT_NEAR(point.normal.z, -side, 1e-9) << "from the box to the sheet";
    const ContactManifold swapped = contactManifold(box, at, sheet, {});
    ASSERT_EQ(swapped.points.size(), 4u);
    for (const ManifoldPoint& point : swapped.points) EXPECT_NEAR(point.normal.z, side, 1e-9);
  }
}

struct FlushPair {
  const char* name;
  Shape below, above;
  Vec3 at;
  Real depth;
};

std::vector<FlushPair> flushPairs() {
  const Shape cube = treelessShape(test::cube(0.5));
  const Shape plate = treelessShape(test::box({-3, -3, -1}, {3, 3, 0}));
  return {{"stacked", cube, cube, {0, 0, 1}, 0.0},
          {"pressed into each other", cube, cube, {0, 0, 0.9}, 0.1},
          {"half over, stacked", cube, cube, {0.5, 0, 1}, 0.0},
          {"half over", cube, cube, {0.5, 0, 0.9}, 0.1},
          {"at a rim", plate, cube, {2.5, 0.3, 0.45}, 0.05},
          {"at a corner", plate, cube, {2.5, -2.5, 0.45}, 0.05},
          {"on a rim", plate, cube, {2.5, 0.3, 0.5}, 0.0}};
}

/// A body on another, whose sides lie in the planes of sides of that.
TEST(ManifoldChoice, OfWhatIsFlushIsAsDeepAsItOverlaps) {
  test::Random random(7);
  for (const FlushPair& pair : flushPairs()) {
    for (int i = 0; i < 12; ++i) {
      SCOPED_TRACE(pair.name);
      SCOPED_TRACE(i);
      const Pose whole = i == 0 ? Pose{} : Pose{random.inCube(3.0), random.rotation()};
      const Pose on{transformed(whole, pair.at), whole.rotation};
      const Vec3 up = whole.rotation * Vec3(0, 0, 1);
      // Rounding may leave a gap
      const ManifoldSettings settings{i == 0 ? 0.0 : 1e-9, 4};
      for (const bool swapped : {false, true}) {
        const ContactManifold found =
            swapped ? contactManifold(pair.above, on, pair.below, whole, settings)
                    : contactManifold(pair.below, whole, pair.above, on, settings);
        ASSERT_EQ(found.points.size(), 4u);
        Real widest = 0.0;
        for (const ManifoldPoint& point : found.points) {
          EXPECT_NEAR(point.depth, pair.depth, 1e-9);
          EXPECT_NEAR(glm::dot(point.normal, up), swapped ? 1.0 : -1.0, 1e-9);
          EXPECT_LT(glm::distance(point.onB - point.onA, point.depth * point.normal), 1e-8);
          for (const ManifoldPoint& other : found.points)
            widest = std::max(widest, glm::distance(point.onA, other.onA));
        }
        EXPECT_GT(widest, 1.1) << "the patch";
      }
    }
  }
}

/// Cubes of equal faces that take the same place have points, and so do smaller ones within, whose
/// vertices all lie along walls.
TEST(ManifoldChoice, OfTheSamePlaceIsNotEmpty) {
  const Shape cube = treelessShape(test::cube(0.5)), less = treelessShape(test::cube(0.5 - 1e-11));
  for (const Shape& other : {cube, less}) {
    EXPECT_FALSE(contactManifold(cube, {}, other, {}).points.empty());
    EXPECT_FALSE(contactManifold(other, {}, cube, {}).points.empty());
  }
}

}  // namespace
}  // namespace nearmiss
