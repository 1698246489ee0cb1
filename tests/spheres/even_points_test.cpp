// SPDX-License-Identifier: MIT
/// Points that are spread evenly over a mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "geometry/closest_points.h"
#include "spheres/point_grid.h"
#include "spheres/surface_samples.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

TEST(EvenPoints, KeepTheirDistanceAndLieOnTheirTriangles) {
  for (const TriangleMesh& mesh :
       {test::cube(), test::sphere(), test::torus(), test::comb(), test::bedOfNails()}) {
    const std::size_t count = 800;
    const std::vector<SurfaceSample> points = evenPoints(mesh, count);
    ASSERT_EQ(points.size(), count);
    const std::vector<Vec3> positions = positionsOf(points);
    const Real spacing = evenSpacing(mesh, count);
    const PointGrid grid(positions, 2.0 * spacing);
    const auto normal = [&](std::uint32_t i) {
      const auto c = mesh.corners(points[i].triangle);
      return glm::normalize(glm::cross(c[1] - c[0], c[2] - c[0]));
    };
    std::vector<Real> distances;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Vec3 onTriangle = closestOnTriangle(positions[i], mesh.corners(points[i].triangle));
      EXPECT_LE(glm::distance(onTriangle, positions[i]), 1e-12);
      Real nearest = 2.0 * spacing;
      grid.forEachNear(positions[i], 2.0 * spacing, [&](std::uint32_t j) {
        // The two sides of a thin part leave each other alone
        if (j != i && glm::dot(normal(i), normal(j)) > -0.2)
          nearest = std::min(nearest, glm::distance(positions[i], positions[j]));
      });
      distances.push_back(nearest);
    }
    // Points drawn at random are 0.5 of the spacing from their nearest on average, one in fifty
    // within 0.08; the densest packing gives 1.07
    std::sort(distances.begin(), distances.end());
    EXPECT_GT(distances[count / 50], 0.4 * spacing);
    EXPECT_GT(distances[count / 2], 0.7 * spacing);
    EXPECT_GT(distances[0], 0.0);
  }
}

TEST(EvenPoints, LieOnNeedlesToo) {
  const TriangleMesh mesh = test::needleAmongOthers();
  for (const SurfaceSample& point : evenPoints(mesh, 300)) {
    const Vec3 onTriangle = closestOnTriangle(point.position, mesh.corners(point.triangle));
    ASSERT_LE(glm::distance(onTriangle, point.position), 1e-12);
  }
}

TEST(EvenPoints, FallToTrianglesByTheirArea) {
  // The areas of the sides of a box are known; each must get its share within a few deviations
  const TriangleMesh mesh = test::box({0, 0, 0}, {3, 2, 1});
  const std::size_t count = 2200;
  std::vector<Real> share(3, 0.0);
  for (const SurfaceSample& point : evenPoints(mesh, count)) {
    const auto c = mesh.corners(point.triangle);
    const Vec3 normal = glm::abs(glm::cross(c[1] - c[0], c[2] - c[0]));
    ++share[normal.x > normal.y && normal.x > normal.z ? 0 : normal.y > normal.z ? 1 : 2];
  }
  const Real expected[] = {2200.0 * 4 / 22, 2200.0 * 6 / 22, 2200.0 * 12 / 22};
  Real chiSquare = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    chiSquare += (share[i] - expected[i]) * (share[i] - expected[i]) / expected[i];
  EXPECT_LT(chiSquare, 9.2);
}

TEST(EvenPoints, StayOnOpenAndFlawedMeshes) {
  for (const TriangleMesh& mesh : test::allMeshes()) {
    const auto points = evenPoints(mesh, 100);
    ASSERT_EQ(points.size(), 100u);
    const Real size = glm::length(boundingBox(mesh).extent()) + glm::length(mesh.positions[0]);
    for (const SurfaceSample& point : points) {
      // The nearest point in a needle a millionth wide is known less precisely than its box
      const Triangle triangle = mesh.corners(point.triangle);
      Box box;
      for (const Vec3& corner : triangle) box.include(corner);
      EXPECT_LE(squaredDistance(box, point.position), 1e-24 * size * size);
      EXPECT_LE(glm::distance(closestOnTriangle(point.position, triangle), point.position),
                1e-4 * size);
    }
  }
}

TEST(EvenSample, TakesAnyOfPiecesWithoutALength) {
  std::vector<SurfacePiece> pieces(10);
  EXPECT_EQ(evenSample(pieces, 4), (std::vector<std::uint32_t>{0, 2, 5, 7}));
  pieces[3].corners[0] = Vec3(1.0);
  EXPECT_EQ(evenSample(pieces, 4), (std::vector<std::uint32_t>{3}));
}

}  // namespace
}  // namespace nearmiss
