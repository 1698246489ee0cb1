// SPDX-License-Identifier: MIT
/// Exact answers up to the ends of the range of coordinates, and a refusal beyond.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "geometry/mesh_check.h"
#include "oracle/rational.h"
#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::Random;
using testing::HasSubstr;

/// Powers of two just within the range, so that scaling by them rounds nothing.
constexpr Real tinySize = 0x1p-199, greatSize = 0x1p199;
static_assert(tinySize >= minMagnitude && tinySize < 2.0 * minMagnitude);
static_assert(greatSize <= maxMagnitude && greatSize > 0.5 * maxMagnitude);

/// 0 or a magnitude at one end of the range or the other, or between.
Real atTheEnds(Random& random) {
  const Real sign = random.chance(0.5) ? 1.0 : -1.0;
  switch (random.whole(0, 6)) {
    case 0:
      return 0.0;
    case 1:
      return sign * minMagnitude;
    case 2:
      return sign * maxMagnitude;
    case 3:
      return sign * minMagnitude * random.between(1.0, 4.0);
    case 4:
      return sign * maxMagnitude * random.between(0.25, 1.0);
    case 5:
      return sign * std::pow(10.0, random.between(-59.0, 59.0));
    default:
      return sign * random.unit();
  }
}

Vec3 pointAtTheEnds(Random& random) {
  const Real x = atTheEnds(random), y = atTheEnds(random), z = atTheEnds(random);
  return {x, y, z};
}

/// The next double, but never out of the range.
Real nudged(Random& random, Real a) {
  if (a == 0.0) return random.chance(0.5) ? minMagnitude : -minMagnitude;
  const Real to = std::nextafter(a, random.chance(0.5) ? 2.0 * a : 0.0);
  return std::fabs(to) >= minMagnitude && std::fabs(to) <= maxMagnitude ? to : a;
}

TEST(CoordinateRange, OrientationIsExactAtItsEnds) {
  Random random(3);
  std::array<int, 3> signs{};
  for (int i = 0; i < test::cases(8000); ++i) {
    std::array<Vec3, 4> p;
    for (Vec3& corner : p) corner = pointAtTheEnds(random);
    // A plane along an axis, then a hair off it: signs that only exact arithmetic tells
    const int axis = random.whole(0, 2);
    if (random.chance(0.5))
      for (Vec3& corner : p) corner[axis] = p[0][axis];
    if (random.chance(0.5)) p[3][axis] = nudged(random, p[3][axis]);
    const int expected = test::rationalOrientation(p[0], p[1], p[2], p[3]);
    ++signs[static_cast<std::size_t>(expected + 1)];
    ASSERT_EQ(orientation(p[0], p[1], p[2], p[3]), expected) << "case " << i;
  }
  for (const int count : signs) EXPECT_GT(count, 400) << "one sign is hardly tested";
}

TEST(CoordinateRange, TrianglesMeetExactlyAtItsEnds) {
  Random random(5);
  const std::array<Real, 3> scales{tinySize, 1.0, greatSize / 4.0};
  int hits = 0;
  const int count = test::cases(1500);
  for (int i = 0; i < count; ++i) {
    // Each axis at an end of its own: products mix the least with the greatest
    const Vec3 by(scales[static_cast<std::size_t>(random.whole(0, 2))],
                  scales[static_cast<std::size_t>(random.whole(0, 2))],
                  scales[static_cast<std::size_t>(random.whole(0, 2))]);
    Triangle a, b;
    for (Triangle* t : {&a, &b})
      for (Vec3& p : *t) {
        p = by * random.onLattice(2);
        if (random.chance(0.1)) p.x = nudged(random, p.x);
      }
    const bool expected = test::trianglesMeetByClipping(a, b);
    hits += expected;
    ASSERT_EQ(trianglesMeet(a, b), expected) << "case " << i;
  }
  EXPECT_GT(hits, count / 5);
  EXPECT_LT(hits, count * 4 / 5);
}

/// A mesh of coordinates that are multiples of an eighth, so that it can be scaled to either end.
TriangleMesh coarse(TriangleMesh mesh) {
  for (Vec3& p : mesh.positions) p = glm::round(p * 8.0) / 8.0;
  cleanUnlessCancelled(mesh, 0.0, nullptr);
  return mesh;
}

