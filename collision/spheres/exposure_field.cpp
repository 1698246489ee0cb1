// SPDX-License-Identifier: MIT
#include "spheres/exposure_field.h"

#include <nearmiss/detail/cancellation.h>

#include <algorithm>
#include <utility>

#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// Number of cells along the longest side.
constexpr Real cellsAcross = 40.0;
/// A cell that sees out in this share of the directions is fully exposed; a flat wall sees half.
constexpr float openShare = 0.3f;
constexpr int viewDirections = 26;
/// Share of a cell that covers the rounding errors of borders between cells.
constexpr Real exposureRoom = 1e-3;

}  // namespace

std::size_t ExposureField::indexOf(const Cells& cell) const noexcept {
  return (static_cast<std::size_t>(cell[2]) * counts_[1] + static_cast<std::size_t>(cell[1])) *
             counts_[0] +
         static_cast<std::size_t>(cell[0]);
}

bool ExposureField::within(const Cells& cell) const noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (cell[axis] < 0 || cell[axis] >= static_cast<std::ptrdiff_t>(counts_[axis])) return false;
  return true;
}

ExposureField::ExposureField(const TriangleMesh& mesh, const std::atomic<bool>* cancelled) {
  const Box bounds = boundingBox(mesh);
  const Vec3 extent = bounds.extent();
  const Real side = std::max({extent.x, extent.y, extent.z});
  if (!(side > 0.0)) {
    weights_ = {1.0f};
    return;
  }
  cellsPerMetre_ = cellsAcross / side;
  low_ = bounds.low - Vec3(0.5 / cellsPerMetre_);
  for (int axis = 0; axis < 3; ++axis)
    counts_[static_cast<std::size_t>(axis)] =
        static_cast<std::size_t>(extent[axis] * cellsPerMetre_ + 0.5) + 1;
  const std::vector<std::uint8_t> barred = occupied(mesh, cancelled);
  std::vector<std::uint8_t> seen(barred.size(), 0);
  for (std::ptrdiff_t d = 0; d < 27; ++d)
    if (d != 13) look({d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1}, barred, seen);
  const std::vector<std::uint8_t> deep = depths(barred, seen);
  weights_.reserve(seen.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const float share = static_cast<float>(seen[i]) / static_cast<float>(viewDirections);
    const float weight = least + (1.0f - least) * std::min(1.0f, share / openShare);
    const auto depth = static_cast<float>(deep[i]);
    weights_.push_back(depth > shallow ? weight * shallow / depth : weight);
  }
}

/// Returns the box of the cells from `first` to `last`, inclusive, widened on all sides to allow
/// for rounding.
Box ExposureField::boxOf(const Cells& first, const Cells& last) const noexcept {
  const Real side = 1.0 / cellsPerMetre_;
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    box.low[axis] = low_[axis] + (static_cast<Real>(first[at]) - exposureRoom) * side;
    box.high[axis] = low_[axis] + (static_cast<Real>(last[at]) + 1.0 + exposureRoom) * side;
  }
  return box;
}

/// Marks the cells from `first` to `last`, inclusive, that the triangle may meet.
void ExposureField::occupy(const Triangle& triangle, const Cells& first, const Cells& last,
                           std::vector<std::uint8_t>& occupied) const {
  if (first == last) {
    std::uint8_t& cell = occupied[indexOf(first)];
    if (cell != 0) return;
    const Vec3 low = low_ + Vec3(first[0], first[1], first[2]) / cellsPerMetre_;
    cell = triangleMayMeetBox(triangle, Box{low, low + Vec3(1.0 / cellsPerMetre_)}) ? 1 : 0;
    return;
  }
  if (!triangleMayMeetBox(triangle, boxOf(first, last))) return;
  std::size_t axis = 0;
  for (std::size_t other = 1; other < 3; ++other)
    if (last[other] - first[other] > last[axis] - first[axis]) axis = other;
  Cells middle = last, next = first;
  middle[axis] = (first[axis] + last[axis]) / 2;
  next[axis] = middle[axis] + 1;
  occupy(triangle, first, middle, occupied);
  occupy(triangle, next, last, occupied);
}

