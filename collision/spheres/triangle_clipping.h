// SPDX-License-Identifier: MIT
/// Triangles against boxes, and triangles cut in two.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

namespace nearmiss {

/// Appends the corners of the convex polygon that `triangle` and `box` share, none if they are
/// apart; a ball that holds them holds the polygon. Rounding moves corners by a few ulps of their
/// coordinates.
void appendClipped(const Triangle& triangle, const Box& box, std::vector<Vec3>& corners);

/// Replaces `corners` by those of all `triangles` of the mesh within `box`, without repeats.
void findCorners(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles, const Box& box,
                 std::vector<Vec3>& corners);

/// The box with `share` of its sides more all around, and far from the origin more than the
/// rounding of clipping.
[[nodiscard]] Box widened(const Box& box, Real share) noexcept;

/// True if the closed triangle meets the closed box; may be true as well if it misses the box by
/// less than about 1e-12 of the coordinates. Separating axes: three of the box, one of the
/// triangle, nine products of their edges [E05 §5.2.9].
[[nodiscard]] bool triangleMayMeetBox(const Triangle& triangle, const Box& box) noexcept;

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