TEST(CoordinateRange, EveryAnswerScales) {
  Random random(7);
  int inside = 0;
  for (const Real scale : {0x1p-196, 0x1p-49, 0x1p48, 0x1p196})
    for (const TriangleMesh& mesh : test::solidMeshes()) {
      const Polyhedron plain(coarse(mesh));
      TriangleMesh scaled = plain.mesh();
      for (Vec3& p : scaled.positions) p *= scale;
      Real greatest = 0.0;
      for (const Vec3& p : scaled.positions)
        greatest = std::max({greatest, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
      const bool within = greatest >= minMeshSize && greatest <= maxMeshSize;
      EXPECT_EQ(makePolyhedron(scaled).has_value(), within);
      // Exact beyond what any door lets in, but assertions do not let it in either
      if (!within && test::hasAssertions) continue;
      const auto made = std::make_unique<Polyhedron>(scaled);
      EXPECT_EQ(made->report().solid(), plain.report().solid());
      EXPECT_EQ(made->report().selfIntersections, plain.report().selfIntersections);
      EXPECT_EQ(made->report().volume, plain.report().volume * scale * scale * scale);
      EXPECT_EQ(made->radius(), plain.radius() * scale);
      for (int i = 0; i < 200; ++i) {
        const Vec3 p = random.inCube(1.0);
        const bool isInside = plain.contains(p);
        inside += isInside;
        ASSERT_EQ(made->contains(p * scale), isInside);
        const SurfacePoint near = plain.nearest(p), nearScaled = made->nearest(p * scale);
        ASSERT_EQ(nearScaled.triangle, near.triangle);
        ASSERT_EQ(nearScaled.distance, near.distance * scale);
      }
      const Pose apart{Vec3(2.5, 0.25, 0.5), glm::identity<Quat>()};
      const Pose apartScaled{apart.position * scale, apart.rotation};
      EXPECT_EQ(distanceBetween(*made, *made, apartScaled),
                distanceBetween(plain, plain, apart) * scale);
    }
  EXPECT_GT(inside, 50);
}

std::string refusalOf(const TriangleMesh& mesh) {
  const auto checked = checkTriangles(mesh);
  return checked ? "" : checked.error().message;
}

TEST(CoordinateRange, BeyondItsEndsMeshesAreRefused) {
  constexpr Real infinity = std::numeric_limits<Real>::infinity();
  const Real bad[] = {std::nextafter(minMagnitude, 0.0),
                      std::nextafter(maxMeshSize, infinity),
                      1e60,
                      std::numeric_limits<Real>::denorm_min(),
                      1e-300,
                      1e300,
                      infinity,
                      std::numeric_limits<Real>::quiet_NaN()};
  for (const Real value : bad)
    for (int axis = 0; axis < 3; ++axis)
      for (const Real sign : {-1.0, 1.0}) {
        TriangleMesh mesh = test::cube();
        mesh.positions[5][axis] = sign * value;
        const std::string refused = refusalOf(mesh);
        EXPECT_THAT(refused, HasSubstr(std::string("vertex 5: ") + "xyz"[axis] + " is "));
        EXPECT_THAT(refused, HasSubstr("must be 0 or of a magnitude from 1e-60 to 1e15"));
        const auto made = makePolyhedron(mesh);
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, ErrorCode::BadFormat);
        EXPECT_EQ(made.error().message, refused);
      }
  for (const Real value : {0.0, -0.0, minMagnitude, maxMeshSize}) {
    TriangleMesh mesh = test::cube();
    mesh.positions[5].y = value;
    EXPECT_EQ(refusalOf(mesh), "");
  }
}

TEST(CoordinateRange, TooSmallAMeshIsRefused) {
  TriangleMesh mesh = test::cube(minMeshSize);
  EXPECT_EQ(refusalOf(mesh), "");
  for (Vec3& p : mesh.positions) p *= 0.99;
  EXPECT_THAT(refusalOf(mesh), HasSubstr("the greatest coordinate is 9.9e-16, but must be of a "
                                         "magnitude from 1e-15 to 1e15"));
  mesh.positions[3].z = minMeshSize;
  EXPECT_EQ(refusalOf(mesh), "");
}

TEST(CoordinateRange, ATooSmallPartOfAMeshIsLeftOut) {
  TriangleMesh mesh = test::cube(0.9 * minMeshSize);
  test::append(mesh, {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, {3, 0, 0});
  ASSERT_EQ(refusalOf(mesh), "");
  const ClosedSurfaces found = closedSurfaces(mesh, 10);
  EXPECT_EQ(found.surfaces.size(), 0u);
  EXPECT_EQ(found.leftOut, 1u);
}

TEST(MeshDoor, RefusesWhatIsNoMesh) {
  EXPECT_EQ(refusalOf({}), "the mesh has no triangle");
  EXPECT_EQ(makePolyhedron({}).error().code, ErrorCode::EmptyMesh);
  TriangleMesh mesh = test::cube();
  mesh.triangles[7][2] = 8;
  EXPECT_EQ(refusalOf(mesh), "triangle 7 names vertex 8, but must name one of 8");
  mesh.triangles[7][2] = 0xffffffff;
  EXPECT_EQ(refusalOf(mesh), "triangle 7 names vertex 4294967295, but must name one of 8");
  EXPECT_EQ(makePolyhedron(mesh).error().code, ErrorCode::BadFormat);
}

TEST(MeshDoor, CleansOnlyWhatIsSound) {
  constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  TriangleMesh cube = test::cube();
  test::append(cube, test::cube());
  const TriangleMesh before = cube;
  for (const Real distance : {-1e-9, -1.0, nan, std::numeric_limits<Real>::infinity()}) {
    const auto refused = cleanMesh(cube, distance);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("must be finite and not negative"));
  }
  EXPECT_EQ(cube.positions, before.positions);
  EXPECT_EQ(cube.triangles, before.triangles);
  const auto cleaned = cleanMesh(cube, 0.0);
  ASSERT_TRUE(cleaned);
  EXPECT_EQ(cleaned->weldedVertices, 8u);
  EXPECT_EQ(cleaned->duplicateTriangles, 12u);
  EXPECT_EQ(cube.triangles.size(), 12u);
  cube.positions[0].x = nan;
  EXPECT_FALSE(cleanMesh(cube, 0.0));
}

}  // namespace
}  // namespace nearmiss
