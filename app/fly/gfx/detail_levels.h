// SPDX-License-Identifier: MIT
/// Coarser triangles with the same vertices for ships that are small in the picture: all vertices
/// in a grid cell are merged to one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

struct DetailLevel {
  std::vector<std::uint32_t> indices;
  float cell = 0.0f;  ///< cell size, metres, which bounds the displacement of a vertex; 0: full
                      ///< detail
};

/// Returns the levels, finest first. The first is the mesh itself; each other level has far fewer
/// triangles than the previous one. `radius` of the mesh, metres.
[[nodiscard]] std::vector<DetailLevel> detailLevels(std::span<const glm::vec3> positions,
                                                    std::span<const std::uint32_t> indices,
                                                    float radius);

/// Returns the coarsest level with cells of at most `most` metres.
[[nodiscard]] std::size_t levelFor(std::span<const float> cells, float most) noexcept;

/// Reorders the triangles of a mesh so that vertices are reused soon after they were computed:
/// Tipsify [SNB07]. Saves a tenth to a fifth of the frame on a software driver. Triangles keep
/// their orientation. `cacheSize` in vertices.
[[nodiscard]] std::vector<std::uint32_t> orderForReuse(std::span<const std::uint32_t> indices,
                                                       std::size_t vertexCount,
                                                       std::size_t cacheSize = 24);

}  // namespace nearmiss::app::fly
