// SPDX-License-Identifier: MIT
/// The measures of spheres and levels: never below the true value, hardly above it.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

class EverySphereMeasured : public testing::TestWithParam<std::size_t> {
 protected:
  Polyhedron polyhedron_{test::variousMeshes()[GetParam()]};
};

TEST_P(EverySphereMeasured, IsNowhereFartherThanItsBounds) {
  Random random(GetParam());
  const bool solid = polyhedron_.report().solid();
  Real shares = 0.0;
  const int spheres = 12;
  for (int s = 0; s < spheres; ++s) {
    const Sphere sphere{random.direction() * (polyhedron_.radius() * random.unit()),
                        polyhedron_.radius() * (0.05 + random.unit())};
    const SphereHausdorff bound = measureSphere(polyhedron_, sphere, 0.02 * sphere.radius);
    EXPECT_LE(bound.outside, bound.surface);
    EXPECT_LE(bound.surface, bound.ball);
    Real farthest = 0.0;
    for (int i = 0; i < test::cases(150); ++i) {
      const Vec3 point = sphere.centre + sphere.radius * random.direction();
      const Real distance = polyhedron_.nearest(point).distance;
      farthest = std::max(farthest, distance);
      ASSERT_LE(distance, bound.surface * (1.0 + 1e-12));
      if (!solid || !polyhedron_.contains(point)) {
        ASSERT_LE(distance, bound.outside * (1.0 + 1e-12));
      }
    }
    shares += farthest / bound.surface;
  }
  EXPECT_GT(shares, 0.8 * spheres);
}

INSTANTIATE_TEST_SUITE_P(, EverySphereMeasured,
                         testing::Range<std::size_t>(0, test::variousMeshes().size()));

TEST(SphereTreeMeasure, KnowsSphereAndBallAroundACubeApart) {
  const Polyhedron cube(test::cube());
  const Real tolerance = 1e-3;
  const SphereHausdorff around = measureSphere(cube, {Vec3(0.0), std::sqrt(3.0)}, tolerance);
  EXPECT_NEAR(around.surface, std::sqrt(3.0) - 1.0, tolerance);
  EXPECT_NEAR(around.outside, std::sqrt(3.0) - 1.0, tolerance);
  EXPECT_NEAR(around.ball, 1.0, tolerance);
}

TEST(SphereTreeMeasure, CountsNothingInsideOfTheSolid) {
  const Polyhedron cube(test::cube());
  const Real tolerance = 1e-3;
  const SphereHausdorff within = measureSphere(cube, {Vec3(0.0), 0.5}, tolerance);
  // The diagonal's end is farthest from all faces
  EXPECT_NEAR(within.surface, 1.0 - 0.5 / std::sqrt(3.0), tolerance);
  EXPECT_LE(within.outside, tolerance);
  EXPECT_NEAR(within.ball, 1.0, tolerance);

  // Without an inside there is nothing to leave out
  TriangleMesh open = test::cube();
  open.triangles.pop_back();
  const SphereHausdorff undefined = measureSphere(Polyhedron(open), {Vec3(0.0), 0.5}, tolerance);
  EXPECT_EQ(undefined.outside, undefined.surface);
}

TEST(Dodecahedron, EstimatesFromBelowAndCorrectedFromAbove) {
  Random random(49);
  for (const TriangleMesh& mesh : test::variousMeshes()) {
    const Polyhedron polyhedron(mesh);
    Real shares = 0.0;
    const int spheres = 30;
    for (int i = 0; i < spheres; ++i) {
      const Sphere sphere{random.direction() * (polyhedron.radius() * random.unit()),
                          polyhedron.radius() * (0.05 + random.unit())};
      const Real tolerance = 0.01 * sphere.radius;
      const Real h = measureSphere(polyhedron, sphere, tolerance).surface;
      const DodecahedronEstimate estimate = dodecahedronEstimate(polyhedron, sphere);
      EXPECT_LE(estimate.sampled, h);
      EXPECT_GE(estimate.corrected, h - tolerance);
      EXPECT_NEAR(estimate.corrected - estimate.sampled, 0.64085 * sphere.radius,
                  1e-5 * sphere.radius);
      shares += estimate.sampled / h;
    }
    EXPECT_GT(shares, 0.7 * spheres);
  }
}

/// From far away the farthest vertex is the one nearest to the far side: no direction is more than
/// 37.377 degrees from a vertex, and the middles of faces are.
TEST(Dodecahedron, HasItsVerticesAllAround) {
  const Polyhedron speck(TriangleMesh{{{0, 0, 0}, {1e-9, 0, 0}, {0, 1e-9, 0}}, {{0, 1, 2}}});
  Random random(50);
  Real least = 1.0, most = 0.0;
  for (int i = 0; i < test::cases(3000); ++i) {
    const Sphere sphere{random.direction() * 1e5, 1.0};
    const Real cosine = dodecahedronEstimate(speck, sphere).sampled - 1e5;
    least = std::min(least, cosine);
    most = std::max(most, cosine);
  }
  EXPECT_NEAR(least, 0.7946545, 1e-2);
  EXPECT_GE(least, 0.7946544);
  EXPECT_NEAR(most, 1.0, 1e-3);
}

TEST(SphereTreeMeasure, OfALevelMatchesItsSpheres) {
  const Polyhedron cube(test::cube());
  const SphereTree tree = *buildOctreeSphereTree(cube, {.levels = 1});
  const auto levels = measureLevels(tree, cube);
  ASSERT_EQ(levels.size(), 2u);
  // One ball: its H is the mean, the greatest and the weighted one; its volume is known
  EXPECT_EQ(levels[0].spheres, 1u);
  EXPECT_EQ(levels[0].surfaceMean, levels[0].surfaceMax);
  EXPECT_NEAR(levels[0].areaWeighted, levels[0].surfaceMean, 1e-9);
  const Real r = tree.sphere(0).radius;
  const Real volume = 4.0 / 3.0 * 3.14159265358979 * r * r * r;
  EXPECT_NEAR(levels[0].volume, volume, 0.02 * volume);
  ASSERT_TRUE(levels[0].outsideVolume.has_value());
  EXPECT_NEAR(*levels[0].outsideVolume, volume - 8.0, 0.02 * volume);
  // Eight alike, each through the middle of the cube
  EXPECT_EQ(levels[1].spheres, 8u);
  EXPECT_NEAR(levels[1].surfaceMax, 1.0, 0.02 * std::sqrt(3.0));
  EXPECT_NEAR(levels[1].areaWeighted, levels[1].surfaceMean, 0.05 * levels[1].surfaceMean);
  for (const SphereLevelMeasure& level : levels) EXPECT_EQ(level.uncovered, 0.0);
}

TEST(SphereTreeMeasure, IsTheSameForAnyNumberOfThreads) {
  const Polyhedron star(test::spikyStar(3, 6, 8));
  const SphereTree tree = *buildOctreeSphereTree(star, {.levels = 2});
  LevelMeasureSettings settings;
  settings.surfaceSamples = settings.volumeSamples = 2000;
  const auto one = measureLevels(tree, star, settings);
  settings.workers = 3;
  const auto three = measureLevels(tree, star, settings);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t l = 0; l < one.size(); ++l) {
    EXPECT_EQ(one[l].surfaceMean, three[l].surfaceMean);
    EXPECT_EQ(one[l].outsideMax, three[l].outsideMax);
    EXPECT_EQ(one[l].areaWeighted, three[l].areaWeighted);
    EXPECT_EQ(one[l].volume, three[l].volume);
  }
}

}  // namespace
}  // namespace nearmiss
