// SPDX-License-Identifier: MIT
/// Centres of circles and spheres through points, at any scale and far from the origin.
#include <gtest/gtest.h>

#include <cmath>

#include "spheres/enclosing_ball.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// The least sine or volume of unit vectors along the edges: how well the centre is defined.
Real shapeOf(const Vec3& a, const Vec3& b, const Vec3& c) {
  return glm::length(glm::cross(glm::normalize(b - a), glm::normalize(c - a)));
}
Real shapeOf(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  return std::abs(
      glm::dot(glm::normalize(b - a), glm::cross(glm::normalize(c - a), glm::normalize(d - a))));
}

TEST(Circumcentre, IsWhereThePointsAreEquallyFarFrom) {
  Random random(44);
  int fair = 0;
  for (int i = 0; i < test::cases(2000); ++i) {
    const Real radius = std::pow(10.0, random.between(-6.0, 6.0));
    const Vec3 centre = radius * random.inCube(3.0);
    const auto on = [&] { return centre + radius * random.direction(); };
    const Vec3 a = on(), b = on(), c = on(), d = on();
    const Real shape = shapeOf(a, b, c, d);
    if (shape < 1e-3) continue;
    ++fair;
    const auto sphere = circumcentre(a, b, c, d);
    ASSERT_TRUE(sphere);
    EXPECT_LE(glm::distance(*sphere, centre), 1e-13 * radius / shape) << i;

    // Of the circle: equally far from all, and in their plane
    const auto circle = circumcentre(a, b, c);
    ASSERT_TRUE(circle);
    const Real reach = glm::distance(*circle, a), slack = 1e-13 * radius / shapeOf(a, b, c);
    EXPECT_NEAR(glm::distance(*circle, b), reach, slack);
    EXPECT_NEAR(glm::distance(*circle, c), reach, slack);
    const Vec3 normal = glm::normalize(glm::cross(b - a, c - a));
    EXPECT_NEAR(glm::dot(normal, *circle - a), 0.0, slack);
    EXPECT_LE(reach, radius * (1.0 + 1e-9));
  }
  EXPECT_GT(fair, test::cases(2000) * 9 / 10);
}

TEST(Circumcentre, IsNotWherePointsLieInALineOrPlane) {
  Random random(45);
  for (int i = 0; i < test::cases(500); ++i) {
    // Whole numbers are in line and in plane to the bit
    const Vec3 a = random.onLattice(50), u = random.onLattice(9), v = random.onLattice(9);
    const Real s = random.whole(-4, 4), t = random.whole(-4, 4);
    EXPECT_FALSE(circumcentre(a, a + s * u, a + t * u)) << i;
    EXPECT_FALSE(circumcentre(a, a + u, a + v, a + s * u + t * v)) << i;
    EXPECT_FALSE(circumcentre(a, a, a + u)) << i;
    EXPECT_FALSE(circumcentre(a, a + u, a + v, a)) << i;
  }
}

}  // namespace
}  // namespace nearmiss