/// Returns the cells that may contain surface. No line between two other cells can cross the
/// surface.
std::vector<std::uint8_t> ExposureField::occupied(const TriangleMesh& mesh,
                                                  const std::atomic<bool>* cancelled) const {
  std::vector<std::uint8_t> occupied(counts_[0] * counts_[1] * counts_[2], 0);
  const auto cellOf = [this](Real at, int axis) {
    const auto last = static_cast<std::ptrdiff_t>(counts_[static_cast<std::size_t>(axis)]) - 1;
    return std::clamp(static_cast<std::ptrdiff_t>((at - low_[axis]) * cellsPerMetre_),
                      std::ptrdiff_t{0}, last);
  };
  for (std::size_t t = 0; t < mesh.triangles.size() && !wasCancelled(cancelled); ++t) {
    const Triangle triangle = mesh.corners(t);
    Box box;
    for (const Vec3& corner : triangle) box.include(corner);
    Cells first{}, last{};
    for (int axis = 0; axis < 3; ++axis) {
      first[static_cast<std::size_t>(axis)] = cellOf(box.low[axis], axis);
      last[static_cast<std::size_t>(axis)] = cellOf(box.high[axis], axis);
    }
    occupy(triangle, first, last, occupied);
  }
  return occupied;
}

/// Counts the cells that see out in one direction: their next cell is outside the grid, or it is
/// free and sees out itself.
void ExposureField::look(const Cells& direction, const std::vector<std::uint8_t>& occupied,
                         std::vector<std::uint8_t>& seen) const {
  std::vector<std::uint8_t> open(occupied.size(), 0);
  // Start at the far side, so that the next cell is already known
  const auto inOrder = [&](std::size_t axis, std::size_t i) {
    return static_cast<std::ptrdiff_t>(direction[axis] > 0 ? counts_[axis] - 1 - i : i);
  };
  for (std::size_t k = 0; k < counts_[2]; ++k)
    for (std::size_t j = 0; j < counts_[1]; ++j)
      for (std::size_t i = 0; i < counts_[0]; ++i) {
        const Cells cell{inOrder(0, i), inOrder(1, j), inOrder(2, k)};
        const Cells next{cell[0] + direction[0], cell[1] + direction[1], cell[2] + direction[2]};
        const std::size_t at = indexOf(cell);
        const bool seesOut =
            !within(next) || (occupied[indexOf(next)] == 0 && open[indexOf(next)] != 0);
        open[at] = seesOut ? 1 : 0;
        seen[at] = static_cast<std::uint8_t>(seen[at] + open[at]);
      }
}

/// Returns for unseen cells the number of steps between cells to the nearest surface or seen cell.
std::vector<std::uint8_t> ExposureField::depths(const std::vector<std::uint8_t>& occupied,
                                                const std::vector<std::uint8_t>& seen) const {
  constexpr std::uint8_t unknown = 255;
  std::vector<std::uint8_t> depths(seen.size(), 0);
  std::vector<std::size_t> front, next;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const bool hidden = occupied[i] == 0 && seen[i] == 0;
    if (hidden)
      depths[i] = unknown;
    else
      front.push_back(i);
  }
  // Cells at the border all see out, so a hidden cell has neighbours on all sides
  const std::array<std::size_t, 3> strides{1, counts_[0], counts_[0] * counts_[1]};
  for (std::uint8_t depth = 1; !front.empty(); ++depth) {
    next.clear();
    const auto reach = [&](std::size_t at) {
      if (at >= depths.size() || depths[at] != unknown) return;
      depths[at] = depth;
      next.push_back(at);
    };
    for (const std::size_t at : front)
      for (const std::size_t stride : strides) {
        reach(at + stride);
        // For the first cells, the index difference lies outside the range of the others
        reach(at - stride);
      }
    std::swap(front, next);
  }
  return depths;
}

}  // namespace nearmiss
