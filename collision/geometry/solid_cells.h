// SPDX-License-Identifier: MIT
/// A grid over a solid that classifies most points as inside or outside without examining the
/// surface.
///
/// Does: classify points and balls that avoid every cell with surface in it.
/// Does not: classify near the surface, or if triangles are so large that few cells are free.
#pragma once

#include <nearmiss/advanced/polyhedron.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>
#include <nearmiss/ray.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Immutable, body frame, metres. Uses a quarter of a byte per cell, for about eight cells per
/// triangle.
class SolidCells {
 public:
  enum class Side : std::uint8_t { Unknown, Outside, Inside };

  SolidCells() = default;  ///< An empty grid, which classifies nothing.
  /// @pre `solid` is a solid
  explicit SolidCells(const Polyhedron& solid);

  /// Creates the cells of a solid, once. Called when a shape is created, so that no query has to
  /// wait.
  static void prepare(const Polyhedron& solid);
  /// Returns the prepared cells, or an empty grid.
  [[nodiscard]] static const SolidCells& of(const Polyhedron& solid) noexcept;

  /// Returns true if answers allow for errors of `slack` metres in the point and the surface.
  [[nodiscard]] bool allowsFor(Real slack) const noexcept { return slack <= margin_ / 16.0; }
  /// Returns the side of all points within `reach` of `centre`.
  [[nodiscard]] Side sideOf(const Vec3& centre, Real reach = 0.0) const noexcept;

 private:
  using Cell = std::array<int, 3>;
  [[nodiscard]] std::size_t index(const Cell& cell) const noexcept {
    return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(count_[1]) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(count_[0]) +
           static_cast<std::size_t>(cell[0]);
  }
  [[nodiscard]] std::size_t size() const noexcept { return index({0, 0, count_[2]}); }
  [[nodiscard]] Side at(std::size_t cell) const noexcept {
    return static_cast<Side>(sides_[cell / 4] >> 2 * (cell % 4) & 3);
  }
  [[nodiscard]] Vec3 centreOf(const Cell& cell) const noexcept {
    return low_ + (Vec3(cell[0], cell[1], cell[2]) + 0.5) * width_;
  }
  /// Returns the cell of a coordinate, at most one beyond the grid.
  [[nodiscard]] int cellOf(Real coordinate, int axis) const noexcept;
  void layOut(const Box& bounds, std::size_t wanted) noexcept;
  [[nodiscard]] bool markSurface(const TriangleMesh& mesh, std::vector<char>& free) const;
  void fill(const Polyhedron& solid, std::vector<char>& free);

  Vec3 low_{0.0};
  Real width_ = 0.0;
  /// Cells with surface are marked as if they were wider by this on each side, metres.
  Real margin_ = -1.0;
  std::array<int, 3> count_{};
  std::vector<std::uint8_t> sides_;  ///< two bits per cell
};

}  // namespace nearmiss
