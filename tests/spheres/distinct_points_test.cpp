// SPDX-License-Identifier: MIT
/// Points without their repetitions.
#include "spheres/point_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "support/random.h"

namespace nearmiss {
namespace {

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
