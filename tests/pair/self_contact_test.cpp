// SPDX-License-Identifier: MIT
/// Self-contacts are the pairs that comparing all triangles finds, whatever the budget.
#include <gtest/gtest.h>
#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/mesh.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "support/hard_meshes.h"
#include "support/meshes.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using Pairs = std::vector<std::array<std::uint32_t, 2>>;

Shape bareShape(TriangleMesh mesh) { return Shape::of(Polyhedron(std::move(mesh))); }

Pairs sorted(Pairs pairs) {
  std::ranges::sort(pairs);
  return pairs;
}

Pairs expectedOf(const Shape& shape) {
  return findMeshFaults(shape.polyhedron().mesh())->selfIntersections;
}

/// A sheet of half^2 squares, rolled up by so many turns: from one turn on its ends cross.
TriangleMesh roll(int half, Real turns) {
  TriangleMesh mesh = test::terrain(half, [](Real, Real) { return 0.0; });
  for (Vec3& p : mesh.positions) {
    const Real x = p.x / half, z = p.z / half;
    const Real angle = 3.14159265 * turns * x, radius = 1.0 + 0.02 * x * (z + 0.013);
    p = {radius * std::sin(angle), z, radius * std::cos(angle)};
  }
  return mesh;
}

/// Blades about one vertex, which is a hub, that cross each other.
TriangleMesh fan(std::uint32_t count, std::uint64_t seed) {
  test::Random random(seed);
  TriangleMesh mesh{{Vec3(0.0)}, {}};
  for (std::uint32_t i = 0; i < count; ++i) {
    const Vec3 to = random.direction();
    mesh.positions.push_back(to);
    mesh.positions.push_back(to + 0.4 * random.direction());
    mesh.triangles.push_back({0, 2 * i + 1, 2 * i + 2});
  }
  return mesh;
}

std::vector<Shape> crossingShapes() {
  std::vector<Shape> shapes;
  shapes.push_back(bareShape(test::heap(200)));
  shapes.push_back(bareShape(roll(12, 1.3)));
  shapes.push_back(bareShape(fan(150, 5)));
  TriangleMesh twice = test::torus();
  test::append(twice, test::torus(), {0.2, 0.1, 0.1});
  shapes.push_back(bareShape(std::move(twice)));
  return shapes;
}

TEST(SelfContacts, AreThoseOfAllPairs) {
  for (const Shape& shape : crossingShapes()) {
    const Pairs expected = expectedOf(shape);
    ASSERT_GT(expected.size(), 20u);
    const SelfContacts found = selfContacts(shape);
    EXPECT_FALSE(found.canRefine);
    EXPECT_EQ(sorted(found.pairs), expected);
  }
  for (const TriangleMesh& clean : {test::torus(), test::spikyStar(3), test::comb(), roll(8, 0.9)})
    EXPECT_TRUE(selfContacts(bareShape(clean)).pairs.empty());
}

TEST(SelfContacts, AddUpWhateverTheStops) {
  for (const Shape& shape : crossingShapes()) {
    const SelfContacts whole = selfContacts(shape);
    WorkClock clock;
    SelfContactQuery query;
    query.begin(shape);
    std::size_t stops = 0;
    Pairs before;
    while (query.known().canRefine) {
      const Pairs& found = query.refine(TimeBudget(clock, std::chrono::microseconds(4))).pairs;
      ASSERT_GE(found.size(), before.size());
      EXPECT_TRUE(std::equal(before.begin(), before.end(), found.begin()));
      before = found;
      ASSERT_LT(++stops, 100000u);
    }
    EXPECT_GT(stops, 4u);
    EXPECT_EQ(before, whole.pairs);
    EXPECT_EQ(query.refine().pairs, whole.pairs);
  }
}

TEST(SelfContacts, FollowASurfaceThatRollsUp) {
  std::vector<Shape> frames;
  for (int frame = 0; frame < 12; ++frame)
    frames.push_back(bareShape(roll(10, 0.8 + 0.05 * frame)));
  SelfContactQuery query;
  std::size_t apart = 0, touching = 0;
  for (int round = 0; round < 2; ++round)
    for (const Shape& shape : frames) {
      query.begin(shape);
      static_cast<void>(query.refine());
      EXPECT_EQ(sorted(query.known().pairs), expectedOf(shape));
      ++(query.known().pairs.empty() ? apart : touching);
    }
  EXPECT_GE(apart, 4u);
  EXPECT_GE(touching, 4u);
}

TEST(SelfContacts, DoNotMixUpOtherTriangles) {
  SelfContactQuery query;
  for (const Shape& shape : crossingShapes()) {
    query.begin(shape);
    EXPECT_EQ(sorted(query.refine().pairs), expectedOf(shape));
  }
  // The same triangles, another hierarchy
  TriangleMesh blades = fan(120, 6);
  query.begin(bareShape(blades));
  static_cast<void>(query.refine());
  for (Vec3& p : blades.positions) p = {3.0 * p.z, 0.5 * p.x + p.y, p.y - 0.2 * p.z};
  const Shape other = bareShape(blades);
  query.begin(other);
  EXPECT_EQ(sorted(query.refine().pairs), expectedOf(other));
}

}  // namespace
}  // namespace nearmiss
