// SPDX-License-Identifier: MIT
/// What a certificate must not pass: a bound that is a little too small, slivers with a gap in
/// their middle, closed parts behind a loose triangle or behind many others.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/advanced/tree_builders.h>
#include <nearmiss/advanced/tree_quality.h>
#include <nearmiss/spheres.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

/// Spheres that cover the surface of a cube about the origin, and leave its middle open.
std::vector<Sphere> shellOf(Real half) {
  std::vector<Sphere> spheres;
  constexpr int count = 4;
  for (int axis = 0; axis < 3; ++axis)
    for (const Real side : {-half, half})
      for (int i = 0; i < count; ++i)
        for (int k = 0; k < count; ++k) {
          Vec3 at(0.0);
          at[axis] = side;
          at[(axis + 1) % 3] = half * ((2.0 * i + 1.0) / count - 1.0);
          at[(axis + 2) % 3] = half * ((2.0 * k + 1.0) / count - 1.0);
          spheres.push_back({at, 0.4 * half});
        }
  return spheres;
}

TEST(FlatSetCheck, FindsHolesBehindALooseTriangleToo) {
  const std::vector<Sphere> shell = shellOf(1.0);
  TriangleMesh mesh = test::cube(1.0);
  ASSERT_EQ(checkFlatSet(Polyhedron(mesh), shell).openTriangles, 0u);
  ASSERT_GT(checkFlatSet(Polyhedron(mesh), shell).holes, 0u);
  // At a corner, and at an edge
  const auto corner = mesh.triangles[0][0], other = mesh.triangles[0][1];
  const Vec3 at = mesh.positions[corner];
  const auto added = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3& p : {at * 1.01, at * 1.01 + Vec3(0.01, 0.0, 0.0)}) mesh.positions.push_back(p);
  for (const std::array<std::uint32_t, 3>& loose :
       {std::array{corner, added, added + 1}, std::array{corner, other, added}}) {
    TriangleMesh with = mesh;
    with.triangles.push_back(loose);
    const Polyhedron polyhedron(std::move(with));
    ASSERT_FALSE(polyhedron.report().solid());
    EXPECT_GT(checkFlatSet(polyhedron, shell).holes, 0u);
    EXPECT_GT(measureUnion(polyhedron, shell).missed, 0.0);
  }
}

TEST(FlatSetCheck, FindsHolesInTheLastOfManyParts) {
  TriangleMesh mesh;
  std::vector<Sphere> spheres;
  constexpr int parts = 300;
  for (int i = 0; i < parts; ++i) {
    const Vec3 at(10.0 * i, 0.0, 0.0);
    test::append(mesh, test::cube(i + 1 < parts ? 1.0 : 0.9), at);
    if (i + 1 < parts) spheres.push_back({at, 1.8});
  }
  for (Sphere ball : shellOf(0.9)) {
    ball.centre.x += 10.0 * (parts - 1);
    spheres.push_back(ball);
  }
  // A triangle that keeps all of it from being a solid
  const auto added = static_cast<std::uint32_t>(mesh.positions.size());
  for (const Vec3& p : {Vec3(0.0, 5.0, 0.0), Vec3(0.1, 5.0, 0.0), Vec3(0.0, 5.1, 0.0)})
    mesh.positions.push_back(p);
  mesh.triangles.push_back({added, added + 1, added + 2});
  spheres.push_back({{0.0, 5.0, 0.0}, 0.5});
  EXPECT_GT(checkFlatSet(Polyhedron(mesh), spheres).holes, 0u);
}

/// Two spheres that hold one half of a needle each, but for a gap between them.
TEST(MeasureUncovered, FindsGapsOfNeedles) {
  Random random(1);
  for (int i = 0; i < test::cases(600); ++i) {
    const Vec3 along = random.direction(), from = random.inCube(1.0);
    const Vec3 across = glm::normalize(glm::cross(along, random.direction()));
    const Real thin = std::pow(10.0, random.between(-11.0, -6.0));
    const Real gap = std::pow(10.0, random.between(-7.5, -5.0));
    TriangleMesh mesh{{from, from + along, from + 0.4 * along + thin * across}, {{0, 1, 2}}};
    std::vector<Sphere> spheres;
    for (const bool first : {true, false}) {
      // Meets the needle in a point on this side of the gap
      const Real ends = first ? 0.4 - gap : 0.4 + gap;
      const Vec3 meets = from + ends * along;
      const Real radius = random.between(1.0, 4.0);
      const Vec3 away = glm::normalize((first ? -1.0 : 1.0) * along + 0.9 * random.direction());
      spheres.push_back({meets + radius * away, radius});
    }
    EXPECT_FALSE(measureUncovered(Polyhedron(mesh), spheres)->covered()) << i << ' ' << thin;
  }
}

TEST(Certificate, PassesNoBoundThatIsALittleTooSmall) {
  const Polyhedron polyhedron(test::spikyStar(3, 8, 12));
  auto tree = buildOctreeSphereTree(polyhedron, {.levels = 2});
  ASSERT_TRUE(tree);
  ASSERT_TRUE(checkSphereTree(*tree, polyhedron).bounds);
  Random random(2);
  int tried = 0;
  std::vector<SphereId> ids;
  tree->spheresOf(2, ids);
  for (std::size_t k = 0; k < ids.size(); k += ids.size() / 8 + 1) {
    const Sphere ball = tree->sphere(ids[k]);
    Real farthest = 0.0;
    Vec3 best(0.0);
    for (int n = 0; n < 6000; ++n) {
      // Anywhere, then nearer and nearer to the best
      const Real step = n < 1000 ? 2.0 : std::pow(0.997, n - 1000);
      const Vec3 way = glm::normalize(best + step * random.direction());
      const Real distance =
          polyhedron.nearest(ball.centre + ball.radius * (1.0 - 1e-9) * way).distance;
      if (distance <= farthest) continue;
      farthest = distance;
      best = way;
    }
    SphereTree::Data data = tree->data();
    data.links[ids[k] / SpherePack::width].hausdorff[ids[k] % SpherePack::width] =
        static_cast<float>(farthest - 1e-5 * ball.radius);
    ++tried;
    EXPECT_FALSE(checkSphereTree(SphereTree(data), polyhedron).bounds) << ids[k];
  }
  EXPECT_GT(tried, 3);
}

}  // namespace
}  // namespace nearmiss
