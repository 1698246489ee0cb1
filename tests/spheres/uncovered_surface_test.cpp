// SPDX-License-Identifier: MIT
/// What spheres leave of a surface, against closed forms and dense samples.
#include <nearmiss/spheres.h>

#include <gtest/gtest.h>
#include <nearmiss/advanced/build_progress.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/spheres.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

constexpr Real pi = std::numbers::pi;

UncoveredSurface measured(const Polyhedron& polyhedron, const std::vector<Sphere>& spheres,
                          const UncoveredSettings& settings = {}) {
  const auto found = measureUncovered(polyhedron, spheres, settings);
  EXPECT_TRUE(found) << found.error().message;
  EXPECT_LE(found->shareAtLeast, found->shareAtMost);
  EXPECT_LE(found->farthestAtLeast, found->farthestAtMost);
  return *found;
}

Real heightAbove(const std::vector<Sphere>& spheres, const Vec3& p) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Sphere& s : spheres) least = std::min(least, glm::distance(p, s.centre) - s.radius);
  return least;
}

TEST(UncoveredSurface, OfACubeAboutASphereIsThatOfTheClosedForm) {
  // A sphere of radius 1.2 cuts a disk of radius sqrt(0.44) from each face of the cube
  const Polyhedron cube(test::cube());
  const UncoveredSurface found = measured(cube, {{Vec3(0.0), 1.2}});
  const Real share = 1.0 - pi * 0.44 / 4.0;
  EXPECT_NEAR(found.area, 24.0, 1e-12);
  EXPECT_LE(found.shareAtLeast, share);
  EXPECT_GE(found.shareAtMost, share);
  EXPECT_LE(found.shareAtMost - found.shareAtLeast, 1.1e-3);
  EXPECT_LE(found.farthestAtLeast, std::sqrt(3.0) - 1.2 + 1e-12);
  EXPECT_NEAR(found.farthestAtLeast, std::sqrt(3.0) - 1.2, 2e-4);
  EXPECT_GE(found.farthestAtMost, std::sqrt(3.0) - 1.2);
  EXPECT_NEAR(heightAbove({{Vec3(0.0), 1.2}}, found.where), found.farthestAtLeast, 1e-12);
}

TEST(UncoveredSurface, OfHalfACubeIsHalf) {
  // A ball so large that its surface is all but a plane through the middle
  const Polyhedron cube(test::cube());
  const UncoveredSurface found = measured(cube, {{{-1e6, 0.0, 0.0}, 1e6}});
  EXPECT_NEAR(found.shareAtLeast, 0.5, 2e-3);
  EXPECT_NEAR(found.shareAtMost, 0.5, 2e-3);
  EXPECT_NEAR(found.farthestAtLeast, 1.0, 1e-3);
}

TEST(UncoveredSurface, NothingIsLeftOfWhatIsCovered) {
  for (const TriangleMesh& mesh : {test::cube(), test::torus(12, 8), test::comb(3)}) {
    const Polyhedron polyhedron(mesh);
    const auto fitted = fitFlatSet(polyhedron, {.count = 12});
    ASSERT_TRUE(fitted);
    const UncoveredSurface found = measured(polyhedron, *fitted);
    EXPECT_TRUE(found.covered());
    EXPECT_EQ(found.shareAtMost, 0.0);
    // Without one of them there is something; smaller ones leave something too
    std::vector<Sphere> fewer(fitted->begin() + 1, fitted->end());
    std::vector<Sphere> smaller = *fitted;
    for (Sphere& sphere : smaller) sphere.radius *= 0.97;
    EXPECT_FALSE(measured(polyhedron, fewer).covered());
    EXPECT_GT(measured(polyhedron, smaller).farthestAtLeast, 0.0);
  }
}

TEST(UncoveredSurface, WithoutSpheresIsAllOfIt) {
  const Polyhedron cube(test::cube());
  for (const std::vector<Sphere>& none : {std::vector<Sphere>{}, {{Vec3(0.0), -10.0}}}) {
    const UncoveredSurface found = measured(cube, none);
    EXPECT_NEAR(found.shareAtLeast, 1.0, 1e-8);
    EXPECT_TRUE(std::isinf(found.farthestAtLeast));
  }
}

