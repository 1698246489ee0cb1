// SPDX-License-Identifier: MIT
/// Cells of space that count how many balls hold them: what of a union of balls lies outside of a
/// solid.
#pragma once

#include <nearmiss/primitives.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "builders/solid_volume.h"

namespace nearmiss {

class VolumeGrid {
 public:
  /// About `cells` cubes over the region.
  VolumeGrid(const SolidParts& parts, const Box& region, std::size_t cells);

  [[nodiscard]] Real spacing() const noexcept { return spacing_; }
  /// Whether the ball lies in the region, beyond which nothing is counted.
  [[nodiscard]] bool holds(const Sphere& ball) const noexcept;
  /// How many cells outside of the solid are in `ball` and in no ball that was added; or, where
  /// these are more than `enough`, any number above it.
  [[nodiscard]] std::int64_t free(
      const Sphere& ball,
      std::int64_t enough = std::numeric_limits<std::int64_t>::max()) const noexcept;
  void add(const Sphere& ball) noexcept;
  /// @pre the same ball was added
  void remove(const Sphere& ball) noexcept;
  /// The middles of cells inside of the solid, about `count` of them, evenly.
  [[nodiscard]] std::vector<Vec3> insidePoints(std::size_t count) const;

 private:
  void forEachRow(const Sphere& ball, const auto& visit) const noexcept;
  [[nodiscard]] std::size_t rowAt(int y, int z) const noexcept {
    return static_cast<std::size_t>(z) * static_cast<std::size_t>(count_[1]) +
           static_cast<std::size_t>(y);
  }

  Box region_;
  Real spacing_;
  int count_[3];
  std::size_t words_;                 ///< of a row
  std::vector<std::uint64_t> solid_;  ///< a bit a cell: its middle is inside
  std::vector<std::uint64_t> free_;   ///< outside, and in no ball
  std::vector<std::uint16_t> balls_;  ///< per cell: how many hold it
};

}  // namespace nearmiss
