// SPDX-License-Identifier: MIT
/// How deep polytopes reach into each other, beside all directions that can count.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "geometry/convex_points.h"
#include "geometry/expanding_polytope.h"
#include "geometry/gjk.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::Random;

/// By the normals of all faces and of all pairs of edges: the least translation is along one.
Real trueDepth(const ConvexPolytope& a, const ConvexPolytope& b, const glm::dmat3& axes,
               const Vec3& position) {
  Real least = std::numeric_limits<Real>::infinity();
  const auto offer = [&](const Vec3& direction) {
    const Real length = glm::length(direction);
    if (!(length > 1e-12)) return;
    for (const Real sign : {-1.0, 1.0}) {
      const Vec3 unit = sign / length * direction;
      Real most = -std::numeric_limits<Real>::infinity(), low = -most;
      for (const Vec3& v : a.vertices()) most = std::max(most, glm::dot(unit, v));
      for (const Vec3& v : b.vertices()) low = std::min(low, glm::dot(unit, axes * v + position));
      least = std::min(least, most - low);
    }
  };
  for (const auto& face : a.faces()) offer(face.normal);
  for (const auto& face : b.faces()) offer(axes * face.normal);
  for (const auto& p : a.edges())
    for (const auto& q : b.edges())
      offer(glm::cross(a.vertices()[p.vertices[1]] - a.vertices()[p.vertices[0]],
                       axes * (b.vertices()[q.vertices[1]] - b.vertices()[q.vertices[0]])));
  return least;
}

TEST(Penetration, IsTheLeastAlongAllDirections) {
  Random random(41);
  const int count = test::cases(400);
  int meeting = 0;
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    const ConvexPolytope a(convexHull(test::convexPoints(random, i))),
        b(convexHull(test::convexPoints(random, i / 7)));
    const glm::dmat3 axes = glm::mat3_cast(test::convexTurn(random, i));
    const Vec3 position = random.inCube(0.8);
    const ConvexPair pair(a, b, axes, position);
    const ConvexPenetration found = penetrationOf(pair);
    const Real truth = trueDepth(a, b, axes, position);
    ASSERT_EQ(found.meet, truth >= 0.0) << truth;
    if (!found.meet) continue;
    ++meeting;
    ASSERT_NEAR(glm::length(found.direction), 1.0, 1e-12);
    ASSERT_LE(found.lower, truth + 1e-11);
    ASSERT_NEAR(found.upper, truth, 1e-9);
    // Moved so far they touch at most, and no nearer
    const ConvexPair parted(a, b, axes, position + found.upper * found.direction);
    ASSERT_LE(gjkDistance(parted).upper, 1e-9);
    const ConvexPair farther(a, b, axes, position + (found.upper + 1e-6) * found.direction);
    ASSERT_GT(gjkDistance(farther).lower, 0.5e-6);
  }
  EXPECT_GT(meeting, 3 * count / 10);
  EXPECT_LT(meeting, 95 * count / 100);
}

/// What lies beyond a bevelled base, or beside a long edge, is found by no axis and no diagonal.
TEST(Penetration, IsThatOfSolidsThatLookFlatAtFirst) {
  const std::array<std::vector<Vec3>, 5> solids{{
      {{1, 1, -1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {0.25, 0, 0.25}},
      {{1, 1, -1}, {1, -1, -1}, {-1, -1, 1}, {-1, 1, 1}, {0.25, 0, 0.25}, {-0.25, 0, -0.25}},
      {{3, 0, -1}, {-3, 0, 1}, {0, 3, -2}, {0, -3, 2}, {2, -1, 0}, {-2, 1, 0}, {0.1, 0.2, 0.3}},
      {{1, 2, 4}, {-1, -2, -4}, {0.0625, -0.03125, 0}, {0.125, 0, -0.03125}},
      {{1, 2, 4}, {-1, -2, -4}, {0.25, -0.125, 0}, {-0.5, -1, 0.625}, {0.25, 0.5, -0.3125}},
  }};
  Random random(43);
  for (const std::vector<Vec3>& corners : solids) {
    const ConvexPolytope solid(convexHull(corners));
    ASSERT_FALSE(solid.flat());
    for (int i = 0; i < 20; ++i) {
      const Vec3 position = i == 0 ? Vec3(0.0) : (i % 2 ? 0.02 : 0.2) * random.inCube(1.0);
      const ConvexPenetration found = penetrationOf({solid, solid, glm::dmat3(1.0), position});
      const Real truth = trueDepth(solid, solid, glm::dmat3(1.0), position);
      ASSERT_EQ(found.meet, truth >= 0.0) << i;
      ASSERT_FALSE(found.flat);
      if (!found.meet) continue;
      ASSERT_LE(found.lower, truth + 1e-11);
      ASSERT_NEAR(found.upper, truth, 1e-9);
    }
  }
}

TEST(Penetration, IsNoneOfBodiesApartAndOfFlatOnesInOnePlane) {
  const ConvexPolytope box(convexHull(test::boxPoints(Vec3(1.0))));
  EXPECT_FALSE(penetrationOf({box, box, glm::dmat3(1.0), {2.5, 0, 0}}).meet);
  const ConvexPenetration touching = penetrationOf({box, box, glm::dmat3(1.0), {2, 0, 0}});
  EXPECT_LE(touching.upper, 1e-12);
  const ConvexPolytope plate(convexHull(std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  const ConvexPenetration flat = penetrationOf({plate, plate, glm::dmat3(1.0), {0.25, 0.25, 0}});
  EXPECT_TRUE(flat.meet && flat.flat);
  EXPECT_EQ(flat.upper, 0.0);
  EXPECT_EQ(glm::abs(flat.direction), Vec3(0, 0, 1));
  EXPECT_FALSE(penetrationOf({plate, plate, glm::dmat3(1.0), {0.75, 0.75, 0}}).meet);
  EXPECT_FALSE(penetrationOf({plate, plate, glm::dmat3(1.0), {0.25, 0.25, 0.5}}).meet);
  const ConvexPenetration through = penetrationOf({box, plate, glm::dmat3(1.0), {0.5, 0, 0.5}});
  EXPECT_TRUE(through.meet);
  EXPECT_NEAR(through.upper, 0.5, 1e-12);
}

}  // namespace
}  // namespace nearmiss
