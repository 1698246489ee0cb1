// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <numeric>

#include "oracle/distance.h"
#include "oracle/solid.h"
#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::append;
using test::cube;
using test::Random;

TEST(CleanMesh, WeldsASoupBackToASolid) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    TriangleMesh soup = test::loose(mesh);
    const MeshCleaning cleaning = *cleanMesh(soup, 0.0);
    EXPECT_EQ(soup.positions.size(), mesh.positions.size());
    EXPECT_EQ(soup.triangles.size(), mesh.triangles.size());
    EXPECT_EQ(cleaning.weldedVertices, 3 * mesh.triangles.size() - mesh.positions.size());
    EXPECT_EQ(cleaning.unusedVertices, 0u);
    EXPECT_TRUE(checkMesh(soup).solid());
  }
}

TEST(CleanMesh, WeldsWithinTheDistanceAndNotBeyond) {
  TriangleMesh soup = test::loose(test::sphere());
  Random random(1);
  for (Vec3& p : soup.positions) p += random.direction() * (1e-4 * random.unit());
  TriangleMesh welded = soup;
  ASSERT_TRUE(cleanMesh(welded, 3e-4));
  EXPECT_EQ(welded.positions.size(), test::sphere().positions.size());
  EXPECT_TRUE(checkMesh(welded).closed());

  ASSERT_TRUE(cleanMesh(soup, 1e-9));
  EXPECT_GT(soup.positions.size(), 900u);
  EXPECT_EQ(checkMesh(soup).boundaryEdges, 3 * soup.triangles.size());
}

TEST(CleanMesh, WeldsBelowTheDistanceOnly) {
  for (const auto& [gap, welded] : {std::pair{0.0999, 1u}, {0.1001, 0u}}) {
    TriangleMesh mesh{{{0.95, 0, 0}, {0.95 + gap, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                      {{0, 2, 3}, {1, 3, 2}}};
    EXPECT_EQ(cleanMesh(mesh, 0.1)->weldedVertices, welded);
  }
}

TEST(CleanMesh, WeldsEveryKeptPairApart) {
  Random random(2);
  TriangleMesh mesh;
  for (int i = 0; i < 600; ++i) mesh.positions.push_back(random.inCube(0.2));
  for (std::uint32_t i = 0; i + 2 < mesh.positions.size(); ++i)
    mesh.triangles.push_back({i, i + 1, i + 2});
  ASSERT_TRUE(cleanMesh(mesh, 0.05));
  EXPECT_LT(mesh.positions.size(), 500u);
  for (std::size_t i = 0; i < mesh.positions.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ASSERT_GE(glm::distance(mesh.positions[i], mesh.positions[j]), 0.05 * (1 - 1e-12));
}

/// Every point of a triangle that there was lies on a triangle that there is, within the distance.
TEST(CleanMesh, LosesNothingFartherThanTheDistance) {
  constexpr Real distance = 1e-3;
  Random random(5);
  std::size_t collapsed = 0, apart = 0;
  for (int round = 0; round < test::cases(200); ++round) {
    TriangleMesh mesh = cube();
    // Spikes, specks and slivers, whose corners are nearer to each other than the distance
    for (int part = 0; part < 4; ++part) {
      TriangleMesh more = test::tetrahedron();
      const Vec3 foot = random.inCube(1.5);
      for (Vec3& p : more.positions) p = foot + random.direction() * (distance * random.unit());
      if (part % 2 == 0) more.positions.back() += random.direction() * random.unit();
      append(mesh, more, Vec3(0.0));
    }
    const TriangleMesh before = mesh;
    const MeshCleaning cleaning = *cleanMesh(mesh, distance);
    EXPECT_LE(cleaning.weldedDistance, distance);
    collapsed += cleaning.degenerateTriangles;
    apart += cleaning.keptApart;
    for (std::size_t t = 0; t < before.triangles.size(); ++t) {
      const auto [a, b, c] = before.corners(t);
      for (const Vec3& p : {a, b, c, (a + b + c) / 3.0, 0.5 * (a + b), 0.9 * a + 0.1 * c}) {
        Real nearest = 1e9;
        for (std::size_t u = 0; u < mesh.triangles.size(); ++u)
          nearest = std::min(nearest, test::pointToTriangle(p, mesh.corners(u)));
        ASSERT_LE(nearest, distance * (1 + 1e-9));
      }
    }
  }
  EXPECT_GT(collapsed, 100u);
  EXPECT_GT(apart, 100u);
}

/// All vertices stay, in one cell of the grid: none is compared with all others.
TEST(CleanMesh, TakesAWeldDistanceBeyondTheMesh) {
  TriangleMesh mesh = test::sphere(250, 280);
  const std::size_t vertices = mesh.positions.size();
  const std::clock_t begin = std::clock();
  const MeshCleaning cleaning = *cleanMesh(mesh, 100.0);
  EXPECT_LT(std::clock() - begin, test::soon(2));
  EXPECT_EQ(mesh.positions.size(), vertices);
  EXPECT_EQ(cleaning.keptApart, vertices);
}

/// Each triangle that is kept unwelds the next vertex: round after round would go by.
TEST(CleanMesh, WeldsNothingWhereThatTakesTooManyRounds) {
  for (const auto& [length, apart] : {std::pair{20, 39u}, {100, 298u}}) {
    TriangleMesh mesh{{{0, 0, 0}}, {}};
    for (std::uint32_t last = 0, i = 1; i < static_cast<std::uint32_t>(length); ++i) {
      // A vertex is welded to the one aside only as long as the one before is welded too
      mesh.positions.push_back({0.9 * i, i % 2 == 0 ? -0.95 : 0.95, 0});
      mesh.positions.push_back({0.9 * i, 0, 0});
      mesh.positions.push_back({0.9 * i, 50.0 + i, 30.0 * i});
      mesh.triangles.push_back({last, 3 * i - 1, 3 * i});
      last = 3 * i - 1;
    }
    const std::size_t triangles = mesh.triangles.size();
    EXPECT_EQ(cleanMesh(mesh, 1.0)->keptApart, apart);
    EXPECT_EQ(mesh.triangles.size(), triangles);
  }
}

TEST(CleanMesh, ZeroDistanceWeldsMinusZeroToZero) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 0, 1}},
                    {{0, 1, 2}, {3, 2, 4}}};
  EXPECT_EQ(cleanMesh(mesh, 0.0)->weldedVertices, 1u);
  EXPECT_EQ(mesh.triangles[1], (std::array<std::uint32_t, 3>{0, 2, 3}));
}

