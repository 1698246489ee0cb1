// SPDX-License-Identifier: MIT
#include "geometry/near_vertices.h"

#include <nearmiss/detail/triangle_geometry.h>
#include <nearmiss/shape.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/equal_items.h"

namespace nearmiss {
namespace {

/// The same as glm::floor(), but without a function call.
Vec3 floorOf(const Vec3& p) noexcept {
  Vec3 floor;
  for (int axis = 0; axis < 3; ++axis) {
    if (!(std::fabs(p[axis]) < 0x1p52)) {
      floor[axis] = p[axis];  // has no fractional part
      continue;
    }
    const auto whole = static_cast<Real>(static_cast<std::int64_t>(p[axis]));
    floor[axis] = whole > p[axis] ? whole - 1.0 : whole;
  }
  return floor;
}

/// A grid of cells far wider than the distance, so that most vertices within reach of a vertex are
/// in its own cell.
class WideCells {
  [[nodiscard]] Vec3 cellAt(const Vec3& p) const noexcept { return glm::floor(p * cellsPerMetre_); }
  [[nodiscard]] auto inCell(const Vec3& cell) const noexcept {
    return [this, cell](std::uint32_t other) { return cellAt(positions_[other]) == cell; };
  }

 public:
  WideCells(const std::vector<Vec3>& positions, Real distance,
            const std::vector<std::uint32_t>& first, int workers)
      : positions_(positions),
        distance_(distance),
        cellsPerMetre_(1.0 / (cellWidth * distance)),
        heads_(positions.size(), noItem),
        next_(positions.size(), noItem) {
    // Each thread keeps the cells whose hashes it owns
    const auto parts = static_cast<std::size_t>(workersFor(positions.size(), workers));
    cells_.resize(parts);
    parallelFor(parts, static_cast<int>(parts), [&](std::size_t part, int) {
      HashSlots& cells = cells_[part];
      cells = HashSlots(positions.size() / 8 / parts);
      for (std::uint32_t v = 0; v < positions.size(); ++v) {
        if (first[v] != v) continue;
        const Vec3 cell = cellAt(positions[v]);
        const std::uint32_t hash = keyHash(cell);
        if (hash % parts != part) continue;
        const std::uint32_t head = cells.findOrAdd(hash, v, inCell(cell));
        heads_[v] = head;
        // Insert after the head, so that a cell's item stays the same
        if (head != v) next_[v] = std::exchange(next_[head], v);
        if (cells.crowded()) crowded_ = true;
        if (crowded_.load(std::memory_order_relaxed)) return;
      }
    });
  }

  /// Returns true if positions seem chosen so that the hashes of cells collide. Do not call
  /// othersNear() then.
  [[nodiscard]] bool crowded() const noexcept { return crowded_; }

  [[nodiscard]] bool othersNear(std::uint32_t v) const {
    if (nearAmong(heads_[v], v)) return true;
    if (ownCellIsAll(positions_[v])) return false;
    // Slightly wider than the distance, so that rounding cannot hide a near vertex
    const Vec3 reach(distance_ * (1.0 + 1e-6));
    const Vec3& p = positions_[v];
    const Vec3 own = cellAt(p), low = cellAt(p - reach), high = cellAt(p + reach);
    const auto along = [&](int axis) {
      std::array<Real, 3> values{own[axis], low[axis], high[axis]};
      int count = 1;
      if (low[axis] != own[axis]) values[count++] = low[axis];
      if (high[axis] != own[axis]) values[count++] = high[axis];
      return std::pair(values, count);
    };
    const auto [xs, nx] = along(0);
    const auto [ys, ny] = along(1);
    const auto [zs, nz] = along(2);
    for (int x = 0; x < nx; ++x)
      for (int y = 0; y < ny; ++y)
        for (int z = 0; z < nz; ++z)
          if (x + y + z > 0 &&
              nearInCell({xs[static_cast<std::size_t>(x)], ys[static_cast<std::size_t>(y)],
                          zs[static_cast<std::size_t>(z)]},
                         v))
            return true;
    return false;
  }

 private:
  /// Returns true if everything within reach of a point is certainly in its own cell.
  [[nodiscard]] bool ownCellIsAll(const Vec3& p) const noexcept {
    // Up to this cell number, rounding is far below the margin
    constexpr Real furthest = 0x1p30, room = 1.0 / cellWidth + 1e-5;
    const Vec3 scaled = p * cellsPerMetre_, within = scaled - floorOf(scaled);
    bool is = true;
    for (int axis = 0; axis < 3; ++axis)
      is = is && std::fabs(scaled[axis]) < furthest && within[axis] > room &&
           within[axis] < 1.0 - room;
    return is;
  }
  [[nodiscard]] bool nearInCell(const Vec3& cell, std::uint32_t v) const {
    const std::uint32_t hash = keyHash(cell);
    return nearAmong(cells_[hash % cells_.size()].find(hash, inCell(cell)), v);
  }
  /// Returns true if a vertex in the cell of `head` is near `v`. Also returns true for a crowded
  /// cell, which would take too long to search.
  [[nodiscard]] bool nearAmong(std::uint32_t head, std::uint32_t v) const {
    constexpr int most = 64;
    int looked = 0;
    for (std::uint32_t other = head; other != noItem; other = next_[other])
      if (++looked > most ||
          (other != v && squaredDistance(positions_[other], positions_[v]) < distance_ * distance_))
        return true;
    return false;
  }

  static constexpr Real cellWidth = 32.0;  ///< relative to the distance
  const std::vector<Vec3>& positions_;
  Real distance_;
  Real cellsPerMetre_;
  std::vector<std::uint32_t> heads_;  ///< by vertex: the first vertex in its cell
  std::vector<std::uint32_t> next_;   ///< by vertex: the next vertex in its cell
  std::vector<HashSlots> cells_;      ///< by thread: one vertex of each cell
  std::atomic<bool> crowded_{false};
};

}  // namespace

std::vector<char> haveOthersNear(const std::vector<Vec3>& positions, Real distance,
                                 const std::vector<std::uint32_t>& first, int workers) {
  const WideCells cells(positions, distance, first, workers);
  std::vector<char> near(positions.size(), cells.crowded() ? 1 : 0);
  if (cells.crowded()) return near;
  forChunks(positions.size(), workers, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (auto v = static_cast<std::uint32_t>(begin); v < end; ++v)
      if (first[v] == v) near[v] = cells.othersNear(v);
  });
  return near;
}

}  // namespace nearmiss