/// A triangle that is none but for rounding.
TEST(UncoveredSurface, NothingIsKnownOfAShareOfNoArea) {
  const Polyhedron sliver(
      TriangleMesh{{{0, 0, 0}, {1 + 0x1p-30, 1, 0}, {1, 1 - 0x1p-30, 0}}, {{0, 1, 2}}});
  const UncoveredSurface found = measured(sliver, {{Vec3(0.0), 0.5}});
  ASSERT_EQ(found.area, 0.0);
  EXPECT_FALSE(found.covered());
  EXPECT_EQ(found.shareAtLeast, 0.0);
  EXPECT_EQ(found.shareAtMost, 1.0);
}

TEST(UncoveredSurface, BoundsHoldAtEverySample) {
  test::Random random(4);
  int partly = 0;
  for (int round = 0; round < 30; ++round) {
    const Polyhedron polyhedron(round % 2 ? test::torus(12, 8) : test::spikyStar(3, 7, 9));
    std::vector<Sphere> spheres;
    for (int i = random.whole(1, 12); i > 0; --i)
      spheres.push_back({random.inCube(0.9), random.between(0.05, 0.6)});
    const UncoveredSurface found = measured(polyhedron, spheres);
    Real outside = 0.0, all = 0.0, farthest = 0.0;
    const TriangleMesh& mesh = polyhedron.mesh();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
      const Triangle corners = mesh.corners(t);
      const Real area =
          0.5 * glm::length(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
      constexpr int samples = 400;
      for (int i = 0; i < samples; ++i) {
        const Real u = std::sqrt(random.unit()), v = random.unit();
        const Vec3 p = corners[0] * (1.0 - u) + corners[1] * (u * (1.0 - v)) + corners[2] * (u * v);
        const Real height = heightAbove(spheres, p);
        farthest = std::max(farthest, height);
        outside += height > 0.0 ? area / samples : 0.0;
        all += area / samples;
      }
    }
    EXPECT_NEAR(found.area, all, 1e-9);
    EXPECT_LE(farthest, found.farthestAtMost + 1e-12);
    EXPECT_GE(farthest, found.farthestAtLeast - 0.05);
    EXPECT_GE(outside / all, found.shareAtLeast - 0.01);
    EXPECT_LE(outside / all, found.shareAtMost + 0.01);
    partly += outside > 0.0 && outside < all;
  }
  EXPECT_GT(partly, 20);
}

TEST(UncoveredSurface, FewPiecesGiveLooserBoundsThatHold) {
  const Polyhedron cube(test::cube());
  const Real truth = std::sqrt(3.0) - 1.2, share = 1.0 - pi * 0.44 / 4.0;
  for (const std::size_t pieces : {1u, 30u, 300u}) {
    const UncoveredSurface found =
        measured(cube, {{Vec3(0.0), 1.2}},
                 {.shareTolerance = 1e-9, .distanceTolerance = 1e-12, .maxPieces = pieces});
    EXPECT_LE(found.farthestAtLeast, truth + 1e-12);
    EXPECT_GE(found.farthestAtMost, truth - 1e-12);
    EXPECT_LE(found.shareAtLeast, share);
    EXPECT_GE(found.shareAtMost, share);
  }
}

TEST(UncoveredSurface, BadInputIsRefused) {
  const Polyhedron cube(test::cube());
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const std::vector<Sphere> wrong{{Vec3(0.0, nan, 0.0), 1.0}}, sound{{Vec3(0.0), 1.0}};
  EXPECT_FALSE(measureUncovered(cube, wrong));
  EXPECT_FALSE(measureUncovered(cube, sound, {.shareTolerance = 0.0}));
  // It holds the cube, but squares of its size overflow
  const std::vector<Sphere> huge{{Vec3(1e200, 0.0, 0.0), 2e200}};
  const auto refused = measureUncovered(cube, huge);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a sphere is not finite or has a number above 1e15");
  const std::vector<Sphere> large{{Vec3(4e14, 0.0, 0.0), 1e15}};
  EXPECT_TRUE(measured(cube, large).covered());
  BuildProgress cancelled;
  cancelled.cancelled = true;
  EXPECT_EQ(measureUncovered(cube, sound, {}, &cancelled).error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace nearmiss
