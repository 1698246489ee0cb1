// SPDX-License-Identifier: MIT
/// Voronoi cells of points: their corners, and the faces between them.
#include <nearmiss/advanced/predicates.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "builders/voronoi_diagram.h"
#include "spheres/surface_samples.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(VoronoiDiagram, CornersAreAsFarFromEveryPointThatMeetsThere) {
  for (const TriangleMesh& mesh : {test::torus(), test::spikyStar(1), test::cube()}) {
    const std::vector<Vec3> points = positionsOf(evenPoints(mesh, 400));
    const VoronoiDiagram diagram = voronoiDiagram(points);
    ASSERT_EQ(diagram.cornerBegin.size(), points.size() + 1);
    const Box bounds = boundingBox(mesh);
    std::size_t inner = 0;
    for (std::uint32_t p = 0; p < points.size(); ++p) {
      EXPECT_LT(diagram.cornerBegin[p], diagram.cornerBegin[p + 1]);
      for (const auto& face : diagram.facesOf(p))
        for (std::uint32_t i = face.begin; i < face.end; ++i) {
          const Vec3 corner = diagram.corners[diagram.faceCorners[i]];
          // Farther out it may have been moved to the wall
          if (!bounds.contains(corner)) continue;
          const Real own = glm::distance(corner, points[p]);
          EXPECT_NEAR(own, glm::distance(corner, points[face.neighbour]), 1e-8);
          // And no point lies nearer: the sphere is empty
          if (i != face.begin || ++inner % 10 != 0) continue;
          for (const Vec3& other : points) EXPECT_GE(glm::distance(corner, other), own - 1e-8);
        }
    }
    EXPECT_GT(inner, 1000u);
  }
}

/// Six times the volume of the tetrahedron 0, a, b, c, with its sign.
std::int64_t volumeOf(const std::array<std::int64_t, 3>& a, const std::array<std::int64_t, 3>& b,
                      const std::array<std::int64_t, 3>& c) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/// Above 0: `e` lies inside the sphere through the other four; 0: on it, or those lie in a plane.
/// Exact for coordinates from 0 to 1,023, where nothing exceeds 63 bits.
std::int64_t inSphere(const std::array<Vec3, 4>& on, const Vec3& e) {
  std::array<std::array<std::int64_t, 3>, 4> to;
  std::array<std::int64_t, 4> square;
  for (std::size_t i = 0; i < 4; ++i) {
    square[i] = 0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto d = static_cast<std::int64_t>(on[i][axis] - e[axis]);
      to[i][static_cast<std::size_t>(axis)] = d;
      square[i] += d * d;
    }
  }
  std::array<std::array<std::int64_t, 3>, 3> edges;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) edges[i][axis] = to[i][axis] - to[3][axis];
  const std::int64_t orientation = volumeOf(edges[0], edges[1], edges[2]);
  const std::int64_t determinant =
      -square[0] * volumeOf(to[1], to[2], to[3]) + square[1] * volumeOf(to[0], to[2], to[3]) -
      square[2] * volumeOf(to[0], to[1], to[3]) + square[3] * volumeOf(to[0], to[1], to[2]);
  return orientation > 0 ? determinant : orientation < 0 ? -determinant : 0;
}

/// The sign convention of the oracle itself.
TEST(VoronoiDiagram, TheOracleKnowsInsideFromOutside) {
  std::array<Vec3, 4> on{Vec3(10, 10, 10), {20, 10, 10}, {10, 20, 10}, {10, 10, 20}};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_GT(inSphere(on, {15, 15, 15}), 0);
    EXPECT_EQ(inSphere(on, {20, 20, 20}), 0);
    EXPECT_LT(inSphere(on, {21, 20, 20}), 0);
    EXPECT_LT(inSphere(on, {900, 10, 1000}), 0);
    std::swap(on[0], on[1]);
  }
}

