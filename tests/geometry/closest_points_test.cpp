// SPDX-License-Identifier: MIT
/// Nearest points of triangles against rational numbers, for triangles of any shape down to slivers
/// without an area.
#include "geometry/closest_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "oracle/rational.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::cross;
using test::dot;
using test::minus;
using test::Rational;
using test::RationalPoint;

Rational squaredDistanceOfSegment(const RationalPoint& point, const RationalPoint& p,
                                  const RationalPoint& q) {
  const RationalPoint along = minus(q, p), from = minus(point, p);
  const Rational length = dot(along, along), at = dot(along, from);
  if (at <= 0) return dot(from, from);
  if (at >= length) return dot(minus(point, q), minus(point, q));
  return dot(from, from) - at * at / length;
}

/// That of the plane where the point lies above the triangle, else that of the nearest edge.
Real exactDistance(const Vec3& from, const Triangle& triangle) {
  const RationalPoint point = test::rational(from);
  const std::array<RationalPoint, 3> t{test::rational(triangle[0]), test::rational(triangle[1]),
                                       test::rational(triangle[2])};
  const RationalPoint normal = cross(minus(t[1], t[0]), minus(t[2], t[0]));
  bool above = !test::isZero(normal);
  Rational least = dot(minus(point, t[0]), minus(point, t[0]));
  for (std::size_t i = 0; i < 3; ++i) {
    const RationalPoint &p = t[i], &q = t[(i + 1) % 3];
    least = std::min(least, squaredDistanceOfSegment(point, p, q));
    above = above && dot(cross(minus(q, p), minus(point, p)), normal) >= 0;
  }
  if (above) {
    const Rational height = dot(minus(point, t[0]), normal);
    least = height * height / dot(normal, normal);
  }
  return std::sqrt(static_cast<Real>(least));
}

/// A triangle of size about 1 whose height is about `height`: a needle, or a cap, whose third
/// corner lies beside an edge. The corners come in any order.
Triangle sliver(test::Random& random, Real height) {
  const Vec3 a = random.inCube(1.0), along = random.direction();
  const Vec3 b = a + random.between(0.5, 1.0) * along;
  const Real place = random.chance(0.5) ? random.unit() : random.chance(0.5) ? 0.0 : 1.0;
  const Vec3 c = a + place * (b - a) + height * glm::cross(along, random.direction());
  Triangle triangle{a, b, c};
  std::rotate(triangle.begin(), triangle.begin() + random.whole(0, 2), triangle.end());
  if (random.chance(0.5)) std::swap(triangle[0], triangle[1]);
  return triangle;
}

/// A point within 2 of the triangle, at any distance, often above it or beside an edge.
Vec3 pointAbout(const Triangle& t, test::Random& random) {
  const Real u = random.between(-0.2, 1.2), v = random.between(-0.2, 1.2 - u);
  const Vec3 near = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
  return near + std::pow(10.0, random.between(-12.0, 0.0)) * random.direction();
}

/// How far the point found is from the triangle and from being nearest, whichever is more.
Real errorOf(const Vec3& point, const Triangle& triangle) {
  const Vec3 found = closestOnTriangle(point, triangle);
  return std::max(std::abs(glm::distance(found, point) - exactDistance(point, triangle)),
                  exactDistance(found, triangle));
}

TEST(ClosestOnTriangle, IsNearestOnTrianglesOfUsualShape) {
  test::Random random(1);
  int above = 0;
  for (int i = 0; i < test::cases(500); ++i) {
    const Triangle triangle{random.inCube(1.0), random.inCube(1.0), random.inCube(1.0)};
    const Vec3 normal = glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]);
    if (glm::length(normal) < 0.05) continue;
    const Vec3 point = pointAbout(triangle, random);
    ASSERT_LE(errorOf(point, triangle), 1e-14);
    const Vec3 away = point - closestOnTriangle(point, triangle);
    above += glm::length(glm::cross(away, normal)) < 1e-6 * glm::length(away) ? 1 : 0;
  }
  EXPECT_GT(above, 50);
}

TEST(ClosestOnTriangle, IsNearestOnSlivers) {
  test::Random random(2);
  for (int i = 0; i < test::cases(2000); ++i) {
    const Real height = std::pow(10.0, random.between(-6.0, 0.0));
    const Triangle triangle = sliver(random, height);
    ASSERT_LE(errorOf(pointAbout(triangle, random), triangle), 1e-14 / height) << height;
  }
}

