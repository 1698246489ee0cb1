// SPDX-License-Identifier: MIT
/// No call of a C function ends the program, whatever it is given: null pointers, NaN and infinity,
/// or calls out of order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/nearmiss_c.h>

#include <cstddef>
#include <cstdint>

#include "support/c_shapes.h"
#include "support/meshes.h"

namespace nearmiss {
namespace {

using test::atOrigin;
using test::endless;
using test::notANumber;
using testing::HasSubstr;
using testing::StartsWith;

TEST(CFunctions, NoArgumentEndsTheProgram) {
  const test::Held<nearmiss_shape> made(test::cShape(test::cube(0.6), 2));
  const nearmiss_shape* cube = made.get();
  nearmiss_refinement answer;
  nearmiss_pose skewed = atOrigin;
  skewed.rotation[1] = 0.5;
  nearmiss_pose lost = atOrigin;
  lost.position[1] = notANumber;
  const double once = NEARMISS_UNLIMITED;
  EXPECT_EQ(nearmiss_collide(nullptr, &atOrigin, cube, &atOrigin, once, &answer),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`a` must not be null");
  EXPECT_EQ(nearmiss_collide(cube, nullptr, cube, &atOrigin, once, &answer), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`pose_a` must not be null");
  EXPECT_EQ(nearmiss_collide(cube, &atOrigin, cube, &atOrigin, once, nullptr),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`answer` must not be null");
  EXPECT_EQ(nearmiss_collide(cube, &skewed, cube, &atOrigin, once, &answer), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), StartsWith("pose_a: rotation is "));
  EXPECT_EQ(nearmiss_distance(cube, &atOrigin, cube, &lost, once, nullptr), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`bounds` must not be null");
  nearmiss_distance_bounds bounds;
  EXPECT_EQ(nearmiss_distance(cube, &atOrigin, cube, &lost, once, &bounds), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "pose_b: position.y is nan, but must be finite");
  const nearmiss_ray sightless{{0, notANumber, 0}, {1, 0, 0}, 1, 0};
  nearmiss_ray_hit hit;
  EXPECT_EQ(nearmiss_raycast(cube, &lost, &sightless, once, &hit), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "pose: position.y is nan, but must be finite");
  EXPECT_EQ(nearmiss_raycast(cube, &atOrigin, &sightless, once, &hit), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "ray: origin.y is nan, but must be finite");
  const nearmiss_motion still{atOrigin, {0, 0, 0}, {0, 0, 0}},
      endlessly{lost, {0, 0, 0}, {0, 0, 0}};
  nearmiss_contact_time time;
  EXPECT_EQ(nearmiss_time_to_contact(cube, &still, cube, &endlessly, 1, 1, once, &time),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "motion_b: pose.position.y is nan, but must be finite");
  EXPECT_EQ(nearmiss_time_to_contact(cube, nullptr, cube, &endlessly, 1, 1, once, &time),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`motion_a` must not be null");
  for (const double budget : {notANumber, -2.0, endless, -endless}) {
    EXPECT_EQ(nearmiss_collide(cube, &atOrigin, cube, &atOrigin, budget, &answer),
              NEARMISS_UNSUPPORTED);
    EXPECT_THAT(nearmiss_error(), HasSubstr("budget"));
  }

  const double vertices[9] = {0, 0, 0, 1, 0, 0, 0, 1, notANumber};
  const std::uint32_t triangle[3] = {0, 1, 2}, wrong[3] = {0, 1, 3};
  nearmiss_shape* none = nullptr;
  EXPECT_EQ(nearmiss_shape_make(nullptr, 3, triangle, 1, nullptr, &none), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_shape_make(vertices, 3, triangle, 1, nullptr, &none), NEARMISS_BAD_FORMAT);
  EXPECT_EQ(nearmiss_shape_make(vertices, 2, wrong, 1, nullptr, &none), NEARMISS_BAD_FORMAT);
  EXPECT_EQ(nearmiss_shape_make(vertices, 0, triangle, 0, nullptr, &none), NEARMISS_EMPTY_MESH);
  nearmiss_shape_settings settings{};
  constexpr std::uint32_t whole = sizeof settings;
  for (const std::uint32_t size : {0u, 4u, whole - 1, whole + 1, 0xffffffffu}) {
    settings.size = size;
    EXPECT_EQ(nearmiss_shape_make(vertices, 3, triangle, 1, &settings, &none),
              NEARMISS_UNSUPPORTED);
    EXPECT_THAT(nearmiss_error(), HasSubstr("settings.size"));
  }
  // Programs of the first version know no field after the builder
  settings.size = offsetof(nearmiss_shape_settings, progress);
  EXPECT_EQ(nearmiss_shape_make(vertices, 3, triangle, 1, &settings, &none), NEARMISS_BAD_FORMAT);
  EXPECT_EQ(none, nullptr);

  nearmiss_pair* pair = nullptr;
  ASSERT_EQ(nearmiss_pair_make(&pair), NEARMISS_OK);
  EXPECT_EQ(nearmiss_pair_collide(pair, once, &answer), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("nearmiss_pair_begin"));
  ASSERT_EQ(nearmiss_pair_begin(pair, cube, &atOrigin, cube, &atOrigin), NEARMISS_OK);
  EXPECT_EQ(nearmiss_pair_begin(pair, cube, &lost, cube, &atOrigin), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "pose_a: position.y is nan, but must be finite");
  EXPECT_EQ(nearmiss_pair_begin(nullptr, cube, &atOrigin, cube, &atOrigin), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`pair` must not be null");
  EXPECT_EQ(nearmiss_pair_collide(pair, once, &answer), NEARMISS_OK);
  EXPECT_EQ(answer.verdict, NEARMISS_CONTACT);
  nearmiss_manifold_point point;
  nearmiss_manifold manifold;
  for (const double margin : {notANumber, -1.0, endless}) {
    EXPECT_EQ(nearmiss_pair_manifold(pair, margin, once, &point, 1, &manifold),
              NEARMISS_UNSUPPORTED);
    EXPECT_THAT(nearmiss_error(), HasSubstr("margin"));
  }
  EXPECT_EQ(nearmiss_pair_manifold(pair, 0.0, once, &point, 0, &manifold), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("room"));
  EXPECT_EQ(nearmiss_pair_manifold(pair, 0.0, once, nullptr, 1, &manifold), NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_pair_manifold(pair, 0.0, once, &point, 1, &manifold), NEARMISS_OK);
  EXPECT_EQ(
      nearmiss_contact_manifold(cube, &lost, cube, &atOrigin, 0.0, once, &point, 1, &manifold),
      NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_protrusion(cube, &atOrigin, nullptr, &atOrigin, once, nullptr),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_pair_protrusion(nullptr, once, nullptr), NEARMISS_UNSUPPORTED);
  nearmiss_pair_free(pair);

  nearmiss_world* world = nullptr;
  ASSERT_EQ(nearmiss_world_make(&world), NEARMISS_OK);
  nearmiss_body body = 0;
  EXPECT_EQ(nearmiss_world_add(world, cube, &lost, nullptr, &body), NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "pose: position.y is nan, but must be finite");
  EXPECT_EQ(nearmiss_world_set_pose(world, 5, &atOrigin), NEARMISS_NOT_FOUND);
  EXPECT_EQ(nearmiss_world_remove(world, 0), NEARMISS_NOT_FOUND);
  EXPECT_EQ(nearmiss_world_pairs(world, nullptr, 9), 0u);
  nearmiss_nearest_bodies nearest;
  EXPECT_EQ(nearmiss_world_min_distance(world, notANumber, once, &nearest), NEARMISS_UNSUPPORTED);
  nearmiss_world_free(world);
  for (nearmiss_world* const nothing : {static_cast<nearmiss_world*>(nullptr)}) {
    nearmiss_world_free(nothing);
    EXPECT_EQ(nearmiss_world_size(nothing), 0u);
    EXPECT_EQ(nearmiss_world_collisions(nothing, once, nullptr), NEARMISS_UNSUPPORTED);
  }
  nearmiss_shape_free(nullptr);
  nearmiss_pair_free(nullptr);
  EXPECT_EQ(nearmiss_shape_radius(nullptr), 0.0);
  EXPECT_EQ(nearmiss_c_version(), static_cast<std::uint32_t>(NEARMISS_C_VERSION));
}

}  // namespace
}  // namespace nearmiss
