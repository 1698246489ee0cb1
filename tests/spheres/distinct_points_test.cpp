// SPDX-License-Identifier: MIT
/// Points without their repetitions, and those near a place.
#include "spheres/point_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

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
  const std::uint32_t nearest = grid.nearest(Vec3(1e6, 0.0, 0.0), points);
  for (const Vec3& point : points) EXPECT_LE(point.x, points[nearest].x + 1e-6);
}

TEST(DistinctPoints, KeepsEachPointOnce) {
  test::Random random(4);
  DistinctPoints set;
  std::size_t repeated = 0;
  for (const int range : {1, 3, 40, 2}) {
    std::vector<Vec3> expected;
    set.start(500);
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
