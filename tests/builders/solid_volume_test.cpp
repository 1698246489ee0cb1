// SPDX-License-Identifier: MIT
/// What is inside of a surface, along rows and by cells, and the volume of unions of balls.
#include <gtest/gtest.h>
#include <nearmiss/spheres.h>

#include <atomic>
#include <cstdint>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

#include "builders/solid_volume.h"
#include "support/campaign.h"
#include "support/meshes.h"
#include "support/random.h"
#include "support/shapes.h"

namespace nearmiss {
namespace {

TEST(VolumeGrid, CountsWhatBallsTakeAndLeave) {
  const Polyhedron polyhedron(test::cube(0.5));
  Box region;
  for (const Real end : {-2.0, 2.0}) region.include(Vec3(end));
  VolumeGrid grid(SolidParts(polyhedron), region, 8'000);
  test::Random random(5);
  std::vector<Sphere> balls;
  std::int64_t held = 0, shared = 0;
  for (int i = 0; i < test::cases(100); ++i) {
    if (balls.size() < 8) {
      const Sphere& ball = balls.emplace_back(Sphere{random.inCube(1.0), random.between(0.1, 1.0)});
      const std::int64_t free = grid.free(ball);
      ASSERT_EQ(grid.add(ball), free);
      ASSERT_EQ(grid.own(ball), free);
      held += free;
      continue;
    }
    std::swap(balls[static_cast<std::size_t>(random.whole(0, 7))], balls.back());
    const Sphere ball = balls.back();
    balls.pop_back();
    const std::int64_t own = grid.own(ball);
    ASSERT_EQ(grid.remove(ball), own);
    ASSERT_EQ(grid.free(ball), own);
    held -= own;
    shared += own == 0;
  }
  EXPECT_GT(shared, 0) << "no ball lay within others";
  for (const Sphere& ball : balls) held -= grid.remove(ball);
  EXPECT_EQ(held, 0);
}

TEST(UnionVolume, IsThatOfBallAndCube) {
  const Polyhedron polyhedron(test::cube(1.0));
  const UnionVolume around = measureUnion(polyhedron, std::vector<Sphere>{{Vec3(0.0), 2.0}});
  const Real ball = 4.0 / 3.0 * std::numbers::pi * 8.0;
  EXPECT_NEAR(around.solid, 8.0, 0.05);
  EXPECT_NEAR(around.whole, ball, 0.02);
  EXPECT_NEAR(around.outside, ball - 8.0, 0.05);
  EXPECT_EQ(around.missed, 0.0);

  // Two halves of the same ball are one ball; a ball inside is all within
  const UnionVolume twice =
      measureUnion(polyhedron, std::vector<Sphere>{{Vec3(0.0), 0.5}, {Vec3(0.0), 0.5}});
  EXPECT_NEAR(twice.whole, ball / 64.0, 0.001);
  EXPECT_EQ(twice.outside, 0.0);
  EXPECT_NEAR(twice.missed, 8.0 - ball / 64.0, 0.05);
}

TEST(UnionVolume, IsFiniteForAnyNumbers) {
  const Polyhedron polyhedron(test::cube(1.0));
  const Real inf = std::numeric_limits<Real>::infinity();
  const std::vector<Sphere> none{Sphere{}, {Vec3(0.0), -2.0}, {Vec3(0.0), inf}, {Vec3(inf), 1.0}};
  const UnionVolume alone = measureUnion(polyhedron, none, 64);
  EXPECT_EQ(alone.whole, 0.0);
  EXPECT_NEAR(alone.solid, 8.0, 1e-9);
  EXPECT_EQ(alone.missed, alone.solid);
  const std::vector<Sphere> ball{{Vec3(0.0), 2.0}};
  for (const int rows : {0, -7})
    EXPECT_EQ(measureUnion(polyhedron, ball, rows).whole, measureUnion(polyhedron, ball, 1).whole);
  // Flat, on a line along the rows
  TriangleMesh line;
  line.positions = {Vec3(0.0), Vec3(1.0, 0.0, 0.0), Vec3(2.0, 0.0, 0.0)};
  line.triangles = {{0, 1, 2}};
  EXPECT_EQ(measureUnion(Polyhedron(line), none).whole, 0.0);
}

/// Plates one after the other along the rows: a line is within each of them by itself.
TEST(UnionVolume, CountsManyPartsAlongOneLine) {
  TriangleMesh plates;
  for (int i = 0; i < 40; ++i)
    test::append(plates, test::box(Vec3(0.0), Vec3(0.5, 1.0, 1.0)), Vec3(i, 0.0, 0.0));
  const Polyhedron polyhedron(plates);
  ASSERT_TRUE(polyhedron.report().solid());
  const std::vector<Sphere> ball{{Vec3(20.25, 0.5, 0.5), 0.1}};
  const UnionVolume volume = measureUnion(polyhedron, ball, 64);
  EXPECT_NEAR(volume.solid, 20.0, 1e-9);
  EXPECT_EQ(volume.outside, 0.0);
}

TEST(UnionVolume, HearsACancellation) {
  const Polyhedron polyhedron(test::cube(1.0));
  const SolidParts parts(polyhedron);
  const std::vector<Sphere> ball{{Vec3(0.0), 2.0}};
  std::atomic<bool> cancelled = false;
  const auto pointsInside = [&] {
    return VolumeGrid(parts, polyhedron.bounds(), 1000, &cancelled).insidePoints(100).size();
  };
  const auto whole = [&] { return measureUnion(polyhedron, parts, ball, 16, &cancelled).whole; };
  EXPECT_GT(pointsInside(), 0u);
  EXPECT_GT(whole(), 0.0);
  cancelled = true;
  EXPECT_EQ(pointsInside(), 0u);
  EXPECT_EQ(whole(), 0.0);
}

}  // namespace
}  // namespace nearmiss
