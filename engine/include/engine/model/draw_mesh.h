// SPDX-License-Identifier: MIT
/// A model for drawing, split at creases and materials. Collision detection uses the welded mesh
/// instead.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace nearmiss::engine {

/// Ready for the GPU, in the same frame and scale as the collision mesh.
struct DrawVertex {
  float position[3];           ///< metres, body frame
  float normal[3];             ///< unit
  std::uint32_t material = 0;  ///< index in DrawMesh::materials
};

struct DrawMaterial {
  std::array<float, 3> baseColour{0.6f, 0.62f, 0.65f};  ///< linear
  float metallic = 0.0f;
  float roughness = 0.6f;
  std::array<float, 3> emission{0.0f, 0.0f, 0.0f};  ///< linear
};

struct DrawMesh {
  std::vector<DrawVertex> vertices;
  std::vector<std::uint32_t> indices;  ///< three per triangle, counter-clockwise from outside
  std::vector<DrawMaterial> materials;
};

}  // namespace nearmiss::engine
