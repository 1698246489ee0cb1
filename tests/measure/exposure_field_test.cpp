// SPDX-License-Identifier: MIT
/// What lies in the open, in a pocket and inside.
#include "measure/exposure_field.h"

#include <gtest/gtest.h>
#include <nearmiss/polyhedron.h>

#include <algorithm>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// How far apart two points of one cell can be, and some more.
Real cellOf(const Box& bounds) {
  const Vec3 e = bounds.extent();
  return 2.0 * std::max({e.x, e.y, e.z}) / 40.0;
}

TEST(ExposureField, CountsLeastInsideOfSolidsAndFullyOutsideOfConvexOnes) {
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
      EXPECT_EQ(field.weight(point), within ? ExposureField::least : 1.0f);
      ++(within ? inside : outside);
    }
    EXPECT_GT(inside, 20);
    EXPECT_GT(outside, 100);
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
    EXPECT_GE(weight, ExposureField::least);
    EXPECT_LE(weight, 1.0f);
    pockets += weight > ExposureField::least && weight < 0.999f;
  }
  EXPECT_GT(pockets, 30);
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
