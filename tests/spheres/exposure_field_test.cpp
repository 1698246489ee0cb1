// SPDX-License-Identifier: MIT
/// Places in the open, in a pocket and inside.
#include "spheres/exposure_field.h"

#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <ctime>

#include "support/build_kind.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/wavy_balls.h"

namespace nearmiss {
namespace {

/// How far apart two points of one cell can be, and some more.
Real cellOf(const Box& bounds) {
  const Vec3 e = bounds.extent();
  return 2.0 * std::max({e.x, e.y, e.z}) / 40.0;
}

TEST(ExposureField, CountsLittleInsideOfSolidsAndFullyOutsideOfConvexOnes) {
  test::Random random(1);
  for (const TriangleMesh& mesh : {test::cube(), test::sphere(12, 16), test::tetrahedron()}) {
    const Polyhedron polyhedron(mesh);
    const ExposureField field(mesh);
    const Real cell = cellOf(polyhedron.bounds());
    int inside = 0, outside = 0;
    for (int i = 0; i < test::cases(2000); ++i) {
      const Vec3 point =
          polyhedron.bounds().centre() + 0.8 * random.inCube(1.0) * polyhedron.bounds().extent();
      if (polyhedron.nearest(point).distance < cell) continue;
      const bool within = polyhedron.contains(point);
      if (within) {
        EXPECT_LE(field.weight(point), ExposureField::least);
      } else {
        EXPECT_EQ(field.weight(point), 1.0f);
      }
      ++(within ? inside : outside);
    }
    EXPECT_GT(inside, 20);
    EXPECT_GT(outside, 100);
  }
}

TEST(ExposureField, CountsADepthInsideOfSolidsOnlyUpToABound) {
  test::Random random(3);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const TriangleMesh mesh = test::wavyBall(seed, 3);
    const Polyhedron polyhedron(mesh);
    const ExposureField field(mesh);
    // A cell of the border reaches nearly two cells beyond the surface
    const Real cell = 0.5 * cellOf(polyhedron.bounds());
    const Real most = (ExposureField::shallow + 2.0) * cell * ExposureField::least;
    Real deepest = 0.0;
    for (int i = 0; i < test::cases(1000); ++i) {
      const Vec3 point =
          polyhedron.bounds().centre() + 0.5 * random.inCube(1.0) * polyhedron.bounds().extent();
      if (!polyhedron.contains(point)) continue;
      const Real depth = polyhedron.nearest(point).distance;
      if (depth < 2.0 * cell) continue;
      EXPECT_LE(static_cast<Real>(field.weight(point)) * depth, most);
      deepest = std::max(deepest, depth);
    }
    EXPECT_GT(deepest, 2.0 * (ExposureField::shallow + 2.0) * cell);
  }
}

TEST(ExposureField, CountsLessInPockets) {
  // Between the teeth, at their roots and above them
  const TriangleMesh mesh = test::comb(5, 1.0);
  const Polyhedron polyhedron(mesh);
  const ExposureField field(mesh);
  test::Random random(2);
  int pockets = 0;
  for (int i = 0; i < test::cases(3000); ++i) {
    const Vec3 point =
        polyhedron.bounds().centre() + 0.5 * random.inCube(1.0) * polyhedron.bounds().extent();
    const float weight = field.weight(point);
    EXPECT_GT(weight, 0.0f);
    EXPECT_LE(weight, 1.0f);
    pockets += weight > ExposureField::least && weight < 0.999f;
  }
  EXPECT_GT(pockets, 30);
}

TEST(ExposureField, LooksAtNoTriangleOnceCancelled) {
  const TriangleMesh cube = test::cube();
  std::atomic<bool> cancelled{false};
  EXPECT_LE(ExposureField(cube, &cancelled).weight(Vec3(0.0)), ExposureField::least);
  cancelled = true;
  EXPECT_EQ(ExposureField(cube, &cancelled).weight(Vec3(0.0)), 1.0f);
}

/// Needles across many cells, each of which few of them meet.
TEST(ExposureField, TakesLittleTimeForNeedles) {
  constexpr std::uint32_t sides = 1000;
  TriangleMesh rod;
  for (std::uint32_t i = 0; i < sides; ++i) {
    const Real turn = 6.28 * i / sides;
    const Vec3 rim = 0.02 * Vec3(std::cos(turn), std::sin(turn), -std::cos(turn));
    rod.positions.push_back(rim);
    rod.positions.push_back(rim + Vec3(1.0));
  }
  for (std::uint32_t i = 0; i + 1 < sides; ++i) {
    rod.triangles.push_back({2 * i, 2 * i + 2, 2 * i + 3});
    rod.triangles.push_back({2 * i, 2 * i + 3, 2 * i + 1});
  }
  const std::clock_t start = std::clock();
  const ExposureField field(rod);
  // Looking at every cell of their boxes takes forty times as long
  EXPECT_LT(std::clock() - start, test::soon(3));
  EXPECT_EQ(field.weight(Vec3(0.9, 0.1, 0.1)), 1.0f);
}

TEST(ExposureField, IsDefinedForFlatAndSinglePoints) {
  const ExposureField flat({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}});
  EXPECT_EQ(flat.weight({0.2, 0.2, 0.1}), 1.0f);
  EXPECT_EQ(flat.weight({0.2, 0.2, 0.0}), 1.0f);
  const ExposureField point({{{1, 1, 1}}, {}});
  EXPECT_EQ(point.weight({1, 1, 1}), 1.0f);
}

}  // namespace
}  // namespace nearmiss
