// SPDX-License-Identifier: MIT
/// Orders the triangles of a mesh so that a vertex that was just computed is soon used again:
/// Tipsify [SNB07]. On a software driver a tenth to a fifth of a frame.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss::app {

/// The same triangles in another order, corners in the same sense. `cacheSize` in vertices.
[[nodiscard]] std::vector<std::uint32_t> orderForReuse(std::span<const std::uint32_t> indices,
                                                       std::size_t vertexCount,
                                                       std::size_t cacheSize = 24);

}  // namespace nearmiss::app
