// SPDX-License-Identifier: MIT
/// Coarser triangles over the same vertices, for ships that are small in the picture: all vertices
/// in a cell of a grid are drawn as one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <glm/vec3.hpp>
#include <span>
#include <vector>

namespace nearmiss::app::fly {

struct DetailLevel {
  std::vector<std::uint32_t> indices;
  float cell = 0.0f;  ///< metres: no vertex was moved farther than across a cell; 0: none was moved
};

/// The finest first, which is the mesh itself; only levels with far fewer triangles than the one
/// before. `radius` of the mesh, metres.
[[nodiscard]] std::vector<DetailLevel> detailLevels(std::span<const glm::vec3> positions,
                                                    std::span<const std::uint32_t> indices,
                                                    float radius);

/// The coarsest level whose cells are no larger than `most` metres.
[[nodiscard]] std::size_t levelFor(std::span<const float> cells, float most) noexcept;

/// Orders the triangles of a mesh so that a vertex that was just computed is soon used again:
/// Tipsify [SNB07]. On a software driver a tenth to a fifth of a frame.
/// The same triangles in another order, corners in the same sense. `cacheSize` in vertices.
[[nodiscard]] std::vector<std::uint32_t> orderForReuse(std::span<const std::uint32_t> indices,
                                                       std::size_t vertexCount,
                                                       std::size_t cacheSize = 24);

}  // namespace nearmiss::app::fly
