// SPDX-License-Identifier: MIT
/// Points without their repetitions, and those near a place.
#include "spheres/point_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "spheres/point_tree.h"
#include "support/random.h"

namespace nearmiss {
namespace {

/// As far as a million million rows of cells, of which hardly any has a point.
TEST(PointGrid, FindsAllWithinReachHoweverFar) {
  test::Random random(5);
  std::vector<Vec3> points;
  for (int i = 0; i < 300; ++i) points.push_back(random.inCube(1.0));
  const PointGrid grid(points, 0.02);
  for (const Real reach : {0.01, 0.1, 0.5, 3.0, 1e4, 1e15}) {
    const Vec3 at = random.inCube(2.0);
    std::vector<std::uint32_t> found, expected;
    grid.forEachNear(at, reach, [&](std::uint32_t i) {
      if (glm::distance(points[i], at) <= reach) found.push_back(i);
    });
    for (std::uint32_t i = 0; i < points.size(); ++i)
      if (glm::distance(points[i], at) <= reach) expected.push_back(i);
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << reach;
  }
}

TEST(PointTree, FindsTheNearestAndOfSeveralTheFirst) {
  test::Random random(6);
  for (const int range : {1, 3, 1000}) {
    std::vector<Vec3> points;
    for (int i = 0; i < 300; ++i) points.push_back(random.onLattice(range));
    const PointTree tree(points);
    for (int i = 0; i < 200; ++i) {
      const Vec3 at = i % 2 == 0 ? random.onLattice(2 * range) : random.inCube(2.0 * range);
      const auto nearest = std::ranges::min_element(
          points, {}, [&at](const Vec3& p) { return glm::dot(p - at, p - at); });
      EXPECT_EQ(tree.nearest(at), static_cast<std::uint32_t>(nearest - points.begin()));
    }
  }
}

/// A grid would have all but one of the points in one cell.
TEST(PointTree, LooksAtFewPointsHoweverUnevenlyTheyAreSpread) {
  test::Random random(7);
  std::vector<Vec3> points{Vec3(1e9)};
  for (int i = 0; i < 10000; ++i) points.push_back(random.inCube(1.0));
  for (int i = 0; i < 1000; ++i) points.push_back(Vec3(1e6 * i, 0.0, 0.0));
  const PointTree tree(points);
  std::size_t visits = 0;
  for (int i = 0; i < 1000; ++i) (void)tree.nearest(random.inCube(1.0), &visits);
  EXPECT_LT(visits, 1000u * 200u);
}

TEST(DistinctPoints, KeepsEachPointOnce) {
  test::Random random(4);
  DistinctPoints set;
  std::size_t repeated = 0;
  for (const int range : {1, 3, 40, 2}) {
    std::vector<Vec3> expected;
    // More come than were expected
    set.start(range == 40 ? 500 : 1);
    for (int i = 0; i < 500; ++i) {
      const Vec3 point = 0.1 * random.onLattice(range);
      if (std::find(expected.begin(), expected.end(), point) == expected.end())
        expected.push_back(point);
      set.add(random.chance(0.5) ? point : Vec3(-0.0) + point);
    }
    EXPECT_TRUE(
        std::equal(expected.begin(), expected.end(), set.points().begin(), set.points().end()));
    repeated += 500 - expected.size();
  }
  EXPECT_GT(repeated, 500u);
}

// Meshes have round coordinates, whose bits are zeros for the most part
TEST(DistinctPoints, SpreadsRoundCoordinates) {
  for (const Real step : {0x1p-4, 0.25, 1.0, 0x1p20}) {
    std::set<std::size_t> slots;
    for (int x = -8; x < 8; ++x)
      for (int y = -8; y < 8; ++y)
        for (int z = -8; z < 8; ++z)
          slots.insert(DistinctPoints::hashOf(step * Vec3(x, y, z)) % 8192);
    // By chance 4,096 points hit 3,223 of 8,192 slots
    EXPECT_GT(slots.size(), 3000u) << step;
  }
}

}  // namespace
}  // namespace nearmiss
