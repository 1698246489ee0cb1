// SPDX-License-Identifier: MIT
#include "geometry/winding_inside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "geometry/mesh_check.h"
#include "geometry/triangle_normal.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/pairs.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;

TriangleMesh moved(TriangleMesh mesh, const Pose& pose) {
  for (Vec3& p : mesh.positions) p = transformed(pose, p);
  return mesh;
}

/// The winding number as the sum of solid angles over all triangles [van Oosterom, Strackee 1983].
Real solidAngles(const TriangleMesh& mesh, const Vec3& point) {
  Real sum = 0.0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle corners = mesh.corners(t);
    const Vec3 a = corners[0] - point, b = corners[1] - point, c = corners[2] - point;
    const Real x = glm::length(a), y = glm::length(b), z = glm::length(c);
    const Real below = x * y * z + glm::dot(a, b) * z + glm::dot(b, c) * x + glm::dot(c, a) * y;
    sum += 2.0 * std::atan2(glm::dot(a, glm::cross(b, c)), below);
  }
  return sum / (4.0 * std::numbers::pi);
}

/// A square tube along a curve of the shape of an 8, closed: it runs through itself in the middle.
TriangleMesh crossingRibbon(int steps = 60, Real half = 0.1) {
  TriangleMesh mesh;
  for (int i = 0; i < steps; ++i) {
    const Real u = 2 * std::numbers::pi * i / steps;
    const Vec3 at(std::sin(u), std::sin(u) * std::cos(u), 0.0);
    const Vec3 along = glm::normalize(Vec3(std::cos(u), std::cos(2 * u), 0.0));
    const Vec3 side(-along.y, along.x, 0.0);
    for (const auto& [s, z] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      mesh.positions.push_back(at + half * (Real(s) * side + Vec3(0, 0, 0.7 * z)));
  }
  const auto at = [steps](int i, int j) {
    return static_cast<std::uint32_t>((i % steps) * 4 + j % 4);
  };
  for (int i = 0; i < steps; ++i)
    for (int j = 0; j < 4; ++j)
      test::addQuad(mesh, at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
  if (checkMesh(mesh).volume < 0.0) test::flip(mesh);
  return mesh;
}

TriangleMesh crossingBoxes() {
  TriangleMesh mesh = test::box({-1, -0.3, -0.3}, {1, 0.3, 0.3});
  test::append(mesh, test::box({-0.25, -1, -0.2}, {0.25, 1, 0.2}));
  return mesh;
}

TriangleMesh torusThroughBox() {
  TriangleMesh mesh = test::torus();
  test::append(mesh, test::box({0.3, -0.3, -0.5}, {1.2, 0.3, 0.5}));
  return mesh;
}

/// Several closed meshes in one, each turned and moved.
TriangleMesh randomUnion(Random& random) {
  TriangleMesh mesh;
  const int parts = random.whole(2, 4);
  for (int i = 0; i < parts; ++i) {
    TriangleMesh part;
    switch (random.whole(0, 4)) {
      case 0:
        part = test::box(-random.inCube(0.0) - Vec3(0.6), Vec3(random.between(0.1, 0.9)));
        break;
      case 1:
        part = test::torus(12, 6);
        break;
      case 2:
        part = test::spikyStar(static_cast<std::uint64_t>(random.whole(1, 1000)), 6, 8);
        break;
      case 3:
        part = test::sphere(6, 8, random.between(0.3, 1.0));
        break;
      default:
        part = test::comb(3);
        break;
    }
    // Some face inwards: what they wind about counts less
    if (i > 0 && random.chance(0.1)) test::flip(part);
    test::append(mesh, moved(part, test::randomPose(random, 0.5)));
  }
  return mesh;
}

std::vector<TriangleMesh> tangledMeshes(int random) {
  std::vector<TriangleMesh> meshes{crossingBoxes(), torusThroughBox(), crossingRibbon()};
  // Faces in one plane, and the very same faces twice
  TriangleMesh flush = test::cube();
  test::append(flush, test::cube(), {0.5, 0.5, 0.0});
  meshes.push_back(flush);
  Random draws(71);
  while (random > 0) {
    TriangleMesh mesh = randomUnion(draws);
    const MeshReport report = checkMesh(mesh);
    if (report.selfIntersections == 0 || report.volume <= 0.0) continue;
    meshes.push_back(std::move(mesh));
    --random;
  }
  return meshes;
}

/// Not within `rim` of an edge, in barycentric coordinates.
Vec3 onTriangle(Random& random, const Triangle& t, Real rim = 0.0) {
  Real u = random.unit(), v = random.unit();
  if (u + v > 1.0) {
    u = 1.0 - u;
    v = 1.0 - v;
  }
  u = rim + (1.0 - 3.0 * rim) * u;
  v = rim + (1.0 - 3.0 * rim) * v;
  return (1.0 - u - v) * t[0] + u * t[1] + v * t[2];
}

TEST(WindingInside, AgreesWithSolidAngles) {
  Random random(72);
  int inside = 0, several = 0, all = 0;
  for (const TriangleMesh& mesh : tangledMeshes(test::cases(40))) {
    const Polyhedron surface(mesh);
    const WindingInside winding(surface);
    for (int i = 0; i < 120; ++i) {
      Vec3 p = random.inCube(1.2);
      if (i % 2 == 0) {
        const auto t =
            static_cast<std::size_t>(random.whole(0, static_cast<int>(mesh.triangles.size()) - 1));
        const Triangle corners = mesh.corners(t);
        const Real off = std::pow(10.0, random.between(-6.0, -1.0)) * (i % 4 == 0 ? 1.0 : -1.0);
        p = onTriangle(random, corners) + off * unitNormalOf(corners);
      }
      const Real number = solidAngles(mesh, p);
      // Sums of angles are no integers on the surface itself
      if (std::abs(number - std::round(number)) > 0.01) continue;
      ASSERT_EQ(winding.contains(p), number > 0.5) << p.x << " " << p.y << " " << p.z;
      inside += number > 0.5;
      several += number > 1.5;
      ++all;
    }
  }
  EXPECT_GT(inside, all / 5);
  EXPECT_LT(inside, all * 4 / 5);
  EXPECT_GT(several, all / 50);
}

TEST(WindingInside, HoldsItsSurface) {
  const TriangleMesh mesh = crossingBoxes();
  const Polyhedron surface(mesh);
  const WindingInside winding(surface);
  for (const Vec3& p : mesh.positions) EXPECT_TRUE(winding.contains(p));
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle c = mesh.corners(t);
    EXPECT_TRUE(winding.contains(0.5 * (c[0] + c[1])));
  }
  EXPECT_FALSE(winding.contains({0.6, 0.6, 0.0}));
  EXPECT_FALSE(winding.contains({5.0, 0.0, 0.0}));
}

/// Every point in front of a buried triangle is inside. And no triangle is missed that nothing
/// crosses.
TEST(WindingInside, BuriesWhatLiesWithin) {
  Random random(73);
  int buried = 0, buriedAndCrossed = 0, crossing = 0, all = 0;
  for (const TriangleMesh& mesh : tangledMeshes(test::cases(40))) {
    const Polyhedron surface(mesh);
    const WindingInside winding(surface);
    std::vector<char> crossed(mesh.triangles.size(), 0);
    MeetingTriangles meeting;
    static_cast<void>(countSelfIntersections(mesh, surfaceOf(surface).boxes(), maxSelfIntersections,
                                             nullptr, &meeting));
    for (const auto& pair : meeting) crossed[pair[0]] = crossed[pair[1]] = 1;
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t, ++all) {
      const Triangle corners = mesh.corners(t);
      const Vec3 normal = unitNormalOf(corners);
      bool within = true;
      for (int i = 0; i < (crossed[t] ? 40 : 4); ++i) {
        const Vec3 p = onTriangle(random, corners, 0.05) + 1e-7 * normal;
        within = within && solidAngles(mesh, p) > 0.5;
      }
      if (!crossed[t] || winding.buried(t)) {
        ASSERT_EQ(winding.buried(t), within) << t;
      }
      crossing += crossed[t];
      buried += winding.buried(t);
      buriedAndCrossed += crossed[t] && winding.buried(t);
    }
  }
  EXPECT_GT(buried, all / 50);
  EXPECT_GT(buriedAndCrossed, 50);
  EXPECT_GT(crossing, all / 50);
}

