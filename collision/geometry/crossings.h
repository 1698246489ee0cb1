// SPDX-License-Identifier: MIT
/// The segments in which triangles intersect, for several pairs at once.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <cstddef>
#include <span>

namespace nearmiss {

/// Pairs of triangles of two surfaces in one frame, one pair per lane.
struct CrossingPairs {
  static constexpr std::size_t width = 8;
  /// Nine rows of lanes each: corner by corner, coordinate by coordinate.
  double a[9][width] = {}, b[9][width] = {};

  void put(std::size_t lane, const Triangle& ofA, const Triangle& ofB) noexcept {
    for (std::size_t corner = 0; corner < 3; ++corner)
      for (int axis = 0; axis < 3; ++axis) {
        const std::size_t row = 3 * corner + static_cast<std::size_t>(axis);
        a[row][lane] = ofA[corner][axis];
        b[row][lane] = ofB[corner][axis];
      }
  }
};

/// The common segments, directed so that the part of a's surface inside b lies to the left, as seen
/// from outside a.
struct CrossingSegments {
  double begin[3][CrossingPairs::width], end[3][CrossingPairs::width];

  [[nodiscard]] Vec3 beginOf(std::size_t lane) const noexcept {
    return {begin[0][lane], begin[1][lane], begin[2][lane]};
  }
  [[nodiscard]] Vec3 endOf(std::size_t lane) const noexcept {
    return {end[0][lane], end[1][lane], end[2][lane]};
  }
};

/// One implementation. All implementations give the same results, to the bit.
struct CrossingPath {
  const char* name;
  /// Bit k: the triangles of lane k intersect in a segment. The segments of other lanes are
  /// undefined.
  unsigned (*find)(const CrossingPairs& pairs, CrossingSegments& segments) noexcept;
};
/// The implementations that this machine can run, the fastest last.
std::span<const CrossingPath> crossingPaths() noexcept;

}  // namespace nearmiss
