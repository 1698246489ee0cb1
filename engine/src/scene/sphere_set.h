// SPDX-License-Identifier: MIT
/// Spheres of similar size, with an overlap test in constant time on average.
#pragma once

#include <nearmiss/math.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace nearmiss::engine {

/// An unbounded grid; each sphere is in the cell of its centre.
class SphereSet {
 public:
  /// `cell`: the diameter of the largest sphere [m]; values that are not positive count as 1.
  explicit SphereSet(Real cell) : cell_(cell > 0.0 ? cell : 1.0) {}

  void add(const Sphere& sphere) {
    cells_[keyOf(cellOf(sphere.centre.x), cellOf(sphere.centre.y), cellOf(sphere.centre.z))]
        .push_back(sphere);
  }

  /// Returns true if `tried`, no larger than `cell`, touches any sphere.
  [[nodiscard]] bool touches(const Sphere& tried) const {
    const auto hit = [&](const Sphere& other) { return overlap(tried, other) >= 0.0; };
    const std::int64_t x = cellOf(tried.centre.x), y = cellOf(tried.centre.y),
                       z = cellOf(tried.centre.z);
    for (std::int64_t i = x - 1; i <= x + 1; ++i)
      for (std::int64_t j = y - 1; j <= y + 1; ++j)
        for (std::int64_t k = z - 1; k <= z + 1; ++k) {
          const auto at = cells_.find(keyOf(i, j, k));
          if (at != cells_.end() && std::any_of(at->second.begin(), at->second.end(), hit))
            return true;
        }
    return false;
  }

 private:
  /// Coordinates are clamped, so all distant spheres share a cell.
  [[nodiscard]] std::int64_t cellOf(Real coordinate) const noexcept {
    return static_cast<std::int64_t>(std::floor(std::clamp(coordinate / cell_, -1e15, 1e15)));
  }
  /// Cells with equal keys are searched together.
  [[nodiscard]] static std::uint64_t keyOf(std::int64_t x, std::int64_t y,
                                           std::int64_t z) noexcept {
    std::uint64_t key = static_cast<std::uint64_t>(x) * 0x9e3779b97f4a7c15u;
    key = (key ^ static_cast<std::uint64_t>(y)) * 0xbf58476d1ce4e5b9u;
    return (key ^ static_cast<std::uint64_t>(z)) * 0x94d049bb133111ebu;
  }

  Real cell_;
  std::unordered_map<std::uint64_t, std::vector<Sphere>> cells_;
};

}  // namespace nearmiss::engine
