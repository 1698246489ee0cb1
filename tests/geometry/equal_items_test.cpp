// SPDX-License-Identifier: MIT
/// Equal points and triangles, and vertices near each other, are those that comparing all finds,
/// also where hashes collide.
#include "base/equal_items.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "geometry/near_vertices.h"
#include "support/campaign.h"
#include "support/random.h"

namespace nearmiss {
namespace {

using test::Random;

TEST(EqualItems, AreThoseOfSorting) {
  Random random(1);
  std::vector<Vec3> points;
  for (int i = 0; i < 200000; ++i)
    points.push_back(i % 3 == 0 && i > 0
                         ? points[static_cast<std::size_t>(random.whole(0, i - 1))]
                         : glm::round(40.0 * random.inCube(1.0)) / (i % 2 == 0 ? 1.0 : 3.0));
  points[3] = Vec3(0.0);
  points[70] = Vec3(-0.0);
  const auto at = [&](std::size_t i) { return points[i]; };
  const auto sorted = firstOfEqualSorted(points.size(), at);
  for (const int workers : {1, 2, 5}) EXPECT_EQ(firstOfEqual(points.size(), at, workers), sorted);
  EXPECT_EQ(sorted[70], 3u);
}

/// The word that `hash` has to be mixed with to become `mixed`.
std::uint64_t wordFor(std::uint64_t mixed, std::uint64_t hash) {
  constexpr std::uint64_t factor = 0x9fb21c651e98df25u;
  std::uint64_t inverse = factor;
  for (int i = 0; i < 6; ++i) inverse *= 2 - factor * inverse;
  return (mixed ^ (mixed >> 35)) * inverse ^ hash;
}

/// Keys that somebody chose so that all have one hash are sorted instead.
TEST(EqualItems, AreFoundWhereAllHashesCollide) {
  std::vector<std::array<std::uint32_t, 3>> keys;
  for (std::uint32_t i = 0; i < 50000; ++i) {
    const std::uint32_t last = i % 30000;
    const std::uint64_t first = wordFor(wordFor(123456789, 0) ^ last, 0x6e6561726d697373u);
    keys.push_back(
        {static_cast<std::uint32_t>(first >> 32), static_cast<std::uint32_t>(first), last});
    ASSERT_EQ(keyHash(keys.back()), keyHash(keys.front()));
  }
  for (const int workers : {1, 2}) {
    const auto first = firstOfEqual(
        keys.size(), [&](std::size_t i) { return keys[i]; }, workers);
    for (std::size_t i = 0; i < first.size(); ++i) ASSERT_EQ(first[i], i % 30000);
  }
}

TEST(NearVertices, AreNeverMissed) {
  Random random(2);
  std::size_t near = 0, far = 0;
  for (int round = 0; round < test::cases(60); ++round) {
    const Real distance = random.between(1e-4, 0.2);
    // Some far from the origin, where cells are rounded
    const Vec3 offset = round % 4 == 0 ? 1e12 * random.inCube(1.0) : Vec3(0.0);
    std::vector<Vec3> points;
    for (int i = 0; i < 400; ++i)
      points.push_back(i % 5 == 4 ? points.back() + random.inCube(1.5 * distance)
                                  : offset + random.inCube(10.0));
    const auto first = firstOfEqualSorted(points.size(), [&](std::size_t i) { return points[i]; });
    const std::vector<char> found = haveOthersNear(points, distance, first, 1 + round % 3);
    for (std::uint32_t v = 0; v < points.size(); ++v) {
      if (first[v] != v) continue;
      const bool has = std::any_of(points.begin(), points.end(), [&](const Vec3& p) {
        return p != points[v] && glm::distance(p, points[v]) < distance * (1.0 - 1e-12);
      });
      ASSERT_TRUE(!has || found[v] != 0);
      near += has;
      far += found[v] == 0;
    }
  }
  EXPECT_GT(near, 1000u);
  EXPECT_GT(far, 1000u);
}

}  // namespace
}  // namespace nearmiss
