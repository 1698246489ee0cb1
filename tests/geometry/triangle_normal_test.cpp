// SPDX-License-Identifier: MIT
/// Normals of triangles, however thin.
#include "geometry/triangle_normal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geometry/exact_arithmetic.h"
#include "support/random.h"

namespace nearmiss {
namespace {

TEST(TriangleNormal, IsPreciseOfTheThinnest) {
  test::Random random(7);
  for (int i = 0; i < 400; ++i) {
    // A corner moved off a side by so little of it, along a known direction
    const Vec3 along = random.direction();
    const Vec3 aside = glm::normalize(glm::cross(along, random.direction()));
    const Real width = std::pow(10.0, -random.between(1.0, 12.0));
    const Triangle t{Vec3(0.0), along, 0.3 * along + width * aside};
    const Vec3 wanted = glm::normalize(glm::cross(along, aside));
    EXPECT_NEAR(glm::length(unitNormalOf(t)), 1.0, 1e-12);
    // The third corner itself is rounded by about 1e-16
    EXPECT_GT(glm::dot(unitNormalOf(t), wanted), 1.0 - 1e-15 - 1e-31 / (width * width)) << width;
  }
}

TEST(TriangleNormal, IsSomeDirectionAcrossWhereThereIsNoArea) {
  constexpr Real e = 0x1p-52;
  for (const Triangle& t : {Triangle{Vec3(0.0), Vec3(1 + e, 1 + 2 * e, 0), Vec3(2, 2 + 2 * e, 0)},
                            Triangle{Vec3(1, 2, 3), Vec3(2, 4, 6), Vec3(4, 8, 12)}}) {
    const Vec3 normal = unitNormalOf(t);
    EXPECT_NEAR(glm::length(normal), 1.0, 1e-12);
    EXPECT_LT(std::abs(glm::dot(normal, glm::normalize(longestSideOf(t)))), 1e-12);
  }
}

}  // namespace
}  // namespace nearmiss
