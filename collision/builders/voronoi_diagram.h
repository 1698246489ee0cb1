// SPDX-License-Identifier: MIT
/// The Voronoi diagram of points on a surface, cell by cell [H96 §7].
#pragma once

#include <nearmiss/math.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The cells of the points, each with copies of its own of the corners and faces that it shares
/// with others. Four cells meet in a corner: where more do, some corners and faces coincide.
struct VoronoiDiagram {
  /// The convex polygon between two cells.
  struct Face {
    std::uint32_t neighbour = 0;       ///< the point beyond
    std::uint32_t begin = 0, end = 0;  ///< in faceCorners, in order around the face
  };
  std::vector<Vec3> corners;               ///< cell by cell; those at the wall as well
  std::vector<std::uint32_t> cornerBegin;  ///< per point, and one more
  std::vector<Face> faces;                 ///< cell by cell; none beyond the outermost
  std::vector<std::uint32_t> faceBegin;    ///< per point, and one more
  std::vector<std::uint32_t> faceCorners;  ///< indices in corners

  [[nodiscard]] std::span<const Face> facesOf(std::uint32_t point) const noexcept {
    return std::span(faces).subspan(faceBegin[point], faceBegin[point + 1] - faceBegin[point]);
  }
};

/// The dual of the points' Delaunay tetrahedra, which are decided exactly. Corners beyond a wall
/// about a tenth of the points' extent around them are moved to it. A point that coincides with an
/// earlier one gets an empty cell.
/// Once `cancelled` is set, if given, it ends soon and all cells are empty.
/// @pre at least one point, all finite
[[nodiscard]] VoronoiDiagram voronoiDiagram(std::span<const Vec3> points,
                                            const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