/// Every corner is the centre of an empty sphere through the points whose cells meet there, decided
/// exactly: on random points, and on a lattice with many on one sphere.
TEST(VoronoiDiagram, SpheresOfCornersAreEmpty) {
  for (const int coarseness : {1, 128}) {
    Random random(36);
    std::vector<Vec3> points;
    for (int i = 0; i < 250; ++i) {
      Vec3 p;
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = coarseness * random.whole(0, 1023 / coarseness);
      if (std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
    }
    const VoronoiDiagram diagram = voronoiDiagram(points);
    // The neighbours across the faces around each corner, by cell
    std::vector<std::vector<std::uint32_t>> around(diagram.corners.size());
    for (std::uint32_t p = 0; p < points.size(); ++p)
      for (const auto& face : diagram.facesOf(p))
        for (std::uint32_t i = face.begin; i < face.end; ++i)
          around[diagram.faceCorners[i]].push_back(face.neighbour);
    int proven = 0, onSphere = 0;
    for (std::uint32_t p = 0; p < points.size(); ++p)
      for (std::uint32_t c = diagram.cornerBegin[p]; c < diagram.cornerBegin[p + 1]; ++c) {
        if (around[c].size() < 3) continue;  // at the wall
        const std::array<Vec3, 4> on{points[p], points[around[c][0]], points[around[c][1]],
                                     points[around[c][2]]};
        for (const Vec3& other : points) {
          const std::int64_t inside = inSphere(on, other);
          ASSERT_LE(inside, 0) << coarseness << " " << c;
          onSphere += inside == 0;
        }
        ++proven;
      }
    EXPECT_GT(proven, 2000) << coarseness;
    // The four themselves, and more of a lattice
    EXPECT_GE(onSphere, 4 * proven);
    EXPECT_EQ(2 * onSphere > 9 * proven, coarseness > 1) << onSphere << " of " << proven;
  }
}

/// Thousands of faces meet in the corner below the tip of a cone.
TEST(VoronoiDiagram, BearsAnyNumberOfPointsOnOneCircle) {
  std::vector<Vec3> points{{0, 0, 1}};
  for (int i = 0; i < 4500; ++i) {
    const Real angle = 2.0 * std::numbers::pi * i / 4500;
    points.emplace_back(std::cos(angle), std::sin(angle), 0.0);
  }
  const VoronoiDiagram diagram = voronoiDiagram(points);
  ASSERT_EQ(diagram.cornerBegin.size(), points.size() + 1);
  for (std::uint32_t p = 0; p < points.size(); ++p)
    EXPECT_LT(diagram.cornerBegin[p], diagram.cornerBegin[p + 1]);
  // Those around the bottom share a face with the tip
  EXPECT_GT(diagram.facesOf(0).size(), 1000u);
}

TEST(VoronoiDiagram, FacesAreSharedByBothSides) {
  const std::vector<Vec3> points = positionsOf(evenPoints(test::comb(), 300));
  const VoronoiDiagram diagram = voronoiDiagram(points);
  std::size_t faces = 0, unshared = 0;
  for (std::uint32_t p = 0; p < points.size(); ++p)
    for (const auto& face : diagram.facesOf(p)) {
      ++faces;
      const auto back = diagram.facesOf(face.neighbour);
      unshared += std::none_of(back.begin(), back.end(),
                               [p](const auto& other) { return other.neighbour == p; });
    }
  EXPECT_GT(faces, 1500u);
  // Only a face without area may be seen from one side alone
  EXPECT_LE(unshared, faces / 200);
}

TEST(VoronoiDiagram, BearsRepeatedAndLonelyPoints) {
  const std::vector<Vec3> lonely{{3, 4, 5}};
  EXPECT_EQ(voronoiDiagram(lonely).facesOf(0).size(), 0u);
  const std::vector<Vec3> repeated{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
  const VoronoiDiagram diagram = voronoiDiagram(repeated);
  EXPECT_EQ(diagram.facesOf(0).size(), 1u);
  EXPECT_EQ(diagram.facesOf(2).size(), 0u);
}

}  // namespace
}  // namespace nearmiss