/// Where corners are hardly apart from a line any more, an edge is as near as any point.
TEST(ClosestOnTriangle, IsNearestOnWhatIsHardlyATriangle) {
  test::Random random(3);
  int flat = 0;
  for (int i = 0; i < test::cases(2000); ++i) {
    const Real height = random.chance(0.2) ? 0.0 : std::pow(10.0, random.between(-17.0, -6.0));
    const Triangle triangle = sliver(random, height);
    flat += glm::cross(triangle[1] - triangle[0], triangle[2] - triangle[0]) == Vec3(0.0) ? 1 : 0;
    ASSERT_LE(errorOf(pointAbout(triangle, random), triangle), 1e-9) << height;
  }
  EXPECT_GT(flat, 50);
}

/// There an edge is farther than the plane, whose normal has lost half of its digits.
TEST(ClosestOnTriangle, IsNearestCloseAboveSlivers) {
  test::Random random(5);
  for (int i = 0; i < test::cases(300); ++i) {
    const Real height = std::pow(10.0, random.between(-13.0, -6.0));
    const Vec3 a = random.inCube(1.0), along = random.direction();
    const Vec3 across = glm::normalize(glm::cross(along, random.direction()));
    const Triangle triangle{a, a + along, a + random.between(0.2, 0.8) * along + height * across};
    const Vec3 above = std::pow(10.0, random.between(-12.0, -7.0)) * glm::cross(along, across);
    const Real u = random.unit(), v = random.between(0.0, 1.0 - u);
    const Vec3 point =
        triangle[0] + u * (triangle[1] - triangle[0]) + v * (triangle[2] - triangle[0]) + above;
    ASSERT_LE(errorOf(point, triangle), 1e-9) << height;
  }
}

/// Two roofs whose ridges cross in the middle, one above the other.
TEST(TriangleDistance, IsThatOfEdgesThatCrossAtAnyAngle) {
  test::Random random(6);
  for (int i = 0; i < test::cases(300); ++i) {
    const Real turn = std::pow(10.0, random.between(-14.0, 0.0));
    const Real gap = std::pow(10.0, random.between(-12.0, 0.0));
    const Real place = random.between(-0.5, 0.5);
    const Triangle below{Vec3(-1, 0, 0), {1, 0, 0}, {0, 0, -1}};
    const Triangle above{Vec3(place - 0.5, -turn, gap), {place + 0.5, turn, gap}, {0, 0, gap + 1}};
    ASSERT_NEAR(std::sqrt(squaredDistance(below, above)), gap, 1e-15) << turn;
    ASSERT_NEAR(std::sqrt(closestPoints(below, above).squared), gap, 1e-15) << turn;
  }
}

/// Triangles that cross, that share a corner or an edge, or that lie in one plane.
TEST(PointOfBoth, LiesInBothTriangles) {
  test::Random random(7);
  int meeting = 0, touching = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    const auto corner = [&] { return random.inCube(1.0); };
    const Triangle a{corner(), corner(), corner()};
    Triangle b{corner(), corner(), corner()};
    if (i % 8 == 1) b[0] = a[1];
    if (i % 8 == 2) b = {a[1], a[0], b[2]};
    if (i % 8 == 3) b[0] = a[0] + 0.3 * (a[1] - a[0]) + 0.2 * (a[2] - a[0]);
    if (i % 8 == 4)
      for (Vec3& p : b) p = a[0] + p.x * (a[1] - a[0]) + p.y * (a[2] - a[0]);
    if (!trianglesMeet(a, b)) continue;
    ++(i % 8 != 0 && i % 8 < 5 ? touching : meeting);
    const Vec3 point = pointOfBoth(a, b);
    ASSERT_LE(glm::distance(point, closestOnTriangle(point, a)), 1e-9) << i;
    ASSERT_LE(glm::distance(point, closestOnTriangle(point, b)), 1e-9) << i;
  }
  EXPECT_GT(meeting, test::cases(3000) / 50);
  EXPECT_GT(touching, test::cases(3000) / 10);
}

TEST(ClosestOnTriangle, TakesSegmentsAndPointsForTriangles) {
  test::Random random(4);
  for (int i = 0; i < test::cases(300); ++i) {
    const Vec3 a = random.inCube(1.0), b = i % 3 == 0 ? a : random.inCube(1.0);
    Triangle triangle{a, a, b};
    std::rotate(triangle.begin(), triangle.begin() + i % 3, triangle.end());
    ASSERT_LE(errorOf(pointAbout({a, b, a}, random), triangle), 1e-14);
  }
}

}  // namespace
}  // namespace nearmiss
