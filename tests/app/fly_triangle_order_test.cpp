// SPDX-License-Identifier: MIT
#include "fly/gfx/triangle_order.h"

#include <gtest/gtest.h>
#include <nearmiss/detail/split_mix.h>

#include <algorithm>
#include <array>
#include <deque>

namespace nearmiss::app {
namespace {

using Triangle = std::array<std::uint32_t, 3>;

/// A grid of squares, two triangles each, in random order.
std::vector<std::uint32_t> shuffledGrid(std::uint32_t size, std::uint64_t seed) {
  std::vector<Triangle> triangles;
  for (std::uint32_t y = 0; y < size; ++y) {
    for (std::uint32_t x = 0; x < size; ++x) {
      const std::uint32_t a = y * (size + 1) + x, b = a + size + 1;
      triangles.push_back({a, a + 1, b + 1});
      triangles.push_back({a, b + 1, b});
    }
  }
  SplitMix random(seed);
  for (std::size_t i = triangles.size(); i > 1; --i) {
    std::swap(triangles[i - 1], triangles[random.bits() % i]);
  }
  std::vector<std::uint32_t> indices;
  for (const Triangle& t : triangles) indices.insert(indices.end(), t.begin(), t.end());
  return indices;
}

std::vector<Triangle> sortedTriangles(const std::vector<std::uint32_t>& indices) {
  std::vector<Triangle> triangles;
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    Triangle t{indices[i], indices[i + 1], indices[i + 2]};
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    triangles.push_back(t);
  }
  std::sort(triangles.begin(), triangles.end());
  return triangles;
}

/// Vertices computed for each triangle drawn, with a first-in first-out cache.
double missesPerTriangle(const std::vector<std::uint32_t>& indices, std::size_t cacheSize) {
  std::deque<std::uint32_t> cache;
  std::size_t misses = 0;
  for (const std::uint32_t v : indices) {
    if (std::find(cache.begin(), cache.end(), v) != cache.end()) continue;
    ++misses;
    cache.push_back(v);
    if (cache.size() > cacheSize) cache.pop_front();
  }
  return 3.0 * static_cast<double>(misses) / static_cast<double>(indices.size());
}

TEST(FlyTriangleOrder, KeepsEveryTriangleAndItsSense) {
  const auto indices = shuffledGrid(24, 3);
  const auto ordered = orderForReuse(indices, 25 * 25);
  EXPECT_NE(ordered, indices);
  EXPECT_EQ(sortedTriangles(ordered), sortedTriangles(indices));
}

TEST(FlyTriangleOrder, ReusesVertices) {
  const auto indices = shuffledGrid(40, 4);
  EXPECT_GT(missesPerTriangle(indices, 24), 2.0);
  // No order does better than half a vertex a triangle on a grid.
  EXPECT_LT(missesPerTriangle(orderForReuse(indices, 41 * 41), 24), 0.8);
}

TEST(FlyTriangleOrder, TakesLoosePiecesAndNothing) {
  EXPECT_TRUE(orderForReuse({}, 0).empty());
  EXPECT_TRUE(orderForReuse({}, 7).empty());
  // Three separate triangles, and vertices that none of them uses
  const std::vector<std::uint32_t> loose{7, 8, 9, 0, 1, 2, 4, 5, 6};
  EXPECT_EQ(sortedTriangles(orderForReuse(loose, 12)), sortedTriangles(loose));
}

}  // namespace
}  // namespace nearmiss::app