/// Points all over the outer boundary, no farther than `spacing` from each other.
std::vector<Vec3> boundaryPoints(const TriangleMesh& mesh, Real spacing) {
  std::vector<Vec3> points;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle c = mesh.corners(t);
    const Vec3 normal = unitNormalOf(c);
    const Real longest =
        std::max({glm::distance(c[0], c[1]), glm::distance(c[1], c[2]), glm::distance(c[2], c[0])});
    const int steps = 1 + static_cast<int>(longest / spacing);
    for (int i = 0; i <= steps; ++i)
      for (int j = 0; i + j <= steps; ++j) {
        const Real u = (i + 0.25) / (steps + 1.0), v = (j + 0.25) / (steps + 1.0);
        const Vec3 p = (1.0 - u - v) * c[0] + u * c[1] + v * c[2];
        if (solidAngles(mesh, p + 1e-7 * normal) < 0.5 &&
            solidAngles(mesh, p - 1e-7 * normal) > 0.5)
          points.push_back(p);
      }
  }
  return points;
}

TEST(WindingInside, FindsTheNearestPointOfTheBoundary) {
  Random random(74);
  constexpr Real spacing = 0.04;
  int closerTriangles = 0;
  for (const TriangleMesh& mesh : tangledMeshes(test::cases(4))) {
    const Polyhedron surface(mesh);
    const WindingInside winding(surface);
    const std::vector<Vec3> boundary = boundaryPoints(mesh, spacing);
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random.inCube(1.0);
      if (!winding.contains(p)) continue;
      Real sampled = std::numeric_limits<Real>::infinity();
      for (const Vec3& q : boundary) sampled = std::min(sampled, glm::distance(p, q));
      const SurfacePoint found = winding.nearestBoundary(p);
      ASSERT_FALSE(winding.buried(found.triangle));
      ASSERT_NEAR(glm::distance(found.position, p), found.distance, 1e-12);
      ASSERT_LE(found.distance, sampled + 1e-9);
      ASSERT_GE(found.distance, sampled - spacing);
      closerTriangles += surface.nearest(p).distance < found.distance - 0.05;
    }
  }
  // Otherwise this would test Polyhedron::nearest()
  EXPECT_GT(closerTriangles, 50);
}

