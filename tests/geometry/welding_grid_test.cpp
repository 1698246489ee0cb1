// SPDX-License-Identifier: MIT
#include "geometry/welding_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <glm/geometric.hpp>
#include <vector>

#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(WeldingGrid, FindsTheVertexThatComparingAllFinds) {
  Random random(6);
  std::size_t welded = 0, apartWelded = 0;
  for (int round = 0; round < test::cases(200); ++round) {
    const Real distance = random.between(0.05, 0.6);
    std::vector<Vec3> points;
    for (int i = 0; i < 80; ++i)
      points.push_back(i % 9 == 8 ? points[static_cast<std::size_t>(random.whole(0, i - 1))]
                                  : random.inCube(0.5));
    std::vector<char> apart(points.size());
    for (char& stays : apart) stays = random.whole(0, 3) == 0;
    const std::vector<std::uint32_t> first = firstAtPositions(points);
    WeldingGrid grid(points, distance, first);
    grid.start(apart);
    std::vector<std::uint32_t> kept;
    for (std::uint32_t v = 0; v < points.size(); ++v) {
      ASSERT_EQ(first[v], std::find(points.begin(), points.end(), points[v]) - points.begin());
      if (first[v] != v) continue;
      const auto near = std::find_if(kept.begin(), kept.end(), [&](std::uint32_t k) {
        return glm::distance(points[k], points[v]) < distance;
      });
      const std::uint32_t expected = apart[v] != 0 || near == kept.end() ? v : *near;
      ASSERT_EQ(grid.keptFor(v), expected);
      if (expected == v) kept.push_back(v);
      welded += expected != v;
      apartWelded += expected != v && apart[expected] != 0;
    }
  }
  EXPECT_GT(welded, 1000u);
  EXPECT_GT(apartWelded, 1000u);
}

/// Those that stay fill a cell, out of reach of those beside it.
TEST(WeldingGrid, ComparesFewWithACrowd) {
  Random random(7);
  constexpr std::size_t crowd = 3000;
  std::vector<Vec3> points;
  for (std::size_t i = 0; i < 2 * crowd; ++i)
    points.push_back(Vec3(i < crowd ? 0.2 : 1.4, 0.5, 0.5) + random.inCube(0.09));
  std::vector<char> apart(points.size(), 0);
  std::fill(apart.begin(), apart.begin() + crowd, 1);
  WeldingGrid grid(points, 1.0, firstAtPositions(points));
  grid.start(apart);
  for (std::uint32_t v = 0; v < points.size(); ++v)
    ASSERT_EQ(grid.keptFor(v), v < crowd ? v : crowd);
  EXPECT_LT(grid.compared(), 10 * crowd);
}

}  // namespace
}  // namespace nearmiss
