// SPDX-License-Identifier: MIT
/// Quick distances against exact ones: in the open, near the surface, and from triangles that
/// hardly are any.
#include "spheres/distance_field.h"

#include <gtest/gtest.h>
#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>

#include "geometry/closest_points.h"
#include "spheres/hausdorff.h"
#include "support/campaign.h"
#include "support/flawed_meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// Error of floats, relative to the size of a mesh.
constexpr Real fieldRounding = 3e-6;

/// A point around the mesh, or very near one of its triangles.
Vec3 pointAbout(const Polyhedron& polyhedron, test::Random& random) {
  const Box& bounds = polyhedron.bounds();
  const Vec3 any = bounds.centre() + random.inCube(0.8) * bounds.extent();
  if (random.chance(0.5)) return any;
  return polyhedron.nearest(any).position + std::pow(10.0, random.between(-7.0, -1.0)) *
                                                glm::length(bounds.extent()) * random.direction();
}

TEST(DistanceField, FindsTheNearestTriangleOfAnyMesh) {
  test::Random random(1);
  int fromWitness = 0, asked = 0;
  for (const TriangleMesh& mesh : test::allMeshes()) {
    const Polyhedron polyhedron(mesh);
    const DistanceField field(mesh);
    const Real error = fieldRounding * glm::length(polyhedron.bounds().extent());
    std::uint32_t witness = 0;
    Vec3 last = polyhedron.bounds().centre();
    for (int i = 0; i < test::cases(300); ++i) {
      // Half of the questions lie near the last
      const Vec3 point = random.chance(0.5)
                             ? pointAbout(polyhedron, random)
                             : last + 0.01 * random.inCube(1.0) * polyhedron.bounds().extent();
      last = point;
      const Real exact = polyhedron.nearest(point).distance;
      const float found = field.distance(point, witness, 0.0f);
      ASSERT_NEAR(found, exact, error);
      const Triangle nearest = polyhedron.mesh().corners(field.triangleOf(witness));
      ASSERT_NEAR(glm::distance(closestOnTriangle(point, nearest), point), exact, error);

      // Any distance below `enough` will do, and beyond the limit only that is returned
      const auto enough = static_cast<float>(exact * random.between(0.5, 2.0));
      const float some = field.distance(point, witness, enough);
      if (exact > static_cast<Real>(enough) + error) {
        ASSERT_NEAR(some, exact, error);
      } else if (exact < static_cast<Real>(enough) - error) {
        ASSERT_LE(some, enough);
      }
      const auto limit = static_cast<float>(exact * random.between(0.5, 2.0));
      const Real limited = field.distance(point, witness, 0.0f, limit);
      ASSERT_NEAR(limited, std::min(exact, static_cast<Real>(limit)), error);

      fromWitness += field.isNear(witness, point, static_cast<float>(exact + error)) ? 1 : 0;
      ++asked;
      ASSERT_FALSE(field.isNear(witness, point, static_cast<float>(exact - error)) &&
                   exact > error);
    }
  }
  EXPECT_GT(fromWitness, asked / 2);
}

/// Deep inside of a round body all of its surface is about equally far, and only cylinders exclude
/// what is not nearest.
TEST(DistanceField, FindsTheNearestOfManyAboutEquallyFar) {
  test::Random random(4);
  constexpr Real large = 1.0, small = 0.35;
  const Polyhedron polyhedron(test::torus(96, 48, large, small));
  const DistanceField field(polyhedron.mesh());
  std::uint32_t witness = 0;
  int deep = 0;
  for (int i = 0; i < test::cases(400); ++i) {
    const Real turn = random.between(0.0, 6.3);
    const Vec3 onAxis = large * Vec3(std::cos(turn), std::sin(turn), 0.0);
    const Vec3 point = onAxis + std::pow(10.0, random.between(-6.0, 0.0)) * random.direction();
    const Real exact = polyhedron.nearest(point).distance;
    ASSERT_NEAR(field.distance(point, witness, 0.0f), exact, fieldRounding);
    ASSERT_NEAR(
        glm::distance(
            closestOnTriangle(point, polyhedron.mesh().corners(field.triangleOf(witness))), point),
        exact, fieldRounding);
    deep += polyhedron.contains(point) && exact > 0.99 * small ? 1 : 0;
  }
  EXPECT_GT(deep, 50);
}

TEST(DistanceField, TellsTheSidesOfASolid) {
  test::Random random(2);
  const Polyhedron polyhedron(test::torus());
  const DistanceField field(polyhedron.mesh());
  int inside = 0;
  for (int i = 0; i < test::cases(1000); ++i) {
    const Vec3 point = pointAbout(polyhedron, random);
    std::uint32_t witness = 0;
    if (field.distance(point, witness, 0.0f) < 1e-3f) continue;
    // Where an edge is nearest, either of its triangles may be
    const bool within = polyhedron.contains(point);
    inside += within ? 1 : 0;
    EXPECT_EQ(field.isBehind(witness, point), within);
  }
  EXPECT_GT(inside, 50);
}

TEST(FarthestPointSearch, ProvesTheSameWithQuickAnswers) {
  test::Random random(3);
  for (const TriangleMesh& mesh : test::allMeshes()) {
    const Polyhedron polyhedron(mesh);
    const DistanceField field(mesh);
    FarthestPointSearch exact(polyhedron), quick(polyhedron, &field);
    const Real size = glm::length(polyhedron.bounds().extent());
    for (int i = 0; i < test::cases(8); ++i) {
      const Sphere ball{pointAbout(polyhedron, random), size * random.between(0.01, 0.3)};
      const Real tolerance = 0.02 * ball.radius;
      const DistanceRange truth = exact.search(ball, tolerance);
      const DistanceRange found = quick.search(ball, tolerance);
      EXPECT_GE(found.atMost, truth.atLeast);
      EXPECT_LE(found.atMost, truth.atLeast + 2.0 * tolerance + fieldRounding * size);
    }
  }
}

}  // namespace
}  // namespace nearmiss