/// The depth of a cross of two boxes, whose triangles all cross others, in closed form.
TEST(WindingInside, KnowsTheDepthOfACross) {
  const Polyhedron surface(crossingBoxes());
  const WindingInside winding(surface);
  constexpr Real off = 1e-12;
  EXPECT_NEAR(winding.nearestBoundary({0.0, 0.0, 0.0}).distance, 0.3, off);
  EXPECT_NEAR(winding.nearestBoundary({0.0, 0.0, 0.1}).distance, 0.2, off);
  // Sideways the arms of the one are in the other
  EXPECT_NEAR(winding.nearestBoundary({0.25, 0.0, 0.0}).distance, 0.3, off);
  EXPECT_NEAR(winding.nearestBoundary({0.0, 0.7, 0.0}).distance, 0.2, 1e-12);
  EXPECT_LT(winding.resolution(), 0.02);
}

TEST(WindingInsideOf, IsOfClosedSurfacesThatIntersectThemselvesOnly) {
  EXPECT_EQ(windingInsideOf(test::treelessShape(test::cube())), nullptr);
  EXPECT_EQ(windingInsideOf(test::treelessShape(test::openTorus())), nullptr);
  TriangleMesh open = crossingBoxes();
  open.triangles.pop_back();
  EXPECT_EQ(windingInsideOf(test::treelessShape(open)), nullptr);
  const Shape tangled = test::treelessShape(crossingBoxes());
  ASSERT_FALSE(tangled.solid());
  const WindingInside* inside = windingInsideOf(tangled);
  ASSERT_NE(inside, nullptr);
  EXPECT_TRUE(inside->contains({0, 0, 0}));
  const Shape copy = tangled;
  EXPECT_EQ(windingInsideOf(copy), inside);
}

}  // namespace
}  // namespace nearmiss