TEST(CleanMesh, DropsWhatIsWorthNothing) {
  TriangleMesh mesh = cube();
  const TriangleMesh clean = mesh;
  mesh.positions.push_back({5, 5, 5});
  // Three in a line exactly, although no two coordinates are exact thirds
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  mesh.positions.insert(mesh.positions.end(), {{0.1, 0.2, 0.3}, {0.2, 0.4, 0.6}, {0.4, 0.8, 1.2}});
  mesh.triangles.push_back({first, first + 1, first + 2});
  mesh.triangles.push_back({0, 0, 1});
  mesh.triangles.push_back({mesh.triangles[0][1], mesh.triangles[0][2], mesh.triangles[0][0]});
  const MeshCleaning cleaning = *cleanMesh(mesh, 0.0);
  EXPECT_EQ(cleaning.degenerateTriangles, 2u);
  EXPECT_EQ(cleaning.duplicateTriangles, 1u);
  EXPECT_EQ(cleaning.unusedVertices, 4u);
  EXPECT_EQ(mesh.triangles, clean.triangles);
  EXPECT_EQ(mesh.positions, clean.positions);
}

TEST(CleanMesh, KeepsTheBackOfATriangle) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {1, 0, 2}}};
  EXPECT_EQ(cleanMesh(mesh, 0.0)->duplicateTriangles, 0u);
  EXPECT_EQ(mesh.triangles.size(), 2u);
}

TEST(CleanMesh, KeepsASliverThatIsNotQuiteALine) {
  TriangleMesh mesh{{{0, 0, 0}, {1, 1, 1}, {2, 2, std::nextafter(2.0, 3.0)}}, {{0, 1, 2}}};
  EXPECT_EQ(cleanMesh(mesh, 0.0)->degenerateTriangles, 0u);
}

