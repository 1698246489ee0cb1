// SPDX-License-Identifier: MIT
/// Scaled and refitted shapes, and sensors, by the C functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/shape.h>

#include <cmath>
#include <limits>
#include <vector>

#include "support/c_shapes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using testing::HasSubstr;

nearmiss_shape* plainTorus() { return test::cShape(test::torus(12, 8), 2); }

std::vector<double> verticesOf(const nearmiss_shape* shape) {
  std::size_t count = 0;
  EXPECT_EQ(nearmiss_shape_vertices(shape, nullptr, 0, &count), NEARMISS_OK);
  std::vector<double> vertices(3 * count);
  EXPECT_EQ(nearmiss_shape_vertices(shape, vertices.data(), count, &count), NEARMISS_OK);
  return vertices;
}

TEST(CFunctions, ShapesAreScaledAndRefittedAsInCpp) {
  const Shape torus = *makeShape(test::torus(12, 8), {.tree = {.levels = 2}});
  nearmiss_shape *const plain = plainTorus(), *large = nullptr, *bent = nullptr;
  ASSERT_EQ(nearmiss_shape_scaled(plain, 2.5, &large), NEARMISS_OK) << nearmiss_error();
  EXPECT_EQ(nearmiss_shape_radius(large), scaled(torus, 2.5)->radius());

  std::vector<double> vertices = verticesOf(plain);
  std::vector<Vec3> moved;
  for (std::size_t i = 0; i < vertices.size(); i += 3) {
    vertices[i] += 0.05 * std::sin(3.0 * vertices[i + 1]);
    moved.push_back({vertices[i], vertices[i + 1], vertices[i + 2]});
  }
  nearmiss_refit how;
  ASSERT_EQ(nearmiss_shape_refit(plain, vertices.data(), moved.size(), &bent, &how), NEARMISS_OK);
  const Refit truth = *refit(torus, moved);
  EXPECT_EQ(how.growth, truth.growth);
  EXPECT_EQ(how.rebuild_pays, truth.rebuildPays);
  EXPECT_GT(how.growth, 1.0);
  EXPECT_EQ(verticesOf(bent), vertices);

  nearmiss_shape* none = nullptr;
  EXPECT_EQ(nearmiss_shape_refit(plain, vertices.data(), moved.size() - 1, &none, nullptr),
            NEARMISS_MISMATCH);
  EXPECT_EQ(nearmiss_shape_refit(plain, vertices.data(), std::numeric_limits<std::size_t>::max(),
                                 &none, nullptr),
            NEARMISS_MISMATCH);
  EXPECT_EQ(nearmiss_shape_refit(plain, vertices.data(), 100000, &none, nullptr),
            NEARMISS_MISMATCH);
  EXPECT_THAT(nearmiss_error(),
              HasSubstr("100000 positions for the " + std::to_string(moved.size()) + " vertices"));
  EXPECT_EQ(nearmiss_shape_refit(plain, nullptr, moved.size(), &none, nullptr),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_scaled(plain, 0.0, &none), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("above 0"));
  EXPECT_EQ(nearmiss_shape_scaled(nullptr, 1.0, &none), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(none, nullptr);
  for (nearmiss_shape* shape : {plain, large, bent}) nearmiss_shape_free(shape);
}

TEST(CFunctions, SensorsAreReportedAndPassedOver) {
  nearmiss_shape* const torus = plainTorus();
  nearmiss_world* world = nullptr;
  ASSERT_EQ(nearmiss_world_make(&world), NEARMISS_OK);
  nearmiss_body bodies[3];
  for (int i = 0; i < 3; ++i) {
    const nearmiss_pose pose{{i < 2 ? 0.3 * i : 9.0, 0, 0}, {1, 0, 0, 0}};
    ASSERT_EQ(nearmiss_world_add(world, torus, &pose, nullptr, &bodies[i]), NEARMISS_OK);
  }
  ASSERT_EQ(nearmiss_world_set_sensor(world, bodies[0], 1), NEARMISS_OK);
  nearmiss_collisions found;
  nearmiss_nearest_bodies nearest;
  // Traits leave it as it is
  for (const nearmiss_traits traits : {nearmiss_traits{1, 1, 0, NEARMISS_FULL_IMPORTANCE},
                                       nearmiss_traits{3, 7, 0, NEARMISS_FULL_IMPORTANCE}}) {
    EXPECT_EQ(nearmiss_world_is_sensor(world, bodies[0]), 1);
    EXPECT_EQ(nearmiss_world_is_sensor(world, bodies[1]), 0);
    ASSERT_EQ(nearmiss_world_collisions(world, NEARMISS_UNLIMITED, &found), NEARMISS_OK);
    EXPECT_EQ(found.pair_count, 1u);
    ASSERT_EQ(nearmiss_world_min_distance(world, std::numeric_limits<double>::infinity(),
                                          NEARMISS_UNLIMITED, &nearest),
              NEARMISS_OK);
    EXPECT_EQ(nearest.a, bodies[1]);
    EXPECT_EQ(nearest.b, bodies[2]);
    ASSERT_EQ(nearmiss_world_set_traits(world, bodies[0], &traits), NEARMISS_OK);
  }
  // Two sensors are no pair
  ASSERT_EQ(nearmiss_world_set_sensor(world, bodies[1], 1), NEARMISS_OK);
  ASSERT_EQ(nearmiss_world_collisions(world, NEARMISS_UNLIMITED, &found), NEARMISS_OK);
  EXPECT_EQ(found.pair_count, 0u);
  EXPECT_EQ(nearmiss_world_set_sensor(world, 99, 1), NEARMISS_NOT_FOUND);
  EXPECT_EQ(nearmiss_world_set_sensor(nullptr, 1, 1), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_world_is_sensor(nullptr, 1), 0);
  nearmiss_world_free(world);
  nearmiss_shape_free(torus);
}

}  // namespace
}  // namespace nearmiss
