// SPDX-License-Identifier: MIT
#include "fly/gfx/detail_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <set>

#include "support/meshes.h"

namespace nearmiss::app {
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

}  // namespace
}  // namespace nearmiss::app
