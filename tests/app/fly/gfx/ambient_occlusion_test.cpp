// SPDX-License-Identifier: MIT
#include "fly/gfx/model_features.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

namespace nearmiss::app::fly {
namespace {

/// A square of two triangles whose corners have its normal.
void addSquare(engine::DrawMesh& mesh, const std::array<glm::vec3, 4>& corners) {
  const glm::vec3 n = glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const glm::vec3& c : corners) mesh.vertices.push_back({{c.x, c.y, c.z}, {n.x, n.y, n.z}, 0});
  for (const std::uint32_t i : {0u, 1u, 2u, 0u, 2u, 3u}) mesh.indices.push_back(first + i);
}

/// A floor that looks up, in 20 x 20 squares, with `height` of a wall along its middle.
engine::DrawMesh floorWithWall(float height) {
  engine::DrawMesh mesh;
  for (int i = -10; i < 10; ++i)
    for (int k = -10; k < 10; ++k) {
      const auto x = 0.1f * static_cast<float>(i), z = 0.1f * static_cast<float>(k);
      addSquare(mesh, {glm::vec3(x, 0, z), glm::vec3(x, 0, z + 0.1f),
                       glm::vec3(x + 0.1f, 0, z + 0.1f), glm::vec3(x + 0.1f, 0, z)});
    }
  if (height > 0.0f)
    addSquare(mesh, {glm::vec3(0, 0, 1), glm::vec3(0, height, 1), glm::vec3(0, height, -1),
                     glm::vec3(0, 0, -1)});
  return mesh;
}

/// Mean over the floor at that distance from the wall.
float openAt(const engine::DrawMesh& mesh, float distance) {
  const std::vector<float> open = openness(mesh);
  float sum = 0.0f, count = 0.0f;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const engine::DrawVertex& v = mesh.vertices[i];
    const bool floor = v.normal[1] > 0.5f && std::abs(v.position[2]) < 0.5f;
    if (!floor || std::abs(std::abs(v.position[0]) - distance) > 0.01f) continue;
    sum += open[i];
    count += 1.0f;
  }
  return sum / count;
}

TEST(AmbientOcclusion, AFlatSurfaceSeesAllOfItsSide) {
  for (const float open : openness(floorWithWall(0.0f))) EXPECT_GT(open, 0.98f);
}

TEST(AmbientOcclusion, TheFootOfAWallIsDarkerTheNearerItIs) {
  const engine::DrawMesh mesh = floorWithWall(0.8f);
  const float near = openAt(mesh, 0.1f), middle = openAt(mesh, 0.4f), far = openAt(mesh, 0.9f);
  EXPECT_LT(near, middle);
  EXPECT_LT(middle, far);
  // Half of the sky is behind the wall, a little of it above
  EXPECT_NEAR(near, 0.65f, 0.12f);
  EXPECT_GT(far, 0.85f);
}

TEST(AmbientOcclusion, ModelsWithoutExtentAreLeftAsTheyAre) {
  EXPECT_TRUE(openness({}).empty());
  engine::DrawMesh point;
  point.vertices.push_back({{0, 0, 0}, {0, 1, 0}, 0});
  EXPECT_EQ(openness(point), std::vector<float>{1.0f});
}

}  // namespace
}  // namespace nearmiss::app::fly
