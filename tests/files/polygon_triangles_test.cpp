// SPDX-License-Identifier: MIT
#include "files/polygon_triangles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss::files {
namespace {

using Polygon = std::vector<Vec3>;

Vec3 areaOf(const Polygon& polygon) {
  Vec3 area(0.0);
  for (std::size_t i = 0; i < polygon.size(); ++i)
    area += glm::cross(polygon[i] - polygon[0], polygon[(i + 1) % polygon.size()] - polygon[0]);
  return area / 2.0;
}

/// The triangles fill a flat polygon and nothing else iff none is turned over and their areas add
/// up to its own.
void expectFilled(const Polygon& polygon) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangulate(polygon, triangles);
  ASSERT_EQ(triangles.size(), polygon.size() - 2);
  const Vec3 whole = areaOf(polygon);
  Real sum = 0.0;
  for (const auto& [a, b, c] : triangles) {
    const Vec3 area = glm::cross(polygon[b] - polygon[a], polygon[c] - polygon[a]) / 2.0;
    EXPECT_GE(glm::dot(area, whole), -1e-12 * glm::dot(whole, whole));
    sum += glm::length(area);
  }
  EXPECT_NEAR(sum, glm::length(whole), 1e-9 * glm::length(whole));
}

/// A star around the origin whose corners are at random distances: concave at about half of them.
Polygon star(test::Random& random, int corners) {
  const Vec3 u = random.direction();
  const Vec3 v = glm::normalize(glm::cross(u, random.direction()));
  Polygon polygon;
  for (int i = 0; i < corners; ++i) {
    const Real angle = 2.0 * std::numbers::pi * i / corners;
    polygon.push_back(random.between(0.2, 2.0) * (std::cos(angle) * u + std::sin(angle) * v));
  }
  return polygon;
}

TEST(PolygonTriangles, FillConcavePolygonsInAnyPlane) {
  test::Random random(3);
  int concave = 0;
  for (int round = 0; round < test::cases(400); ++round) {
    const Polygon polygon = star(random, random.whole(4, 40));
    const Vec3 whole = areaOf(polygon);
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec3& p = polygon[i];
      const Vec3& q = polygon[(i + 1) % polygon.size()];
      const Vec3& r = polygon[(i + 2) % polygon.size()];
      if (glm::dot(glm::cross(q - p, r - q), whole) < 0.0) {
        ++concave;
        break;
      }
    }
    expectFilled(polygon);
  }
  EXPECT_GT(concave, test::cases(400) * 3 / 4);
}

TEST(PolygonTriangles, FillAnArrowOfFourCorners) {
  for (int first = 0; first < 4; ++first) {
    Polygon arrow{{0, 0, 0}, {3, 1, 0}, {1, 1, 0}, {1, 3, 0}};
    std::rotate(arrow.begin(), arrow.begin() + first, arrow.end());
    expectFilled(arrow);
  }
}

TEST(PolygonTriangles, UseEveryCornerOnAStraightEdge) {
  // Each corner but the four is on an edge: a triangle without it would leave a crack
  const Polygon polygon{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 1, 0},
                        {3, 2, 0}, {1, 2, 0}, {0, 2, 0}, {0, 1, 0}};
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangulate(polygon, triangles);
  for (const auto& [a, b, c] : triangles)
    EXPECT_GT(glm::cross(polygon[b] - polygon[a], polygon[c] - polygon[a]).z, 0.0);
  expectFilled(polygon);
}

TEST(PolygonTriangles, LeaveOutAHoleThatIsCutIn) {
  // A square with a square hole, reached and left by one edge
  expectFilled({{0, 0, 0},
                {4, 0, 0},
                {4, 4, 0},
                {0, 4, 0},
                {0, 0, 0},
                {1, 1, 0},
                {1, 3, 0},
                {3, 3, 0},
                {3, 1, 0},
                {1, 1, 0}});
}

TEST(PolygonTriangles, LoseNoDigitsFarFromTheOrigin) {
  test::Random random(4);
  for (int round = 0; round < test::cases(50); ++round) {
    Polygon polygon = star(random, 12);
    for (Vec3& p : polygon) p = Vec3(std::round(p.x * 1024), std::round(p.y * 1024), 0) / 1024.0;
    Polygon far = polygon;
    for (Vec3& p : far) p += Vec3(1 << 30, 1 << 30, 1 << 30);
    std::vector<std::array<std::uint32_t, 3>> near, away;
    triangulate(polygon, near);
    triangulate(far, away);
    EXPECT_EQ(near, away);
  }
}

/// A sickle so thin that each corner outside is no ear, for a corner inside is in its triangle:
/// only at the tips there are ears, and to look at all corners for each of them anew would take
/// minutes.
TEST(PolygonTriangles, TakeNoMoreThanQuadraticTime) {
  constexpr int half = 6000;
  const Real step = 1.5 / (half - 1), within = 1.0 - 0.3 * (1.0 - std::cos(step));
  Polygon sickle;
  for (int i = 0; i < half; ++i) sickle.emplace_back(std::cos(i * step), std::sin(i * step), 0.0);
  for (int i = half - 1; i >= 0; --i)
    sickle.emplace_back(within * std::cos(i * step), within * std::sin(i * step), 0.0);
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangulate(sickle, triangles);
  EXPECT_EQ(triangles.size(), sickle.size() - 2);
}

TEST(PolygonTriangles, EndOnWhatCrossesItself) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  triangulate(Polygon{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, triangles);
  EXPECT_EQ(triangles.size(), 2u);
  triangles.clear();
  triangulate(Polygon(7, Vec3(1, 2, 3)), triangles);
  EXPECT_EQ(triangles.size(), 5u);
}

}  // namespace
}  // namespace nearmiss::files
