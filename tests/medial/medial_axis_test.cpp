// SPDX-License-Identifier: MIT
/// From even points to the medial-axis surface, step by step.
#include <gtest/gtest.h>
#include <nearmiss/polyhedron.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "geometry/closest_points.h"
#include "medial/alias_repair.h"
#include "medial/medial_axis.h"
#include "medial/voronoi_diagram.h"
#include "sampling/even_points.h"
#include "sampling/point_grid.h"
#include "sampling/winding_field.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

std::vector<Vec3> positionsOf(const std::vector<SurfaceSample>& points) {
  std::vector<Vec3> positions;
  for (const SurfaceSample& point : points) positions.push_back(point.position);
  return positions;
}

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
      // What is nearest in a needle a millionth wide is known less precisely than its box
      const Triangle triangle = mesh.corners(point.triangle);
      Box box;
      for (const Vec3& corner : triangle) box.include(corner);
      EXPECT_LE(squaredDistance(box, point.position), 1e-24 * size * size);
      EXPECT_LE(glm::distance(closestOnTriangle(point.position, triangle), point.position),
                1e-4 * size);
    }
  }
}

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

TEST(WindingField, AgreesWithTheExactTest) {
  Random random(3);
  for (TriangleMesh& mesh : test::variousMeshes()) {
    const WindingField winding(mesh);
    TriangleMesh reversed = mesh;
    test::flip(reversed);
    const WindingField inverse(reversed);
    const TriangleMesh copy = mesh;
    const Polyhedron polyhedron(copy);
    int inside = 0;
    for (int i = 0; i < test::cases(1000); ++i) {
      const Vec3 p = random.inCube(1.0);
      // Right at the surface rounding decides
      if (polyhedron.nearest(p).distance < 1e-6) continue;
      const bool truth = polyhedron.contains(p);
      EXPECT_EQ(winding.inside(p), truth);
      EXPECT_EQ(inverse.inside(p), truth);
      EXPECT_NEAR(winding.winding(p), truth ? 1.0 : 0.0, 0.05);
      inside += truth;
    }
    EXPECT_GT(inside, 10);
  }
}

TEST(WindingField, KnowsTheInsideOfAnOpenBox) {
  TriangleMesh mesh = test::cube();
  mesh.triangles.pop_back();
  const WindingField winding(mesh);
  EXPECT_TRUE(winding.inside({0, 0, 0}));
  EXPECT_FALSE(winding.inside({2, 0, 0}));
  EXPECT_FALSE(winding.inside({0, 0, 3}));
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

}  // namespace
}  // namespace nearmiss
