// SPDX-License-Identifier: MIT
#include "measure/bounding_cylinders.h"

#include "sampling/triangle_halves.h"

#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearmiss {
namespace {

/// Covers what floats round away from the reach of a cylinder.
constexpr Real room = 1e-6;

Vec3 normalOf(const Triangle& t) noexcept { return glm::cross(t[1] - t[0], t[2] - t[0]); }

Vec3 longestEdgeOf(const Triangle& t) noexcept {
  const std::size_t from = longestEdge(t).from;
  return t[(from + 1) % 3] - t[from];
}

/// The mean line along the facets' vectors, each counted by its length, whichever way it points:
/// the normals of a thin sheet would cancel each other. 0 where none has a length.
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

  // A cylinder is convex: the corners decide
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
  const Real more = room * (cylinder.halfHeight + cylinder.radius);
  halfHeight_[lane] = static_cast<float>(cylinder.halfHeight + more);
  radius_[lane] = static_cast<float>(cylinder.radius + more);
}

}  // namespace nearmiss
