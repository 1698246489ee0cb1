// SPDX-License-Identifier: MIT
/// Shapes of primitives and mass properties by the C functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/mesh.h>
#include <nearmiss/nearmiss_c.h>

#include <string>

#include "support/c_shapes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::Held;
using testing::HasSubstr;

/// The primitive is what the C++ function makes: volume, centre and inertia are the same.
void expectSame(nearmiss_shape* made, const Result<TriangleMesh>& mesh) {
  const Held<nearmiss_shape> shape(made);
  ASSERT_NE(made, nullptr) << nearmiss_error();
  EXPECT_EQ(nearmiss_shape_is_solid(made), 1);
  nearmiss_mass_properties mass{};
  ASSERT_EQ(nearmiss_shape_mass_properties(made, &mass), NEARMISS_OK) << nearmiss_error();
  const MassProperties truth = *massProperties(*mesh);
  EXPECT_EQ(mass.volume, truth.volume);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(mass.centre[i], truth.centre[i]);
    for (int k = 0; k < 3; ++k) EXPECT_EQ(mass.inertia[3 * i + k], truth.inertia[i][k]);
  }
}

TEST(CFunctions, PrimitivesAreThoseOfCpp) {
  nearmiss_shape_settings settings{};
  settings.size = sizeof settings;
  settings.levels = 1;
  nearmiss_shape* made = nullptr;
  const double half[3] = {0.5, 1.0, 2.0};
  ASSERT_EQ(nearmiss_shape_box(half, &settings, &made), NEARMISS_OK);
  EXPECT_EQ(nearmiss_shape_level_count(made), 2);
  expectSame(made, boxMesh({0.5, 1.0, 2.0}));
  ASSERT_EQ(nearmiss_shape_box(half, nullptr, &made), NEARMISS_OK);
  expectSame(made, boxMesh({0.5, 1.0, 2.0}));
  ASSERT_EQ(nearmiss_shape_sphere(2.0, 1, &settings, &made), NEARMISS_OK);
  expectSame(made, sphereMesh(2.0, 1));
  ASSERT_EQ(nearmiss_shape_capsule(0.5, 1.0, 8, &settings, &made), NEARMISS_OK);
  expectSame(made, capsuleMesh(0.5, 1.0, 8));
  ASSERT_EQ(nearmiss_shape_cylinder(0.5, 1.0, 8, &settings, &made), NEARMISS_OK);
  expectSame(made, cylinderMesh(0.5, 1.0, 8));
  const TriangleMesh points = test::tetrahedron();
  ASSERT_EQ(nearmiss_shape_convex_hull(&points.positions[0].x, 4, &settings, &made), NEARMISS_OK);
  expectSame(made, convexHullMesh(points.positions));
}

TEST(CFunctions, PrimitivesRefuseWhatIsNone) {
  nearmiss_shape* made = nullptr;
  const double half[3] = {0.5, -1.0, 2.0};
  EXPECT_EQ(nearmiss_shape_box(half, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("the half extent along y is -1 m"));
  EXPECT_EQ(nearmiss_shape_box(nullptr, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_box(half, nullptr, nullptr), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_sphere(test::notANumber, 3, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_sphere(1.0, 9, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_sphere(1.0, 3, nullptr, nullptr), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_capsule(1.0, -1.0, 32, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_capsule(1.0, 1.0, 2, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_capsule(1.0, 1.0, 32, nullptr, nullptr), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_cylinder(0.0, 1.0, 32, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_cylinder(1.0, 1.0, 32, nullptr, nullptr), NEARMISS_UNSUPPORTED);
  nearmiss_shape_settings settings{};
  settings.size = 1;
  EXPECT_EQ(nearmiss_shape_sphere(1.0, 3, &settings, &made), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("settings.size"));
  EXPECT_EQ(nearmiss_shape_convex_hull(half, 1, nullptr, &made), NEARMISS_EMPTY_MESH);
  EXPECT_EQ(nearmiss_shape_convex_hull(nullptr, 4, nullptr, &made), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(
      nearmiss_shape_convex_hull(half, std::numeric_limits<std::size_t>::max(), nullptr, &made),
      NEARMISS_TOO_LARGE);
  EXPECT_EQ(made, nullptr);

  TriangleMesh mesh = test::cube();
  mesh.triangles.pop_back();
  const Held<nearmiss_shape> open(test::cShape(mesh, 1));
  nearmiss_mass_properties mass{};
  EXPECT_EQ(nearmiss_shape_mass_properties(open.get(), &mass), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("not closed (3 boundary edges)"));
  EXPECT_EQ(nearmiss_shape_mass_properties(nullptr, &mass), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_mass_properties(open.get(), nullptr), NEARMISS_UNSUPPORTED);
}

TEST(CFunctions, ManifoldsSayWhetherTheirDepthIsKnown) {
  const Held<nearmiss_shape> cube(test::cShape(test::cube(), 1));
  nearmiss_pose above = test::atOrigin;
  above.position[2] = 1.9;
  nearmiss_manifold_point points[4];
  nearmiss_manifold manifold{};
  ASSERT_EQ(nearmiss_contact_manifold(cube.get(), &test::atOrigin, cube.get(), &above, 0.0,
                                      NEARMISS_UNLIMITED, points, 4, &manifold),
            NEARMISS_OK);
  EXPECT_EQ(manifold.point_count, 4u);
  EXPECT_EQ(manifold.depth_known, 1);
}

}  // namespace
}  // namespace nearmiss
