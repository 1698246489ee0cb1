// SPDX-License-Identifier: MIT
/// Finds of a grid over large triangles, and distances from hard meshes, against every triangle.
#include "spheres/facet_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/distance_field.h"
#include "support/campaign.h"
#include "support/hard_meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// Error of floats, relative to the size of the surroundings.
constexpr Real cellRounding = 3e-6;
constexpr float infinite = std::numeric_limits<float>::infinity();

Real squareFrom(const Vec3& p, const Triangle& facet) {
  return squaredDistance(p, closestOnTriangle(p, facet));
}

Real minOf(const Vec3& p, const TriangleMesh& mesh) {
  Real least = std::numeric_limits<Real>::infinity();
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t)
    least = std::min(least, squareFrom(p, mesh.corners(t)));
  return std::sqrt(least);
}

/// A heap in which one triangle in five is a needle, a line or a point.
TriangleMesh heapWithNeedles(int count, std::uint64_t seed) {
  test::Random random(seed);
  TriangleMesh mesh = test::heap(count, seed);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += 5) {
    const Vec3& a = mesh.positions[mesh.triangles[t][0]];
    Vec3& b = mesh.positions[mesh.triangles[t][1]];
    Vec3& c = mesh.positions[mesh.triangles[t][2]];
    if (random.chance(0.3)) b = a;
    c = a + random.unit() * (b - a);
    if (random.chance(0.5)) c += std::pow(10.0, random.between(-9.0, -2.0)) * random.direction();
  }
  return mesh;
}

/// Mostly in the heap, at times around it, on a corner, or far away.
Vec3 pointAbout(const TriangleMesh& mesh, test::Random& random) {
  const auto last = static_cast<int>(mesh.positions.size()) - 1;
  const Vec3& corner = mesh.positions[static_cast<std::size_t>(random.whole(0, last))];
  if (random.chance(0.1)) return corner;
  if (random.chance(0.1)) return corner + 1e-4 * random.direction();
  return random.inCube(random.chance(0.1) ? 30.0 : 1.2);
}

TEST(FacetCells, FindTheNearestOrSayThatTheyDoNot) {
  test::Random random(1);
  int found = 0, asked = 0;
  for (const TriangleMesh& mesh : {test::heap(1500), heapWithNeedles(1500, 2)}) {
    std::vector<Triangle> facets;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) facets.push_back(mesh.corners(t));
    const FacetCells cells(facets);
    ASSERT_FALSE(cells.empty());
    for (int i = 0; i < test::cases(1000); ++i) {
      const Vec3 p = pointAbout(mesh, random);
      const Real exact = minOf(p, mesh);
      // With and without a bound known before
      const Real bound = exact * random.between(0.5, 3.0);
      float least = random.chance(0.5) ? infinite : static_cast<float>(bound * bound);
      const Real before = std::sqrt(static_cast<Real>(least));
      const auto look = [&](std::uint32_t t) {
        least = std::min(least, static_cast<float>(squareFrom(p, facets[t])));
      };
      const bool all =
          cells.search({static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z)},
                       0.0f, least, look);
      ++asked;
      found += all ? 1 : 0;
      const Real now = std::sqrt(static_cast<Real>(least));
      ASSERT_GE(now, std::min(exact, before) - cellRounding);
      if (all) {
        ASSERT_NEAR(now, std::min(exact, before), cellRounding);
      }
    }
  }
  EXPECT_GT(found, asked / 2);
  EXPECT_LT(found, asked);
}

TEST(FacetCells, AskFewOfAHeapAndStopAtTheGoal) {
  test::Random random(2);
  const TriangleMesh mesh = test::heap(1500);
  std::vector<Triangle> facets;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) facets.push_back(mesh.corners(t));
  const FacetCells cells(facets);
  std::size_t looked = 0, lookedForGoal = 0, answered = 0;
  for (int i = 0; i < 500; ++i) {
    const Vec3 p = random.inCube(0.7);
    for (const bool stops : {false, true}) {
      float least = infinite;
      const auto look = [&](std::uint32_t t) {
        ++(stops ? lookedForGoal : looked);
        least = std::min(least, static_cast<float>(squareFrom(p, facets[t])));
      };
      const FacetCells::Point at{static_cast<float>(p.x), static_cast<float>(p.y),
                                 static_cast<float>(p.z)};
      answered += cells.search(at, stops ? 1.0f : 0.0f, least, look) ? 1 : 0;
    }
  }
  EXPECT_GT(answered, 900);
  EXPECT_LT(looked, 500 * mesh.triangles.size() / 50);
  EXPECT_LT(lookedForGoal, looked);
}

TEST(FacetCells, AreNotForSmallTriangles) {
  const TriangleMesh mesh = test::torus(200, 100);
  std::vector<Triangle> facets;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) facets.push_back(mesh.corners(t));
  EXPECT_TRUE(FacetCells(facets).empty());
  // Nor for nothing
  EXPECT_TRUE(FacetCells({}).empty());
}

TEST(DistanceField, FindsTheNearestTriangleOfHardMeshes) {
  test::Random random(3);
  const Vec3 far(300.0, -200.0, 100.0);
  for (const TriangleMesh& mesh : {test::heap(1200), heapWithNeedles(1200, 4), test::heap(150),
                                   test::slivers(1000), test::spikes(400)}) {
    // Floats count from the middle, wherever that is
    TriangleMesh moved = mesh;
    for (Vec3& p : moved.positions) p += far;
    const DistanceField field(moved);
    std::uint32_t witness = 0;
    for (int i = 0; i < test::cases(300); ++i) {
      const Vec3 p = pointAbout(mesh, random);
      const Real exact = minOf(p, mesh);
      const Real error = cellRounding * (1.0 + exact);
      ASSERT_NEAR(field.distance(p + far, witness, 0.0f), exact, error);
      const Triangle nearest = mesh.corners(field.triangleOf(witness));
      ASSERT_NEAR(std::sqrt(squareFrom(p, nearest)), exact, error);
      const auto limit = static_cast<float>(exact * random.between(0.5, 2.0));
      ASSERT_NEAR(field.distance(p + far, witness, 0.0f, limit),
                  std::min(exact, static_cast<Real>(limit)), error);
      const auto enough = static_cast<float>(exact * random.between(0.5, 2.0));
      const Real some = field.distance(p + far, witness, enough);
      if (exact > static_cast<Real>(enough) + error) {
        ASSERT_NEAR(some, exact, error);
      } else {
        ASSERT_LE(some, static_cast<Real>(enough) + error);
      }
    }
  }
}

}  // namespace
}  // namespace nearmiss
