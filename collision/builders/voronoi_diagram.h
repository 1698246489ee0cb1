// SPDX-License-Identifier: MIT
/// The Voronoi diagram of points on a surface, cell by cell [H96 §7].
#pragma once

#include <nearmiss/math.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// The cells of the points. Each cell has its own copies of corners and faces that it shares with
/// other cells. Four cells meet in a corner; if more do, some corners and faces coincide.
struct VoronoiDiagram {
  /// The convex polygon between two cells.
  struct Face {
    std::uint32_t neighbour = 0;       ///< the point in the adjacent cell
    std::uint32_t begin = 0, end = 0;  ///< range in faceCorners, in order around the face
  };
  std::vector<Vec3> corners;               ///< cell by cell, including those at the wall
  std::vector<std::uint32_t> cornerBegin;  ///< per point, and one more: start of its corners
  std::vector<Face> faces;  ///< cell by cell; there are none beyond the outermost cells
  std::vector<std::uint32_t> faceBegin;    ///< per point, and one more: start of its faces
  std::vector<std::uint32_t> faceCorners;  ///< indices into `corners`

  [[nodiscard]] std::span<const Face> facesOf(std::uint32_t point) const noexcept {
    return std::span(faces).subspan(faceBegin[point], faceBegin[point + 1] - faceBegin[point]);
  }
};

/// Computes the dual of the points' Delaunay tetrahedra, which are decided exactly. Corners beyond
/// a wall, about a tenth of the points' extent around them, are moved to it. A point that coincides
/// with an earlier one gets an empty cell.
/// Once `cancelled`, if given, is set, returns soon and all cells are empty.
/// @pre at least one point, all finite
[[nodiscard]] VoronoiDiagram voronoiDiagram(std::span<const Vec3> points,
                                            const std::atomic<bool>* cancelled = nullptr);

}  // namespace nearmiss
