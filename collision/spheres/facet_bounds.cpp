// SPDX-License-Identifier: MIT
#include "spheres/facet_bounds.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/closest_points.h"
#include "spheres/triangle_clipping.h"

namespace nearmiss {
namespace {

/// Covers the float rounding errors in the extent of a cylinder.
constexpr Real cylinderRoom = 1e-6;

Vec3 longestEdgeOf(const Triangle& t) noexcept {
  const std::size_t from = longestEdge(t).from;
  return t[(from + 1) % 3] - t[from];
}

/// Returns the mean line along the facets' vectors, weighted by length and independent of their
/// sign, because the normals of a thin sheet would cancel. 0 if none has a length.
template <class VectorOf>
Vec3 meanLine(std::span<const Triangle> facets, const VectorOf& vectorOf) noexcept {
  Vec3 longest(0.0);
  for (const Triangle& facet : facets) {
    const Vec3 vector = vectorOf(facet);
    if (glm::dot(vector, vector) > glm::dot(longest, longest)) longest = vector;
  }
  Vec3 sum(0.0);
  for (const Triangle& facet : facets) {
    const Vec3 vector = vectorOf(facet);
    sum += glm::dot(vector, longest) < 0.0 ? -vector : vector;
  }
  const Real length = glm::length(sum);
  return length > 0.0 ? sum / length : Vec3(0.0);
}

BoundingCylinder cylinderAlong(const Vec3& axis, std::span<const Triangle> facets) noexcept {
  Box box;
  for (const Triangle& facet : facets)
    for (const Vec3& corner : facet) box.include(corner);
  BoundingCylinder cylinder;
  cylinder.axis = axis;
  cylinder.middle = box.centre();

  // A cylinder is convex, so the corners decide
  Real low = std::numeric_limits<Real>::infinity(), high = -low, square = 0.0;
  for (const Triangle& facet : facets)
    for (const Vec3& corner : facet) {
      const Vec3 from = corner - cylinder.middle;
      const Real height = glm::dot(from, cylinder.axis);
      const Vec3 aside = from - height * cylinder.axis;
      low = std::min(low, height);
      high = std::max(high, height);
      square = std::max(square, glm::dot(aside, aside));
    }
  cylinder.middle += 0.5 * (low + high) * cylinder.axis;
  cylinder.halfHeight = 0.5 * (high - low);
  cylinder.radius = std::sqrt(square);
  return cylinder;
}

}  // namespace

BoundingCylinder cylinderAround(std::span<const Triangle> facets) noexcept {
  return cylinderAlong(meanLine(facets, normalOf), facets);
}

BoundingCylinder rodAround(std::span<const Triangle> facets) noexcept {
  return cylinderAlong(meanLine(facets, longestEdgeOf), facets);
}

void BoundingCylinders::set(std::size_t lane, const BoundingCylinder& cylinder) noexcept {
  put(middle_, lane, cylinder.middle);
  put(axis_, lane, cylinder.axis);
  const Real more = cylinderRoom * (cylinder.halfHeight + cylinder.radius);
  halfHeight_[lane] = static_cast<float>(cylinder.halfHeight + more);
  radius_[lane] = static_cast<float>(cylinder.radius + more);
}

namespace {

/// An edge without length degenerates to its corner.
float perSquare(const Vec3& edge) noexcept {
  const Real square = glm::dot(edge, edge);
  return square > 1e-37 ? static_cast<float>(1.0 / square) : 0.0f;
}

std::size_t oppositeOfLongest(const Triangle& triangle) noexcept {
  std::size_t corner = 0;
  Real longest = -1.0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Real length = glm::distance(triangle[(i + 1) % 3], triangle[(i + 2) % 3]);
    if (length <= longest) continue;
    longest = length;
    corner = i;
  }
  return corner;
}

}  // namespace

