// SPDX-License-Identifier: MIT
/// The medial axis of points on a mesh, and the points that are added where they are too few.
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <numbers>
#include <utility>
#include <vector>

#include "builders/medial.h"
#include "builders/voronoi_diagram.h"
#include "spheres/surface_samples.h"
#include "support/build_kind.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// Connected parts of the inner spheres.
std::size_t partsOf(const MedialAxis& axis) {
  std::vector<bool> seen(axis.spheres.size(), false);
  std::size_t parts = 0;
  for (std::uint32_t s = 0; s < axis.innerSpheres; ++s) {
    if (seen[s]) continue;
    ++parts;
    std::vector<std::uint32_t> open{s};
    seen[s] = true;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      for (const std::uint32_t next : axis.spheres[at].neighbours)
        if (next < axis.innerSpheres && !seen[next]) {
          seen[next] = true;
          open.push_back(next);
        }
    }
  }
  return parts;
}

/// Two wide ends and a waist that is `waist` thin.
TriangleMesh neck(Real waist) {
  return test::ball(40, 24, [waist](int i, int) {
    const Real height = std::abs(std::cos(std::numbers::pi * i / 40));
    return waist + (1.0 - waist) * height;
  });
}

/// Two cubes, face to face, `gap` apart.
TriangleMesh gap(Real gap) {
  TriangleMesh mesh = test::box({-1, -0.5, -0.5}, {-0.5 * gap, 0.5, 0.5});
  test::append(mesh, test::box({0.5 * gap, -0.5, -0.5}, {1, 0.5, 0.5}));
  return mesh;
}

class AnyAdjacency : public testing::TestWithParam<MedialAdjacency> {};

TEST_P(AnyAdjacency, SpheresLieInsideTouchTheirPointsAndKnowEachOther) {
  for (TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    const MedialAxis axis = medialAxis(polyhedron, 300, GetParam(), nullptr);
    const std::vector<Vec3> points = positionsOf(axis.points);
    ASSERT_GT(axis.innerSpheres, 300u);
    std::size_t neighbours = 0;
    for (std::uint32_t s = 0; s < axis.innerSpheres; ++s) {
      const MedialSphere& sphere = axis.spheres[s];
      // Right at the surface rounding decides
      EXPECT_TRUE(polyhedron.contains(sphere.ball.centre) ||
                  polyhedron.nearest(sphere.ball.centre).distance < 1e-6);
      EXPECT_GE(sphere.points.size(), 4u);
      for (const std::uint32_t p : sphere.points)
        EXPECT_NEAR(glm::distance(points[p], sphere.ball.centre), sphere.ball.radius, 1e-3);
      if (s % 20 == 0) {
        for (const Vec3& p : points)
          EXPECT_GE(glm::distance(p, sphere.ball.centre), sphere.ball.radius - 1e-3);
      }
      for (const std::uint32_t n : sphere.neighbours) {
        const auto& back = axis.spheres[n].neighbours;
        EXPECT_TRUE(std::binary_search(back.begin(), back.end(), s));
        EXPECT_NE(n, s);
      }
      neighbours += sphere.neighbours.size();
    }
    EXPECT_GT(neighbours, 3 * axis.innerSpheres);
  }
}

INSTANTIATE_TEST_SUITE_P(, AnyAdjacency,
                         testing::Values(MedialAdjacency::SameFace, MedialAdjacency::SharedEdge));

TEST(MedialAxis, EdgeNeighboursAreSomeOfTheFaceNeighbours) {
  const Polyhedron polyhedron(test::torus());
  const MedialAxis face = medialAxis(polyhedron, 300, MedialAdjacency::SameFace, nullptr);
  const MedialAxis edge = medialAxis(polyhedron, 300, MedialAdjacency::SharedEdge, nullptr);
  ASSERT_EQ(face.spheres.size(), edge.spheres.size());
  std::size_t fewer = 0;
  for (std::size_t s = 0; s < face.spheres.size(); ++s) {
    const auto &some = edge.spheres[s].neighbours, &all = face.spheres[s].neighbours;
    EXPECT_TRUE(std::includes(all.begin(), all.end(), some.begin(), some.end()));
    fewer += some.size() < all.size();
  }
  EXPECT_GT(fewer, face.spheres.size() / 2);
}

TEST(MedialAxis, NoTwoVerticesCoincide) {
  // Points on a grid: eight and more cells meet in one vertex
  std::vector<SurfaceSample> points;
  const Polyhedron polyhedron(test::cube());
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {-1.0, 1.0})
      for (int i = -4; i <= 4; ++i)
        for (int j = -4; j <= 4; ++j) {
          Vec3 p(0.0);
          p[axis] = side;
          p[(axis + 1) % 3] = 0.2 * i;
          p[(axis + 2) % 3] = 0.2 * j;
          points.push_back({p, polyhedron.nearest(p).triangle});
        }
  const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points));
  const Real together = 1e-5;
  const MedialAxis axis =
      medialAxis(polyhedron, points, diagram, together, MedialAdjacency::SameFace);
  ASSERT_GT(axis.innerSpheres, 50u);
  std::size_t manyPoints = 0;
  for (std::size_t i = 0; i < axis.innerSpheres; ++i) {
    manyPoints += axis.spheres[i].points.size() > 4;
    for (std::size_t j = 0; j < i; ++j)
      EXPECT_GT(glm::distance(axis.spheres[i].ball.centre, axis.spheres[j].ball.centre), together);
  }
  EXPECT_GT(manyPoints, 20u);
}