TEST(CheckMesh, FindsNothingWrongWithSolids) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const MeshReport report = checkMesh(mesh);
    EXPECT_TRUE(report.solid());
    EXPECT_EQ(report.nonManifoldVertices, 0u);
    EXPECT_EQ(report.components, 1u);
  }
  EXPECT_DOUBLE_EQ(checkMesh(cube()).volume, 8.0);
  EXPECT_DOUBLE_EQ(checkMesh(test::tetrahedron()).volume, 8.0 / 3.0);
  // Five teeth of 1/8 by 1/4 by 1 on a spine of 9/8 by 1/4 by 1/4
  EXPECT_DOUBLE_EQ(checkMesh(test::comb()).volume, 5.0 / 32 + 9.0 / 128);
}

TEST(CheckMesh, FindsAHole) {
  TriangleMesh mesh = cube();
  mesh.triangles.pop_back();
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.boundaryEdges, 3u);
  EXPECT_FALSE(report.closed());
}

TEST(CheckMesh, FindsAFlippedTriangle) {
  TriangleMesh mesh = cube();
  std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.misorientedEdges, 3u);
  EXPECT_EQ(report.boundaryEdges, 0u);
  EXPECT_FALSE(report.closed());
}

TEST(CheckMesh, FindsAThirdTriangleOnAnEdge) {
  TriangleMesh mesh = cube();
  mesh.positions.push_back({0, -3, -3});
  mesh.triangles.push_back({0, 1, 8});
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.nonManifoldEdges, 1u);
  EXPECT_EQ(report.boundaryEdges, 2u);
  EXPECT_EQ(report.selfIntersections, 0u);
}

TEST(CheckMesh, FindsInsideOut) {
  TriangleMesh mesh = cube();
  test::flip(mesh);
  const MeshReport report = checkMesh(mesh);
  EXPECT_TRUE(report.closed());
  EXPECT_DOUBLE_EQ(report.volume, -8.0);
  EXPECT_FALSE(report.solid());
}

TEST(CheckMesh, CountsComponents) {
  TriangleMesh mesh = cube();
  append(mesh, cube(0.5), {4, 0, 0});
  append(mesh, test::tetrahedron(), {0, 7, 0});
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.components, 3u);
  EXPECT_TRUE(report.solid());
  EXPECT_NEAR(report.volume, 8.0 + 1.0 + 8.0 / 3.0, 1e-12);
}

TEST(CheckMesh, FindsPiecesThatFaceTheWrongWay) {
  TriangleMesh small = cube(0.25);
  TriangleMesh beside = cube();
  append(beside, small, {4, 0, 0});
  EXPECT_EQ(checkMesh(beside).misorientedComponents, 0u);
  TriangleMesh nested = cube();
  append(nested, small);
  EXPECT_EQ(checkMesh(nested).misorientedComponents, 1u);
  EXPECT_FALSE(checkMesh(nested).solid());

  test::flip(small);
  TriangleMesh hollow = cube();
  append(hollow, small);
  EXPECT_EQ(checkMesh(hollow).misorientedComponents, 0u);
  EXPECT_TRUE(checkMesh(hollow).solid());
  TriangleMesh besideInsideOut = cube();
  append(besideInsideOut, small, {4, 0, 0});
  EXPECT_EQ(checkMesh(besideInsideOut).misorientedComponents, 1u);
  EXPECT_FALSE(checkMesh(besideInsideOut).solid());
}

TEST(CheckMesh, FindsABowTieVertex) {
  // Two tetrahedra that share one vertex only
  TriangleMesh mesh = test::tetrahedron();
  const TriangleMesh other = test::tetrahedron();
  for (int i = 1; i < 4; ++i) mesh.positions.push_back(Vec3(2.0) - other.positions[i]);
  for (const auto& t : other.triangles) {
    const auto at = [](std::uint32_t v) { return v == 0 ? 0 : v + 3; };
    mesh.triangles.push_back({at(t[0]), at(t[2]), at(t[1])});
  }
  const MeshReport report = checkMesh(mesh);
  EXPECT_EQ(report.nonManifoldVertices, 1u);
  EXPECT_EQ(report.components, 1u);
  EXPECT_TRUE(report.closed());
  EXPECT_EQ(report.selfIntersections, 0u);
}

