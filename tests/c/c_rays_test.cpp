// SPDX-License-Identifier: MIT
/// Rays and points by the C functions: as in C++, and refused with a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/nearmiss_c.h>
#include <nearmiss/ray.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "support/c_shapes.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

using test::atOrigin;
using test::endless;
using test::notANumber;
using test::Random;
using testing::HasSubstr;

/// A ring in both languages.
class CRays : public testing::Test {
 protected:
  CRays()
      : cpp_(test::treelessShape(test::torus(12, 8))),
        shape_(test::cShape(test::torus(12, 8), 1)) {}
  ~CRays() override { nearmiss_shape_free(shape_); }

  Shape cpp_;
  nearmiss_shape* shape_ = nullptr;
};

TEST_F(CRays, AreAnsweredAsInCpp) {
  Random random(1);
  int hits = 0, inside = 0;
  for (int i = 0; i < 200; ++i) {
    const Vec3 at = 3.0 * random.direction(), point = random.inCube(1.2);
    const Vec3 way = glm::normalize(random.inCube(1.0) - at);
    const Pose pose{random.inCube(0.2), random.rotation()};
    const nearmiss_pose plain{{pose.position.x, pose.position.y, pose.position.z},
                              {pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z}};
    const nearmiss_ray ray{{at.x, at.y, at.z}, {way.x, way.y, way.z}, 3.0, i % 2 ? 0.1 : 0.0};
    nearmiss_ray_hit hit;
    ASSERT_EQ(nearmiss_raycast(shape_, &plain, &ray, NEARMISS_UNLIMITED, &hit), NEARMISS_OK);
    const RayHit truth = raycast(cpp_, pose, {at, way, ray.end, ray.radius});
    EXPECT_EQ(hit.t, truth.t);
    EXPECT_EQ(hit.lower, truth.lower);
    EXPECT_EQ(hit.triangle, truth.triangle);
    EXPECT_EQ(hit.normal[1], truth.normal.y);
    EXPECT_EQ(hit.point[2], truth.point.z);
    EXPECT_EQ(hit.can_refine, 0);
    hits += truth.hit();

    const double asked[3] = {point.x, point.y, point.z};
    nearmiss_point_bounds bounds;
    ASSERT_EQ(nearmiss_nearest_point(shape_, &plain, asked, endless, NEARMISS_UNLIMITED, &bounds),
              NEARMISS_OK);
    const NearestPoint nearest = nearestPoint(cpp_, pose, point);
    EXPECT_EQ(bounds.upper, nearest.upper);
    EXPECT_EQ(bounds.lower, nearest.lower);
    EXPECT_EQ(bounds.point[0], nearest.point.x);
    EXPECT_EQ(bounds.triangle, nearest.triangle);
    std::int32_t side = -1;
    ASSERT_EQ(nearmiss_side_of(shape_, &plain, asked, NEARMISS_UNLIMITED, &side), NEARMISS_OK);
    EXPECT_EQ(side, static_cast<std::int32_t>(sideOf(cpp_, pose, point)));
    inside += side == NEARMISS_INSIDE;
  }
  EXPECT_GT(hits, 20);
  EXPECT_LT(hits, 190);
  EXPECT_GT(inside, 3);
}

TEST_F(CRays, UnfitValuesAreRefusedAndAnswersLeftAlone) {
  const nearmiss_ray down{{0, 0, 5}, {0, 0, -1}, endless, 0};
  nearmiss_ray_hit hit;
  hit.t = 7.0;
  const auto refused = [&](const auto& spoil, const char* sentence) {
    nearmiss_ray ray = down;
    spoil(ray);
    EXPECT_EQ(nearmiss_raycast(shape_, &atOrigin, &ray, NEARMISS_UNLIMITED, &hit),
              NEARMISS_UNSUPPORTED);
    EXPECT_THAT(nearmiss_error(), HasSubstr(sentence));
  };
  refused([](nearmiss_ray& ray) { ray.direction[2] = 0.0; }, "direction");
  refused([](nearmiss_ray& ray) { ray.direction[0] = notANumber; }, "direction");
  refused([](nearmiss_ray& ray) { ray.direction[0] = 1e201; }, "from 1e-200 to 1e200");
  refused([](nearmiss_ray& ray) { ray.origin[0] = endless; }, "origin");
  refused([](nearmiss_ray& ray) { ray.end = -1.0; }, "end");
  refused([](nearmiss_ray& ray) { ray.radius = notANumber; }, "radius");
  EXPECT_EQ(nearmiss_raycast(nullptr, &atOrigin, &down, NEARMISS_UNLIMITED, &hit),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`shape` must not be null");
  EXPECT_EQ(nearmiss_raycast(shape_, &atOrigin, nullptr, NEARMISS_UNLIMITED, &hit),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_raycast(shape_, &atOrigin, &down, notANumber, &hit), NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("budget"));
  EXPECT_EQ(hit.t, 7.0);

  const double sound[3] = {0, 0, 0}, lost[3] = {0, notANumber, 0};
  nearmiss_point_bounds bounds;
  std::int32_t side = 9;
  EXPECT_EQ(nearmiss_nearest_point(shape_, &atOrigin, lost, endless, NEARMISS_UNLIMITED, &bounds),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_nearest_point(shape_, &atOrigin, sound, -1.0, NEARMISS_UNLIMITED, &bounds),
            NEARMISS_UNSUPPORTED);
  EXPECT_THAT(nearmiss_error(), HasSubstr("reach"));
  EXPECT_EQ(nearmiss_side_of(shape_, &atOrigin, lost, NEARMISS_UNLIMITED, &side),
            NEARMISS_UNSUPPORTED);
  EXPECT_EQ(nearmiss_side_of(shape_, &atOrigin, nullptr, NEARMISS_UNLIMITED, &side),
            NEARMISS_UNSUPPORTED);
  EXPECT_STREQ(nearmiss_error(), "`point` must not be null");
  EXPECT_EQ(side, 9);
}

/// From 1e9 metres away: what is met is where it is, within the rounding of coordinates.
TEST_F(CRays, FromFarAwayAreNotLate) {
  const Triangle first = cpp_.polyhedron().mesh().corners(0);
  const Vec3 aim = (first[0] + first[1] + first[2]) / 3.0;
  const nearmiss_ray ray{{1e9, 0.0, 0.0}, {aim.x - 1e9, aim.y, aim.z}, endless, 0};
  nearmiss_ray_hit hit;
  ASSERT_EQ(nearmiss_raycast(shape_, &atOrigin, &ray, NEARMISS_UNLIMITED, &hit), NEARMISS_OK);
  ASSERT_NE(hit.triangle, NEARMISS_NO_TRIANGLE);
  EXPECT_LE(hit.lower, hit.t);
  EXPECT_NEAR(hit.t, 1.0, 1e-8);
}

}  // namespace
}  // namespace nearmiss
