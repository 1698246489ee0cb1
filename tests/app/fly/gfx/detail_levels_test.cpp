// SPDX-License-Identifier: MIT
#include <nearmiss/advanced/predicates.h>
#include <nearmiss/detail/split_mix.h>

#include <gtest/gtest.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "fly/gfx/detail_levels.h"
#include "support/meshes.h"

namespace nearmiss::app::fly {
namespace {

struct Drawn {
  std::vector<glm::vec3> positions;
  std::vector<std::uint32_t> indices;
};

Drawn drawn(const TriangleMesh& mesh) {
  Drawn made;
  for (const Vec3& p : mesh.positions) made.positions.emplace_back(p);
  for (const auto& t : mesh.triangles) made.indices.insert(made.indices.end(), t.begin(), t.end());
  return made;
}

TEST(FlyDetailLevels, BeginWithTheMeshAndGetCoarser) {
  const Drawn torus = drawn(test::torus(120, 60));
  const auto levels = detailLevels(torus.positions, torus.indices, 0.95f);
  ASSERT_GE(levels.size(), 4u);
  EXPECT_EQ(levels[0].indices, torus.indices);
  EXPECT_EQ(levels[0].cell, 0.0f);
  for (std::size_t l = 1; l < levels.size(); ++l) {
    EXPECT_GT(levels[l].cell, levels[l - 1].cell);
    EXPECT_LE(levels[l].indices.size(), levels[l - 1].indices.size() * 8 / 10);
    ASSERT_EQ(levels[l].indices.size() % 3, 0u);
  }
}

/// No two triangles alike, none without area by its corners, no vertex farther than across a cell.
TEST(FlyDetailLevels, StayWithinACellOfTheMesh) {
  const Drawn torus = drawn(test::torus(60, 30));
  for (const DetailLevel& level : detailLevels(torus.positions, torus.indices, 0.95f)) {
    std::set<std::array<std::uint32_t, 3>> known;
    std::set<std::uint32_t> used;
    for (std::size_t t = 0; t < level.indices.size(); t += 3) {
      std::array corners{level.indices[t], level.indices[t + 1], level.indices[t + 2]};
      std::rotate(corners.begin(), std::ranges::min_element(corners), corners.end());
      EXPECT_TRUE(known.insert(corners).second);
      EXPECT_NE(corners[1], corners[2]);
      EXPECT_NE(corners[0], corners[1]);
      used.insert(corners.begin(), corners.end());
    }
    // Every vertex of the mesh has one that is drawn nearby
    for (const glm::vec3& p : torus.positions) {
      const auto near = [&](std::uint32_t i) {
        return glm::distance(torus.positions[i], p) <= level.cell * 1.7321f + 1e-6f;
      };
      EXPECT_TRUE(std::ranges::any_of(used, near));
    }
  }
}

TEST(FlyDetailLevels, OfACubeAreTheCubeAlone) {
  const Drawn cube = drawn(test::cube());
  for (const DetailLevel& level : detailLevels(cube.positions, cube.indices, 1.7f))
    EXPECT_EQ(level.indices.size(), cube.indices.size());
  EXPECT_EQ(detailLevels({}, {}, 0.0f).size(), 1u);
}

TEST(FlyDetailLevels, AreChosenSoThatNoCellIsLargerThanAPixel) {
  const std::array cells{0.0f, 0.1f, 0.3f};
  EXPECT_EQ(levelFor(cells, -1.0f), 0u);
  EXPECT_EQ(levelFor(cells, 0.09f), 0u);
  EXPECT_EQ(levelFor(cells, 0.1f), 1u);
  EXPECT_EQ(levelFor(cells, 0.29f), 1u);
  EXPECT_EQ(levelFor(cells, 5.0f), 2u);
}

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
}  // namespace nearmiss::app::fly