/// Computes the dual basis of the edges in double, from the corner opposite the longest edge. From
/// floats, or from the tip of a needle, its other end would be lost in rounding.
void FacetGroup::set(std::size_t lane, const Triangle& triangle) noexcept {
  const std::size_t from = oppositeOfLongest(triangle);
  const Vec3& a = triangle[from];
  const Vec3 ab = triangle[(from + 1) % 3] - a, ac = triangle[(from + 2) % 3] - a;
  const Vec3 normal = glm::cross(ab, ac);
  const Real square = glm::dot(normal, normal);
  put(corner_, lane, a);
  put(edge1_, lane, ab);
  put(edge2_, lane, ac);
  perSquare1_[lane] = perSquare(ab);
  perSquare2_[lane] = perSquare(ac);
  perSquare3_[lane] = perSquare(ac - ab);
  const bool hasArea = perSquare1_[lane] > 0.0f && perSquare2_[lane] > 0.0f &&
                       square > 1e-12 * glm::dot(ab, ab) * glm::dot(ac, ac);
  put(normal_, lane, hasArea ? normal / std::sqrt(square) : Vec3(0.0));
  put(along1_, lane, hasArea ? glm::cross(ac, normal) / square : Vec3(0.0));
  put(along2_, lane, hasArea ? glm::cross(normal, ab) / square : Vec3(0.0));
  most_[lane] = hasArea ? 1.0f : -1.0f;
}

namespace {

/// Average length of lists per facet; determines the size of cells.
constexpr Real entriesEach = 400.0;
constexpr Real maxEntries = 8e6;
/// A facet of area A meets about this many times A / s^2 cells of side s.
constexpr Real cellsPerArea = 1.5;
constexpr Real maxAlong = 128.0;
/// If facets meet fewer cells than this on average, searching by boxes is faster.
constexpr Real fewestCells = 16.0;
/// Share of a cell that covers the rounding errors of a point's coordinates in the grid.
constexpr Real cellRoom = 1e-3;

}  // namespace

FacetCells::FacetCells(std::span<const Triangle> facets) {
  if (facets.empty()) return;
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
      std::max(std::sqrt(cellsPerArea * area / std::min(entriesEach * number, maxEntries)),
               std::max({extent.x, extent.y, extent.z}) / maxAlong);
  if (!(area > fewestCells * number * side * side)) return;
  perMetre_ = static_cast<float>(1.0 / side);
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    low_[at] = static_cast<float>(bounds.low[axis] - 0.5 * side);
    counts_[at] = static_cast<int>(extent[axis] / side) + 2;
  }

  // List the facets of each cell, in ascending order
  std::vector<Entry> entries;
  for (std::uint32_t t = 0; t < facets.size(); ++t) {
    const Triangle& facet = facets[t];
    Range range{{counts_[0], counts_[1], counts_[2]}, {-1, -1, -1}};
    for (const Vec3& c : facet) {
      const Range at =
          rangeAbout({static_cast<float>(c.x), static_cast<float>(c.y), static_cast<float>(c.z)},
                     static_cast<float>(cellRoom * side));
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
  // The plane of a nearly degenerate facet is mostly rounding error
  if (!(length > 1e-6 * glm::length(ab) * glm::length(ac))) return {};
  const Vec3 unit = normal / length;
  return {static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z),
          static_cast<float>(glm::dot(unit, facet[0]))};
}

/// Returns the box of a range of cells, widened to allow for rounding.
Box FacetCells::boxOf(const Range& range) const noexcept {
  const Real side = 1.0 / static_cast<Real>(perMetre_);
  Box box;
  for (int axis = 0; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    box.low[axis] = static_cast<Real>(low_[at]) + (range.low[at] - cellRoom) * side;
    box.high[axis] = static_cast<Real>(low_[at]) + (range.high[at] + 1 + cellRoom) * side;
  }
  return box;
}

/// Halves the range until it is a single cell or the facet does not meet it.
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
