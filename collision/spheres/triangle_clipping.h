// SPDX-License-Identifier: MIT
/// Tests triangles against boxes, and cuts triangles in two.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

namespace nearmiss {

/// Appends the corners of the intersection of `triangle` and `box`, a convex polygon; none if they
/// are disjoint. A ball that contains the corners contains the polygon. Rounding moves corners by a
/// few ulps of their coordinates.
void appendClipped(const Triangle& triangle, const Box& box, std::vector<Vec3>& corners);

/// Replaces `corners` by those of all `triangles` of the mesh within `box`, without duplicates.
void findCorners(const TriangleMesh& mesh, std::span<const std::uint32_t> triangles, const Box& box,
                 std::vector<Vec3>& corners);

/// Returns the box widened by `share` of its sides all around, and, far from the origin, by more
/// than the rounding errors of clipping.
[[nodiscard]] Box widened(const Box& box, Real share) noexcept;

/// Returns true if the closed triangle meets the closed box. May also return true if it misses the
/// box by less than about 1e-12 of the coordinates. Tests separating axes: three of the box, one of
/// the triangle, and nine products of their edges [E05 §5.2.9].
[[nodiscard]] bool triangleMayMeetBox(const Triangle& triangle, const Box& box) noexcept;

struct LongestEdge {
  std::size_t from = 0;  ///< the corner where it starts; it ends at the next one
  Real length = -1.0;    ///< metres
};

/// Returns the longest edge. Ties go to the first, so that equal triangles are cut alike.
[[nodiscard]] inline LongestEdge longestEdge(const Triangle& corners) noexcept {
  LongestEdge longest;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real length = glm::distance(corners[i], corners[(i + 1) % 3]);
    if (length > longest.length) longest = {i, length};
  }
  return longest;
}

/// Returns two triangles that share the middle of the longest edge and together form the whole.
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
