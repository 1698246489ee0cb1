// SPDX-License-Identifier: MIT
/// The convex hull of points, decided exactly.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

struct ConvexHull {
  std::vector<Vec3> vertices;  ///< those of the points that are corners of the hull, each once
  /// Counter-clockwise as seen from outside; faces with more corners are cut into triangles. Empty
  /// where all points lie in one plane: then `vertices` has every point once, corner or not.
  std::vector<std::array<std::uint32_t, 3>> triangles;

  [[nodiscard]] bool flat() const noexcept { return triangles.empty(); }
};

/// Quickhull [BDH96] with exact signs: no point lies outside of any triangle's plane, by exact
/// arithmetic on the given doubles. Coordinates are finite.
[[nodiscard]] ConvexHull convexHull(std::span<const Vec3> points);

}  // namespace nearmiss
