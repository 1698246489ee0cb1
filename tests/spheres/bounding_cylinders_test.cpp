// SPDX-License-Identifier: MIT
/// Cylinders hold their facets, keep no farther from a point than these, and are thin where boxes
/// are not.
#include "spheres/facet_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "geometry/closest_points.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// Error of floats, relative to the size of the surroundings.
constexpr Real cylinderRounding = 3e-6;

FourVectors fourTimes(const Vec3& p) {
  FourVectors all{};
  for (std::size_t i = 0; i < BoundingCylinders::width; ++i) put(all, i, p);
  return all;
}

Vec3 anyPointOf(const Triangle& t, test::Random& random) {
  const Real u = std::sqrt(random.unit()), v = random.unit();
  return (1.0 - u) * t[0] + u * (1.0 - v) * t[1] + u * v * t[2];
}

/// A bulging patch seen from anywhere: a thin sheet, both of whose sides are there, where `sheet`.
std::vector<Triangle> patch(test::Random& random, Real bulge, bool sheet) {
  const Quat turn = random.rotation();
  const Vec3 at = random.inCube(1.0);
  const Real size = std::pow(10.0, random.between(-2.0, 0.0));
  const auto corner = [&](Real x, Real y, Real z) {
    return at + turn * (size * Vec3(x, y, z + bulge * (x * x + y * y)));
  };
  std::vector<Triangle> facets;
  for (int i = 0; i < 12; ++i) {
    const Real x = random.between(-1.0, 1.0), y = random.between(-1.0, 1.0);
    const Real z = sheet ? random.between(-0.01, 0.01) : 0.0;
    const auto beside = [&] { return random.between(-0.3, 0.3); };
    facets.push_back({corner(x, y, z), corner(x + beside(), y + beside(), z),
                      corner(x + beside(), y + beside(), z)});
  }
  return facets;
}

/// Triangles without any order, some of them without an area, or all.
std::vector<Triangle> soup(test::Random& random) {
  const bool points = random.chance(0.2), needles = random.chance(0.2);
  std::vector<Triangle> facets;
  for (int i = random.whole(1, 6); i > 0; --i) {
    const Vec3 a = random.inCube(1.0), b = points ? a : random.inCube(1.0);
    facets.push_back(
        {a, b, points || needles || random.chance(0.2) ? 0.5 * (a + b) : random.inCube(1.0)});
  }
  return facets;
}

TEST(BoundingCylinders, HoldTheirFacets) {
  test::Random random(1);
  int balls = 0;
  for (int i = 0; i < test::cases(2000); ++i) {
    const std::vector<Triangle> facets =
        random.chance(0.5) ? soup(random) : patch(random, random.unit(), random.chance(0.5));
    const BoundingCylinder cylinder = cylinderAround(facets);
    const Real length = glm::length(cylinder.axis);
    ASSERT_TRUE(length == 0.0 || std::abs(length - 1.0) < 1e-12);
    balls += length == 0.0 ? 1 : 0;
    for (const Triangle& facet : facets)
      for (int n = 0; n < 4; ++n) {
        const Vec3 from = anyPointOf(facet, random) - cylinder.middle;
        const Real height = glm::dot(from, cylinder.axis);
        ASSERT_LE(std::abs(height), cylinder.halfHeight + 1e-12);
        ASSERT_LE(glm::length(from - height * cylinder.axis), cylinder.radius + 1e-12);
      }
  }
  EXPECT_GT(balls, 100);
}

TEST(BoundingCylinders, AreNoFartherThanWhatTheyHold) {
  test::Random random(2);
  int inside = 0, near = 0, asked = 0;
  for (int i = 0; i < test::cases(1000); ++i) {
    BoundingCylinders cylinders;
    std::array<std::vector<Triangle>, BoundingCylinders::width> held;
    for (std::size_t place = 0; place < held.size(); ++place) {
      held[place] =
          random.chance(0.5) ? soup(random) : patch(random, random.unit(), random.chance(0.5));
      cylinders.set(place, cylinderAround(held[place]));
    }
    for (int n = 0; n < 8; ++n) {
      // Half of the points lie near a facet
      const Vec3 point = random.chance(0.5)
                             ? random.inCube(3.0)
                             : anyPointOf(held[static_cast<std::size_t>(n) % 4][0], random) +
                                   std::pow(10.0, random.between(-7.0, -1.0)) * random.direction();
      const FourFloats squared = cylinders.squaredDistances(fourTimes(point));
      for (std::size_t place = 0; place < held.size(); ++place) {
        Real least = std::numeric_limits<Real>::infinity();
        for (const Triangle& facet : held[place])
          least = std::min(least, glm::distance(point, closestOnTriangle(point, facet)));
        const Real told = std::sqrt(static_cast<Real>(squared[place]));
        ASSERT_LE(told, least + cylinderRounding);
        inside += told == 0.0 ? 1 : 0;
        near += told > 0.9 * least ? 1 : 0;
        ++asked;
      }
    }
  }
  EXPECT_GT(inside, asked / 20);
  EXPECT_GT(near, asked / 4);
}

/// Their purpose: from far above, a slanting patch seems no nearer than it is.
TEST(BoundingCylinders, AreThinAlongPatches) {
  test::Random random(3);
  Real cylinderDecides = 0.0, boxTells = 0.0;
  for (int i = 0; i < test::cases(500); ++i) {
    const std::vector<Triangle> facets = patch(random, 0.05, i % 2 == 0);
    const BoundingCylinder cylinder = cylinderAround(facets);
    BoundingCylinders cylinders;
    cylinders.set(0, cylinder);
    Box box;
    for (const Triangle& facet : facets)
      for (const Vec3& corner : facet) box.include(corner);
    const Real size = glm::length(box.extent());
    EXPECT_LT(cylinder.halfHeight, 0.1 * size);
    const Vec3 point = cylinder.middle + size * cylinder.axis;
    const FourFloats squared = cylinders.squaredDistances(fourTimes(point));
    cylinderDecides += std::sqrt(static_cast<Real>(squared[0])) / size;
    boxTells += std::sqrt(squaredDistance(box, point)) / size;
  }
  EXPECT_GT(cylinderDecides, 1.2 * boxTells);
}

TEST(BoundingCylinders, AreAPointWhereNoneIsPut) {
  const BoundingCylinders cylinders;
  const FourFloats squared = cylinders.squaredDistances(fourTimes({3.0, 0.0, 4.0}));
  for (std::size_t place = 0; place < BoundingCylinders::width; ++place)
    EXPECT_EQ(squared[place], 25.0f);
}

}  // namespace
}  // namespace nearmiss
