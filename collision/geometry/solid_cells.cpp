// SPDX-License-Identifier: MIT
#include "geometry/solid_cells.h"

#include <nearmiss/detail/triangle_geometry.h>

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "geometry/box_measures.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

constexpr std::size_t cellsPerTriangle = 8, minCells = 512, maxCells = std::size_t{1} << 20;
/// Relative to the width of a cell.
constexpr Real marginShare = 1e-3;
/// Maximum number of cell tests for the surface, per cell and triangle: a crowd of large triangles
/// is not worth more.
constexpr std::size_t maxLooks = 32;
/// Maximum number of regions without surface whose side is determined; further ones stay unknown.
constexpr std::size_t maxRegions = 512;
/// Maximum number of cells that one query may cover.
constexpr int maxCellsOfBall = 64;

}  // namespace

void SolidCells::prepare(const Polyhedron& solid) {
  const Polyhedron::Parts& parts = *solid.parts_;
  parts.cellsOnce.call([&] {
    parts.cells = SolidCells(solid);
    parts.cellsMade.store(true, std::memory_order_release);
  });
}

const SolidCells& SolidCells::of(const Polyhedron& solid) noexcept {
  static const SolidCells none;
  const Polyhedron::Parts& parts = *solid.parts_;
  return parts.cellsMade.load(std::memory_order_acquire) ? parts.cells : none;
}

SolidCells::SolidCells(const Polyhedron& solid) {
  const TriangleMesh& mesh = solid.mesh();
  layOut(solid.bounds(), std::clamp(cellsPerTriangle * mesh.triangles.size(), minCells, maxCells));
  std::vector<char> free(size(), 1);
  if (!markSurface(mesh, free)) {
    *this = SolidCells();
    return;
  }
  sides_.assign((size() + 3) / 4, 0);
  fill(solid, free);
}

/// Lays out about `wanted` cubes.
void SolidCells::layOut(const Box& bounds, std::size_t wanted) noexcept {
  const Vec3 extent = bounds.extent();
  const Real longest = std::max({extent.x, extent.y, extent.z});
  // Thin bodies have at least one layer
  const auto cells = [&extent](Real width) {
    Real all = 1.0;
    for (int axis = 0; axis < 3; ++axis) all *= std::ceil(extent[axis] / width + 0.01);
    return all;
  };
  width_ = longest / 2.0;
  while (cells(width_ * 0.9) <= static_cast<Real>(wanted)) width_ *= 0.9;
  margin_ = marginShare * width_;
  low_ = bounds.low - 2.0 * margin_;
  for (int axis = 0; axis < 3; ++axis)
    count_[static_cast<std::size_t>(axis)] =
        static_cast<int>(std::ceil(extent[axis] / width_ + 0.01));
}

int SolidCells::cellOf(Real coordinate, int axis) const noexcept {
  const Real cell = std::floor((coordinate - low_[axis]) / width_);
  return static_cast<int>(
      std::clamp(cell, Real{-1.0}, static_cast<Real>(count_[static_cast<std::size_t>(axis)])));
}

/// Marks cells that contain surface or are nearer to it than the margin. Returns false if that
/// costs too much.
bool SolidCells::markSurface(const TriangleMesh& mesh, std::vector<char>& free) const {
  std::size_t looks = maxLooks * (size() + mesh.triangles.size());
  const Real half = 0.5 * width_ + margin_;
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    const Triangle triangle = mesh.corners(t);
    const Box box = boxOf(triangle);
    Cell from, to;
    std::size_t here = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<std::size_t>(axis);
      from[k] = std::max(0, cellOf(box.low[axis] - margin_, axis));
      to[k] = std::min(count_[k] - 1, cellOf(box.high[axis] + margin_, axis));
      here *= static_cast<std::size_t>(to[k] - from[k] + 1);
    }
    if (here > looks) return false;
    looks -= here;
    // Rounding may turn a needle's normal, so that its corners have different heights along it
    const Vec3 normal = normalOf(triangle);
    Real low = 0.0, high = 0.0;
    for (const Vec3& corner : triangle) {
      const Real height = glm::dot(normal, corner - triangle[0]);
      low = std::min(low, height);
      high = std::max(high, height);
    }
    const Vec3 extent = box.extent() + 2.0 * width_;
    const Real rounding = 1e-15 * (extent.x + extent.y + extent.z);
    const Real reach =
        (half + rounding) * (std::abs(normal.x) + std::abs(normal.y) + std::abs(normal.z));
    for (int z = from[2]; z <= to[2]; ++z)
      for (int y = from[1]; y <= to[1]; ++y)
        for (int x = from[0]; x <= to[0]; ++x) {
          const Cell cell{x, y, z};
          // The comparison also marks the cell if NaN hides whether the plane misses it
          const Real height = glm::dot(normal, centreOf(cell) - triangle[0]);
          if (!(height < low - reach || height > high + reach)) free[index(cell)] = 0;
        }
  }
  return true;
}

/// Cells connected by faces without surface lie on one side, so one point decides for a whole
/// region.
void SolidCells::fill(const Polyhedron& solid, std::vector<char>& free) {
  std::vector<Cell> open;
  std::size_t regions = 0;
  Cell first{};
  for (first[2] = 0; first[2] < count_[2]; ++first[2])
    for (first[1] = 0; first[1] < count_[1]; ++first[1])
      for (first[0] = 0; first[0] < count_[0]; ++first[0]) {
        if (!free[index(first)]) continue;
        if (regions++ == maxRegions) return;
        const Side side = solid.contains(centreOf(first)) ? Side::Inside : Side::Outside;
        free[index(first)] = 0;
        open.push_back(first);
        while (!open.empty()) {
          const Cell cell = open.back();
          open.pop_back();
          const std::size_t own = index(cell);
          sides_[own / 4] = static_cast<std::uint8_t>(sides_[own / 4] | static_cast<unsigned>(side)
                                                                            << 2 * (own % 4));
          for (std::size_t axis = 0; axis < 3; ++axis)
            for (const int step : {-1, 1}) {
              Cell next = cell;
              next[axis] += step;
              if (next[axis] < 0 || next[axis] >= count_[axis] || !free[index(next)]) continue;
              free[index(next)] = 0;
              open.push_back(next);
            }
        }
      }
}

SolidCells::Side SolidCells::sideOf(const Vec3& centre, Real reach) const noexcept {
  if (sides_.empty()) return Side::Unknown;
  Cell from, to;
  int cellCount = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    from[k] = cellOf(centre[axis] - reach, axis);
    to[k] = cellOf(centre[axis] + reach, axis);
    cellCount *= std::min(to[k] - from[k] + 1, maxCellsOfBall + 1);
    if (cellCount > maxCellsOfBall) return Side::Unknown;
    // Everything beyond the grid is outside, including cells next to it
    if (to[k] < 0 || from[k] == count_[k]) return Side::Outside;
  }
  Side side = Side::Unknown;
  for (int z = from[2]; z <= to[2]; ++z)
    for (int y = from[1]; y <= to[1]; ++y)
      for (int x = from[0]; x <= to[0]; ++x) {
        const bool beyond =
            x < 0 || y < 0 || z < 0 || x == count_[0] || y == count_[1] || z == count_[2];
        const Side here = beyond ? Side::Outside : at(index({x, y, z}));
        if (here == Side::Unknown || (side != Side::Unknown && here != side)) return Side::Unknown;
        side = here;
      }
  return side;
}

}  // namespace nearmiss
