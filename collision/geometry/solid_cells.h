// SPDX-License-Identifier: MIT
/// A grid over a solid that says of most points, without a look at its surface, on which side of it
/// they are.
///
/// Does: answer for points and balls that keep clear of every cell with surface in it.
/// Does not: answer near the surface, nor where triangles are so large that few cells are free.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace nearmiss {

/// Immutable, body frame, metres. A quarter of a byte for each of some eight cells a triangle.
class SolidCells {
 public:
  enum class Side : std::uint8_t { Unknown, Outside, Inside };

  SolidCells() = default;  ///< that knows nothing
  /// @pre `solid` is one.
  explicit SolidCells(const Polyhedron& solid);

  /// Makes those of a solid, once: whoever makes a shape does, so that no query waits for them.
  static void prepare(const Polyhedron& solid);
  /// Those that were made, or cells that know nothing.
  [[nodiscard]] static const SolidCells& of(const Polyhedron& solid) noexcept;

  /// True if answers hold for a point that is off by as much, and for a surface that is, metres.
  [[nodiscard]] bool allowsFor(Real slack) const noexcept { return slack <= margin_ / 16.0; }
  /// Of all points within `reach` of `centre`.
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
  /// The cell of a coordinate, at most one beyond the grid.
  [[nodiscard]] int cellOf(Real coordinate, int axis) const noexcept;
  void layOut(const Box& bounds, std::size_t wanted) noexcept;
  [[nodiscard]] bool markSurface(const TriangleMesh& mesh, std::vector<char>& free) const;
  void fill(const Polyhedron& solid, std::vector<char>& free);

  Vec3 low_{0.0};
  Real width_ = 0.0;
  /// That cells with surface are marked as if they were wider by it on each side.
  Real margin_ = -1.0;
  std::array<int, 3> count_{};
  std::vector<std::uint8_t> sides_;  ///< two bits a cell
};

}  // namespace nearmiss
