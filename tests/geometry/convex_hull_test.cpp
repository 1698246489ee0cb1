// SPDX-License-Identifier: MIT
/// Hulls by exact arithmetic: nothing lies outside, every corner is one, the surface is closed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "geometry/convex_hull.h"
#include "geometry/convex_points.h"
#include "geometry/exact_predicates.h"
#include "support/campaign.h"

namespace nearmiss {
namespace {

using test::Random;

bool lies(const std::vector<Vec3>& all, const Vec3& p) {
  return std::ranges::find(all, p) != all.end();
}

/// By planes through all triples of points: those that have all others on one side hold the faces.
std::vector<Vec3> cornersByBruteForce(const std::vector<Vec3>& points) {
  // A corner is what a plane through it and two others shows to be beyond all the rest: with p
  // taken away, the hull of the rest does not hold p
  std::vector<Vec3> corners;
  for (const Vec3& p : points) {
    std::vector<Vec3> rest;
    for (const Vec3& q : points)
      if (q != p) rest.push_back(q);
    bool inside = true;
    // Every plane through three of the rest that has them all on one side must have p there too
    for (std::size_t i = 0; i < rest.size() && inside; ++i)
      for (std::size_t j = i + 1; j < rest.size() && inside; ++j)
        for (std::size_t k = j + 1; k < rest.size() && inside; ++k) {
          int above = 0, below = 0;
          for (const Vec3& q : rest) {
            const int side = orientation(rest[i], rest[j], rest[k], q);
            above += side > 0;
            below += side < 0;
          }
          if (above + below == 0 || (above > 0 && below > 0)) continue;
          const int own = orientation(rest[i], rest[j], rest[k], p);
          inside = own == 0 || (own > 0) == (above > 0);
        }
    if (!inside) corners.push_back(p);
  }
  return corners;
}

TEST(ConvexHull, HoldsAllPointsAndIsClosed) {
  Random random(11);
  for (int i = 0; i < test::cases(700); ++i) {
    std::vector<Vec3> points = test::convexPoints(random, i);
    const Vec3 shift = i % 3 == 0 ? random.inCube(1000.0) : Vec3(0.0);
    const Quat turn = test::convexTurn(random, i / 7);
    for (Vec3& p : points) p = turn * p + shift;
    const ConvexHull hull = convexHull(points);
    ASSERT_FALSE(hull.flat());
    for (const Vec3& v : hull.vertices) ASSERT_TRUE(lies(points, v));
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    std::set<std::uint32_t> used;
    for (const auto& t : hull.triangles) {
      for (std::size_t k = 0; k < 3; ++k) {
        ++edges[{t[k], t[(k + 1) % 3]}];
        used.insert(t[k]);
      }
      for (const Vec3& p : points)
        ASSERT_GE(orientation(hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]], p), 0);
      ASSERT_FALSE(collinear(hull.vertices[t[0]], hull.vertices[t[1]], hull.vertices[t[2]]));
    }
    for (const auto& [edge, count] : edges) {
      ASSERT_EQ(count, 1);
      ASSERT_EQ(edges.count({edge.second, edge.first}), 1u);
    }
    ASSERT_EQ(used.size(), hull.vertices.size());
    // Euler: one piece without holes
    ASSERT_EQ(hull.vertices.size() + hull.triangles.size(), edges.size() / 2 + 2);
  }
}

TEST(ConvexHull, HasExactlyTheCorners) {
  Random random(12);
  int inner = 0;
  for (int i = 0; i < test::cases(60); ++i) {
    // A lattice: most points lie within faces and edges
    std::vector<Vec3> points;
    for (int k = 0; k < 14; ++k) {
      const Vec3 p = random.onLattice(2);
      if (!lies(points, p)) points.push_back(p);
    }
    const ConvexHull hull = convexHull(points);
    if (hull.flat()) continue;
    auto expected = cornersByBruteForce(points);
    auto found = hull.vertices;
    const auto key = [](const Vec3& p) { return std::tuple(p.x, p.y, p.z); };
    std::ranges::sort(expected, {}, key);
    std::ranges::sort(found, {}, key);
    ASSERT_EQ(found, expected);
    inner += found.size() < points.size();
  }
  EXPECT_GT(inner, test::cases(60) / 2);
}

TEST(ConvexHull, OfAPlaneALineOrAPointIsFlat) {
  EXPECT_TRUE(convexHull(std::vector<Vec3>{{1, 2, 3}}).flat());
  EXPECT_EQ(convexHull(std::vector<Vec3>{{1, 2, 3}, {1, 2, 3}}).vertices.size(), 1u);
  EXPECT_TRUE(convexHull(std::vector<Vec3>{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}).flat());
  std::vector<Vec3> plate;
  Random random(13);
  for (int i = 0; i < 50; ++i) {
    const Vec3 p = random.onLattice(8);
    plate.push_back({p.x, p.y, p.x - 2.0 * p.y});
  }
  EXPECT_TRUE(convexHull(plate).flat());
  plate.push_back({0, 0, 1e-9});
  EXPECT_FALSE(convexHull(plate).flat());
}

/// At the tip as many planes meet as there are triangles: comparing all of them with each other
/// would take the square of their number.
TEST(ConvexHull, OfAConeWithAFineBaseIsSoonFound) {
  std::vector<Vec3> points = test::cylinderPoints(20000, 1.0, 0.0);
  points.push_back({0.0, 0.0, 1.0});
  const ConvexHull hull = convexHull(points);
  EXPECT_EQ(hull.vertices.size(), 20001u);
  EXPECT_EQ(hull.triangles.size(), 2 * 20001u - 4);
}

}  // namespace
}  // namespace nearmiss
