// SPDX-License-Identifier: MIT
/// Triangles cut in two until they are small enough.
#pragma once

#include <nearmiss/triangle_intersection.h>

#include <array>
#include <cstddef>
#include <glm/geometric.hpp>

namespace nearmiss {

struct LongestEdge {
  std::size_t from = 0;  ///< the corner that it starts at; it ends at the next one
  Real length = -1.0;    ///< metres
};

/// The first of the longest, so that equal triangles are cut alike.
[[nodiscard]] inline LongestEdge longestEdge(const Triangle& corners) noexcept {
  LongestEdge longest;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real length = glm::distance(corners[i], corners[(i + 1) % 3]);
    if (length > longest.length) longest = {i, length};
  }
  return longest;
}

/// Two triangles that share the middle of the longest edge and make up the whole.
[[nodiscard]] inline std::array<Triangle, 2> halves(const Triangle& corners) noexcept {
  const std::size_t from = longestEdge(corners).from;
  const std::size_t to = (from + 1) % 3;
  const Vec3 middle = 0.5 * (corners[from] + corners[to]);
  std::array<Triangle, 2> parts{corners, corners};
  parts[0][from] = middle;
  parts[1][to] = middle;
  return parts;
}

}  // namespace nearmiss
