// SPDX-License-Identifier: MIT
#include "measure/facet_cells.h"

#include "geometry/closest_points.h"
#include "sampling/triangle_box.h"

#include <glm/geometric.hpp>

namespace nearmiss {
namespace {

/// Cells are as small as lists of about so many entries in all allow.
constexpr Real entriesEach = 400.0;
constexpr Real mostEntries = 8e6;
/// A facet of area A meets about so many times A / s^2 cells of side s.
constexpr Real cellsPerArea = 1.5;
constexpr Real mostAlong = 128.0;
/// A facet that meets fewer cells than this, on average, is found more quickly by its box.
constexpr Real fewestCells = 16.0;
/// Of a cell: covers the rounding of a point's coordinates in the grid.
constexpr Real room = 1e-3;

}  // namespace

FacetCells::FacetCells(std::span<const Triangle> facets) {
  // Choose the side of a cell
  Box bounds;
  Real area = 0.0;
  for (const Triangle& facet : facets) {
    for (const Vec3& corner : facet) bounds.include(corner);
    area += areaOf(facet);
  }
  const auto number = static_cast<Real>(facets.size());
  const Vec3 extent = bounds.extent();
  const Real side =
      std::max(std::sqrt(cellsPerArea * area / std::min(entriesEach * number, mostEntries)),
               std::max({extent.x, extent.y, extent.z}) / mostAlong);
  if (!(area > fewestCells * number * side * side)) return;
  perMetre_ = static_cast<float>(1.0 / side);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    low_[at] = static_cast<float>(bounds.low[axis] - 0.5 * side);
    counts_[at] = static_cast<int>(extent[axis] / side) + 2;
  }

  // List the facets of each cell, in the order of their numbers
  std::vector<Entry> entries;
  for (std::uint32_t t = 0; t < facets.size(); ++t) {
    const Triangle& facet = facets[t];
    Range range{{counts_[0], counts_[1], counts_[2]}, {-1, -1, -1}};
    for (const Vec3& c : facet) {
      const Range at =
          rangeAbout({static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)},
                     static_cast<float>(room * side));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        range.low[axis] = std::min(range.low[axis], at.low[axis]);
        range.high[axis] = std::max(range.high[axis], at.high[axis]);
      }
    }
    list(t, facet, range, entries);
    planes_.push_back(planeOf(facet));
  }
  begin_.assign(indexOf({counts_[0] - 1, counts_[1] - 1, counts_[2] - 1}) + 2, 0);
  for (const Entry& entry : entries) ++begin_[entry.cell + 1];
  for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
  listed_.resize(entries.size());
  std::vector<std::uint32_t> next = begin_;
  for (const Entry& entry : entries) listed_[next[entry.cell]++] = entry.facet;
}

FacetCells::Plane FacetCells::planeOf(const Triangle& facet) noexcept {
  const Vec3 ab = facet[1] - facet[0], ac = facet[2] - facet[0];
  const Vec3 normal = glm::cross(ab, ac);
  const Real length = glm::length(normal);
  // Of what is nearly a line the plane is all rounding
  if (!(length > 1e-6 * glm::length(ab) * glm::length(ac))) return {};
  const Vec3 unit = normal / length;
  return {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z),
          static_cast<float>(glm::dot(unit, facet[0]))};
}

/// With room for what rounding lets out of it.
Box FacetCells::boxOf(const Range& range) const noexcept {
  const Real side = 1.0 / static_cast<Real>(perMetre_);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    box.low[axis] = static_cast<Real>(low_[at]) + (range.low[at] - room) * side;
    box.high[axis] = static_cast<Real>(low_[at]) + (range.high[at] + 1 + room) * side;
  }
  return box;
}

/// Halves the range until it is a cell, or the facet does not meet it.
void FacetCells::list(std::uint32_t number, const Triangle& facet, const Range& range,
                      std::vector<Entry>& entries) const {
  if (!triangleMayMeetBox(facet, boxOf(range))) return;
  if (range.count() == 1) {
    entries.push_back({static_cast<std::uint32_t>(indexOf(range.low)), number});
    return;
  }
  std::size_t axis = 0;
  for (std::size_t other = 1; other < 3; ++other)
    if (range.high[other] - range.low[other] > range.high[axis] - range.low[axis]) axis = other;
  Range first = range, second = range;
  first.high[axis] = (range.low[axis] + range.high[axis]) / 2;
  second.low[axis] = first.high[axis] + 1;
  list(number, facet, first, entries);
  list(number, facet, second, entries);
}

}  // namespace nearmiss
