// SPDX-License-Identifier: MIT
/// Boxes of triangles, and measures of boxes.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace nearmiss {

/// The first axis along which the box is the longest.
[[nodiscard]] inline int longestAxis(const Box& box) noexcept {
  const Vec3 extent = box.extent();
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

/// The largest absolute value of a coordinate.
[[nodiscard]] inline Real largestCoordinate(const Vec3& v) noexcept {
  return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
}
[[nodiscard]] inline Real largestCoordinate(const Box& box) noexcept {
  return std::max(largestCoordinate(box.low), largestCoordinate(box.high));
}

[[nodiscard]] inline Box boxOf(const std::array<Vec3, 3>& triangle) noexcept {
  Box box;
  for (const Vec3& p : triangle) box.include(p);
  return box;
}

}  // namespace nearmiss
