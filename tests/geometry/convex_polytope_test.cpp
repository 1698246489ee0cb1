// SPDX-License-Identifier: MIT
/// Polytopes of hulls: whole faces, borders that close, and the farthest corner along any
/// direction.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "geometry/convex_points.h"
#include "geometry/convex_polytope.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(ConvexPolytope, OfABoxHasSixFaces) {
  const ConvexPolytope box(convexHull(test::boxPoints({1, 2, 3})));
  ASSERT_EQ(box.vertices().size(), 8u);
  ASSERT_EQ(box.edges().size(), 12u);
  ASSERT_EQ(box.faces().size(), 6u);
  for (std::uint32_t f = 0; f < 6; ++f) ASSERT_EQ(box.loopOf(f).size(), 4u);
}

TEST(ConvexPolytope, OfACylinderHasItsSidesAndTwoEnds) {
  // Corners on the circle are rounded, but those of an end lie in one plane
  const ConvexPolytope cylinder(convexHull(test::cylinderPoints(24, 1.0, 0.5)));
  std::multiset<std::size_t> corners;
  for (std::uint32_t f = 0; f < cylinder.faces().size(); ++f)
    corners.insert(cylinder.loopOf(f).size());
  EXPECT_EQ(corners.count(24), 2u);
  EXPECT_EQ(cylinder.vertices().size(), 48u);
}

TEST(ConvexPolytope, HasFacesThatFitTogether) {
  Random random(21);
  for (int i = 0; i < test::cases(300); ++i) {
    std::vector<Vec3> points = test::convexPoints(random, i);
    const Quat turn = test::convexTurn(random, i / 7);
    for (Vec3& p : points) p = turn * p;
    const ConvexPolytope shape(convexHull(points));
    // Corners that lie in a face up to rounding have no edges
    std::size_t corners = 0;
    for (std::uint32_t v = 0; v < shape.vertices().size(); ++v)
      corners += !shape.edgesAt(v).empty();
    ASSERT_EQ(corners + shape.faces().size(), shape.edges().size() + 2);
    std::vector<int> uses(shape.edges().size(), 0);
    for (std::uint32_t f = 0; f < shape.faces().size(); ++f) {
      const auto loop = shape.loopOf(f);
      ASSERT_GE(loop.size(), 3u);
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const auto& edge = shape.edges()[loop[k].edge];
        const bool left = edge.faces[0] == f;
        ASSERT_TRUE(left || edge.faces[1] == f);
        ASSERT_EQ(edge.vertices[left ? 0 : 1], loop[k].vertex);
        ASSERT_EQ(edge.vertices[left ? 1 : 0], loop[(k + 1) % loop.size()].vertex);
        ++uses[loop[k].edge];
      }
      for (const Vec3& p : points)
        ASSERT_LE(glm::dot(shape.faces()[f].normal, p - shape.vertices()[loop[0].vertex]), 1e-12);
    }
    ASSERT_TRUE(std::ranges::all_of(uses, [](int n) { return n == 2; }));
  }
}

/// The table leads to the part of a round polytope that a direction points to: within the half
/// diagonal of a cell on the cube, at most 20 degrees, and the gaps between the corners.
TEST(ConvexPolytope, StartsNearTheFarthestCorner) {
  Random random(23);
  const ConvexPolytope shape(convexHull(test::spherePoints(random, 3000)));
  std::set<std::uint32_t> starts;
  for (int i = 0; i < test::cases(3000); ++i) {
    Vec3 direction = random.direction();
    if (i % 5 == 0) direction = glm::normalize(glm::round(1.5 * direction) + Vec3(1e-9, 0.0, 0.0));
    const std::uint32_t start = shape.fromTable(7.0 * direction);
    starts.insert(start);
    ASSERT_GT(glm::dot(glm::normalize(shape.vertices()[start]), direction), std::cos(0.45));
  }
  EXPECT_GT(starts.size(), 80u) << "of 96 cells";
}

TEST(ConvexPolytope, FindsTheFarthestCornerFromAnywhere) {
  Random random(22);
  for (int i = 0; i < test::cases(2000); ++i) {
    const ConvexPolytope shape(convexHull(test::convexPoints(random, i)));
    Vec3 direction = random.direction();
    // Along an axis, a face or an edge lies farthest as a whole
    if (i % 3 == 0) direction = glm::round(1.5 * direction);
    Real most = glm::dot(direction, shape.vertices()[0]);
    for (const Vec3& v : shape.vertices()) most = std::max(most, glm::dot(direction, v));
    const auto start = static_cast<std::uint32_t>(random.bits() % shape.vertices().size());
    for (const std::uint32_t from : {start, ConvexPolytope::noVertex}) {
      const Vec3 found = shape.vertices()[shape.farthest(direction, from)];
      ASSERT_NEAR(glm::dot(direction, found), most, 1e-13);
    }
  }
}

/// Of a corner that bulges by an ulp only, in the middle of an edge, no step seems to rise across
/// that edge.
TEST(ConvexPolytope, FindsTheFarthestCornerFromOneInAnEdge) {
  std::vector<Vec3> points;
  for (const Real z : {0.0, 1.0})
    for (const auto& [x, y] : {std::pair{0.0, 0.0},
                               {1.0, 1.0 / 3.0},
                               {3.0, 1.0},
                               {3.375, 2.75},
                               {2.0, 4.0},
                               {0.0, 10.0 / 3.0},
                               {-1.0, 3.0},
                               {-1.375, 1.25}})
      points.emplace_back(x, y, z);
  const ConvexPolytope shape(convexHull(points));
  for (const Vec3& direction : {Vec3(-1, 3, 0), Vec3(-1, 3, 1), Vec3(-1, 3, -1), Vec3(1, -3, 0)}) {
    Real most = -1e9;
    for (const Vec3& v : shape.vertices()) most = std::max(most, glm::dot(direction, v));
    for (std::uint32_t from = 0; from < shape.vertices().size(); ++from)
      EXPECT_NEAR(glm::dot(direction, shape.vertices()[shape.farthest(direction, from)]), most,
                  1e-13);
  }
}

/// A soup of triangles has several vertices where one is meant, ulps apart: the neighbours of some
/// are all there.
TEST(ConvexPolytope, FindsTheFarthestCornerAmongCopiesOfCorners) {
  Random random(24);
  for (int i = 0; i < test::cases(40); ++i) {
    std::vector<Vec3> points;
    for (const Vec3& corner : test::boxPoints(Vec3(1.0)))
      for (int copy = 0; copy < 6; ++copy) points.push_back(corner + random.inCube(4e-16));
    const ConvexPolytope shape(convexHull(points));
    for (int k = 0; k < 50; ++k) {
      const Vec3 direction = random.direction();
      const Real most = std::abs(direction.x) + std::abs(direction.y) + std::abs(direction.z);
      for (std::uint32_t start = 0; start <= shape.vertices().size(); ++start) {
        const auto from = start < shape.vertices().size() ? start : ConvexPolytope::noVertex;
        const Vec3 found = shape.vertices()[shape.farthest(direction, from)];
        ASSERT_NEAR(glm::dot(direction, found), most, 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace nearmiss
