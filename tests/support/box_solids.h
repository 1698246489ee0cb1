// SPDX-License-Identifier: MIT
/// Solids made of boxes, and the shortest translation that parts two of them, in closed form.
#pragma once

#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace nearmiss::test {

/// The cells between all sides of some boxes, and which of them are covered.
class BoxGrid {
 public:
  explicit BoxGrid(std::span<const Box> boxes) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int k = static_cast<int>(axis);
      for (const Box& box : boxes) {
        sides[axis].push_back(box.low[k]);
        sides[axis].push_back(box.high[k]);
      }
      std::ranges::sort(sides[axis]);
      // Sides that rounding alone tells apart are one
      const auto same = [](Real p, Real q) { return q - p < 1e-9; };
      sides[axis].erase(std::unique(sides[axis].begin(), sides[axis].end(), same),
                        sides[axis].end());
    }
    covered_.assign(count(0) * count(1) * count(2), false);
    forEach([&](std::size_t x, std::size_t y, std::size_t z) {
      const Vec3 middle = cell(x, y, z).centre();
      covered_[index(x, y, z)] =
          std::ranges::any_of(boxes, [&](const Box& box) { return box.contains(middle); });
    });
  }

  [[nodiscard]] std::size_t count(std::size_t axis) const { return sides[axis].size() - 1; }
  [[nodiscard]] Box cell(std::size_t x, std::size_t y, std::size_t z) const {
    return {{sides[0][x], sides[1][y], sides[2][z]},
            {sides[0][x + 1], sides[1][y + 1], sides[2][z + 1]}};
  }
  /// False outside of the grid, which -1 as an index is.
  [[nodiscard]] bool covered(std::size_t x, std::size_t y, std::size_t z) const {
    return x < count(0) && y < count(1) && z < count(2) && covered_[index(x, y, z)];
  }
  void forEach(const auto& visit) const {
    for (std::size_t x = 0; x < count(0); ++x)
      for (std::size_t y = 0; y < count(1); ++y)
        for (std::size_t z = 0; z < count(2); ++z) visit(x, y, z);
  }

  std::array<std::vector<Real>, 3> sides;

 private:
  [[nodiscard]] std::size_t index(std::size_t x, std::size_t y, std::size_t z) const {
    return (x * count(1) + y) * count(2) + z;
  }
  std::vector<bool> covered_;
};

/// The surface of the union. No two boxes may touch in an edge or a corner alone.
inline TriangleMesh meshOf(std::span<const Box> boxes) {
  const BoxGrid grid(boxes);
  TriangleMesh mesh;
  std::map<std::array<std::size_t, 3>, std::uint32_t> known;
  const auto vertex = [&](const std::array<std::size_t, 3>& at) {
    const auto [entry, fresh] =
        known.try_emplace(at, static_cast<std::uint32_t>(mesh.positions.size()));
    if (fresh)
      mesh.positions.emplace_back(grid.sides[0][at[0]], grid.sides[1][at[1]], grid.sides[2][at[2]]);
    return entry->second;
  };
  grid.forEach([&](std::size_t x, std::size_t y, std::size_t z) {
    if (!grid.covered(x, y, z)) return;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const bool high : {false, true}) {
        std::array<std::size_t, 3> beside{x, y, z};
        beside[axis] += high ? std::size_t{1} : ~std::size_t{0};
        if (grid.covered(beside[0], beside[1], beside[2])) continue;
        const std::size_t second = (axis + 1) % 3, third = (axis + 2) % 3;
        std::array<std::uint32_t, 4> corners;
        for (std::size_t i = 0; i < 4; ++i) {
          std::array<std::size_t, 3> at{x, y, z};
          at[axis] += high;
          at[second] += i == 1 || i == 2;
          at[third] += i >= 2;
          corners[i] = vertex(at);
        }
        if (!high) std::swap(corners[1], corners[3]);
        mesh.triangles.push_back({corners[0], corners[1], corners[2]});
        mesh.triangles.push_back({corners[0], corners[2], corners[3]});
      }
    }
  });
  return mesh;
}

/// The length of the shortest translation of `b` that parts the unions: the distance of no
/// translation from what the sums of a box of each leave uncovered. 0 if they are apart.
inline Real partingOf(std::span<const Box> a, std::span<const Box> b) {
  std::vector<Box> sums;
  for (const Box& ofA : a)
    for (const Box& ofB : b) sums.push_back({ofA.low - ofB.high, ofA.high - ofB.low});
  const BoxGrid grid(sums);
  Real least = std::numeric_limits<Real>::infinity();
  for (const auto& sides : grid.sides)
    least = std::min({least, std::max(-sides.front(), 0.0), std::max(sides.back(), 0.0)});
  grid.forEach([&](std::size_t x, std::size_t y, std::size_t z) {
    if (grid.covered(x, y, z)) return;
    const Box cell = grid.cell(x, y, z);
    least = std::min(least, glm::length(glm::clamp(Vec3(0.0), cell.low, cell.high)));
  });
  return least;
}

}  // namespace nearmiss::test