TEST(CheckMesh, FindsSelfIntersections) {
  // Overlapping copies
  TriangleMesh mesh = cube();
  append(mesh, cube(), {0.5, 0.25, 0.125});
  EXPECT_GT(checkMesh(mesh).selfIntersections, 0u);
  EXPECT_FALSE(checkMesh(mesh).solid());

  // Touching copies, with vertices of their own
  TriangleMesh stacked = cube();
  append(stacked, cube(), {2, 0, 0});
  EXPECT_GT(checkMesh(stacked).selfIntersections, 0u);

  // A tip pushed through the wall on the other side: the neighbours at the tip stay innocent
  TriangleMesh pierced = test::sphere(6, 8);
  pierced.positions.front().z = -1.5;
  EXPECT_GT(checkMesh(pierced).selfIntersections, 0u);
}

TEST(CheckMesh, FindsAFoldBetweenNeighbours) {
  // Two triangles over one edge, folded flat onto each other, then by a hair not
  TriangleMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.75, 0}}, {{0, 1, 2}, {1, 0, 3}}};
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 1u);
  mesh.positions[3].z = 1e-18;
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 0u);
  mesh.positions[3] = {0.25, -0.75, 0};
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 0u);
}

TEST(CheckMesh, FindsNeighboursAtAVertexThatCross) {
  TriangleMesh mesh{{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}, {1, 1, -1}, {2, 2, 3}},
                    {{0, 1, 2}, {0, 3, 4}}};
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 1u);
  std::swap(mesh.triangles[0], mesh.triangles[1]);
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 1u);
  // The same, but meeting in the shared vertex only
  mesh.positions[3] = {-1, -1, -1};
  mesh.positions[4] = {-2, -2, 3};
  EXPECT_EQ(checkMesh(mesh).selfIntersections, 0u);
}

TEST(CheckMesh, AgreesWithClippingOnRandomSoups) {
  Random random(9);
  std::size_t all = 0;
  for (int round = 0; round < 20; ++round) {
    TriangleMesh soup;
    for (int i = 0; i < 40; ++i) {
      const Vec3 at = random.inCube(2.0);
      const auto first = static_cast<std::uint32_t>(soup.positions.size());
      for (int k = 0; k < 3; ++k) soup.positions.push_back(at + random.inCube(0.7));
      soup.triangles.push_back({first, first + 1, first + 2});
    }
    std::size_t expected = 0;
    for (std::size_t i = 0; i < soup.triangles.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        expected += test::meetExactly(soup.corners(i), soup.corners(j));
    ASSERT_EQ(checkMesh(soup).selfIntersections, expected);
    all += expected;
  }
  EXPECT_GT(all, 40u);
}

TEST(CheckMesh, TakesAnEmptyMesh) {
  const MeshReport report = checkMesh({});
  EXPECT_EQ(report.components, 0u);
  EXPECT_FALSE(report.solid());
}

TEST(Mesh, BoundsHoldEveryVertex) {
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Box box = boundingBox(mesh);
    const test::Rational radius(radiusAboutOrigin(mesh));
    test::Rational largest = 0;
    for (const Vec3& p : mesh.positions) {
      EXPECT_TRUE(box.contains(p));
      const auto q = test::rational(p);
      largest = std::max<test::Rational>(largest, test::dot(q, q));
    }
    EXPECT_LE(largest, radius * radius);
    EXPECT_GT(largest, radius * radius * test::Rational(1 - 1e-14));
  }
}

TEST(Mesh, HashTellsMeshesApart) {
  const TriangleMesh mesh = test::sphere();
  const std::uint64_t hash = hashOf(mesh);
  TriangleMesh other = mesh;
  EXPECT_EQ(hashOf(other), hash);
  other.positions[17].y = std::nextafter(other.positions[17].y, 2.0);
  EXPECT_NE(hashOf(other), hash);
  other = mesh;
  std::swap(other.triangles[3], other.triangles[4]);
  EXPECT_NE(hashOf(other), hash);
  other = mesh;
  std::swap(other.positions[0].x, other.positions[0].z);
  EXPECT_NE(hashOf(other), hash);
}

TEST(Mesh, HashIsTheSameOnEveryMachine) { EXPECT_EQ(hashOf(cube()), 13030887213004703419u); }

}  // namespace
}  // namespace nearmiss