/// Wherever two vertices lie within the reach of each other, across the borders of cells too.
TEST(MedialAxis, VerticesWithinReachAreOne) {
  const Polyhedron polyhedron(test::ball(16, 16, [](int, int) { return 1.0; }));
  const std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), 400);
  const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points));
  std::size_t inside = 0;
  for (const Vec3& corner : diagram.corners) inside += polyhedron.contains(corner);
  std::size_t last = inside + 1;
  for (const Real together : {0.003, 0.02, 0.1, 0.4}) {
    const MedialAxis axis =
        medialAxis(polyhedron, points, diagram, together, MedialAdjacency::SharedEdge);
    for (std::size_t i = 0; i < axis.innerSpheres; ++i)
      for (std::size_t j = 0; j < i; ++j)
        ASSERT_GT(glm::distance(axis.spheres[i].ball.centre, axis.spheres[j].ball.centre),
                  together);
    std::size_t near = 0;
    for (const Vec3& corner : diagram.corners)
      near += polyhedron.contains(corner) &&
              std::any_of(axis.spheres.begin(), axis.spheres.end(), [&](const MedialSphere& s) {
                return glm::distance(s.ball.centre, corner) <= together;
              });
    // What stands for a vertex may lie outside
    EXPECT_GE(near * 100, inside * 98) << together;
    EXPECT_LT(axis.innerSpheres, last);
    last = axis.innerSpheres;
  }
  EXPECT_LT(last, inside / 20);
}

TEST(AliasRepair, ANeckStaysInOnePiece) {
  for (const Real waist : {0.05, 0.03}) {
    const Polyhedron polyhedron(neck(waist));
    const MedialAxis axis = medialAxis(polyhedron, 150, MedialAdjacency::SameFace, nullptr);
    EXPECT_EQ(partsOf(axis), 1u) << "waist " << waist;
    EXPECT_GT(axis.points.size(), 150u);
  }
}

TEST(AliasRepair, AGapStaysOpen) {
  std::size_t bridged = 0;
  for (const Real width : {0.1, 0.05, 0.02}) {
    const Polyhedron polyhedron(gap(width));
    std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), 150);
    const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points));
    bridged +=
        partsOf(medialAxis(polyhedron, points, diagram, 1e-6, MedialAdjacency::SameFace)) == 1;
    EXPECT_FALSE(missingPoints(polyhedron, points, diagram, 1000).empty());
    EXPECT_EQ(partsOf(medialAxis(polyhedron, 150, MedialAdjacency::SameFace, nullptr)), 2u)
        << "gap " << width;
  }
  // Without repair so few points do bridge it
  EXPECT_GT(bridged, 0u);
}

TEST(AliasRepair, LeavesPlainBodiesAlone) {
  const Polyhedron polyhedron(test::sphere());
  const std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), 300);
  EXPECT_TRUE(missingPoints(polyhedron, points, voronoiDiagram(positionsOf(points)), 1000).empty());
}

/// Details of a large body may all lie in one cell: 29,000 triangles.
TEST(AliasRepair, TakesLittleTimeForManyTrianglesInACell) {
  constexpr std::uint32_t side = 120;
  TriangleMesh mesh = test::cube(1.0);
  const auto first = static_cast<std::uint32_t>(mesh.positions.size());
  test::Random random(6);
  for (std::uint32_t i = 0; i <= side; ++i)
    for (std::uint32_t k = 0; k <= side; ++k)
      mesh.positions.push_back({1e-5 * i, 1e-5 * k, 1.001 + 1e-6 * random.unit()});
  for (std::uint32_t i = 0; i < side; ++i)
    for (std::uint32_t k = 0; k < side; ++k) {
      const std::uint32_t at = first + i * (side + 1) + k;
      mesh.triangles.push_back({at, at + side + 1, at + side + 2});
      mesh.triangles.push_back({at, at + side + 2, at + 1});
    }
  const Polyhedron polyhedron(std::move(mesh));
  const std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), 300);
  const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points));
  const std::clock_t start = std::clock();
  // The sheet is one part, apart from the cube
  EXPECT_EQ(missingPoints(polyhedron, points, diagram, 1000).size(), 1u);
  EXPECT_LT(std::clock() - start, test::soon(2));
}

TEST(MedialAxis, PointsWithoutAnInsideStandForThemselves) {
  const Polyhedron plate(TriangleMesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  const MedialAxis axis = medialAxis(plate, 100, MedialAdjacency::SameFace, nullptr);
  EXPECT_EQ(axis.innerSpheres, 0u);
  ASSERT_EQ(axis.spheres.size(), 100u);
  for (const MedialSphere& sphere : axis.spheres) {
    EXPECT_EQ(sphere.ball.radius, 0.0);
    EXPECT_GE(sphere.neighbours.size(), 2u);
  }
}

TEST(MedialAxis, IsEmptyOnceCancelled) {
  const Polyhedron polyhedron(test::cube(1.0));
  const std::vector<SurfaceSample> points = evenPoints(polyhedron.mesh(), 60);
  const VoronoiDiagram diagram = voronoiDiagram(positionsOf(points));
  std::atomic<bool> cancelled = false;
  const auto spheres = [&] {
    return medialAxis(polyhedron, points, diagram, 1e-6, MedialAdjacency::SameFace, &cancelled)
        .spheres.size();
  };
  EXPECT_GT(spheres(), 0u);
  cancelled = true;
  EXPECT_EQ(spheres(), 0u);
}

}  // namespace
}  // namespace nearmiss
