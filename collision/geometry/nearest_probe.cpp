// SPDX-License-Identifier: MIT
#include "geometry/nearest_probe.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

constexpr Real doubleRounding = std::numeric_limits<Real>::epsilon();

/// Upper bound on the error of closestOnTriangle(), metres.
Real nearestError(const Triangle& t, Real distance) noexcept {
  Real longest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    longest = std::max(longest, squaredDistance(t[i], t[(i + 1) % 3]));
  const Vec3 normal = normalOf(t);
  const bool flat = !(glm::dot(normal, normal) > 1e-10 * longest * longest);
  return (flat ? 1e-7 : 1e-9) * std::sqrt(longest) + 1e-14 * distance;
}

}  // namespace

GapBounds::GapBounds(const Vec3& point, const WideBoxes& boxes) noexcept
    : inUnits_(boxes.inUnits(point)),
      unit_(boxes.unit()),
      slack_(4.0 * (boxes.rounding() * boxes.unit() +
                    doubleRounding * (glm::length(point) + glm::length(boxes.middle())))) {}

unsigned GapBounds::lanesOf(const Coordinates& low, const Coordinates& high, Real slack, Real limit,
                            Lanes& least) const noexcept {
  unsigned within = 0;
  for (unsigned lane = 0; lane < WideBoxes::width; ++lane) {
    Real squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const Real below = low[axis][lane] - inUnits_[axis],
                 above = inUnits_[axis] - high[axis][lane];
      const Real gap = std::max(std::max(below, above), 0.0);
      squared += gap * gap;
    }
    const Real distance = std::max(std::sqrt(squared) * unit_ * (1.0 - 1e-14) - slack, 0.0);
    least[lane] = distance * distance;
    within |= (least[lane] <= limit ? 1u : 0u) << lane;
  }
  return within;
}

unsigned GapBounds::lanes(const SurfaceBoxes::Facets& facets, Real limit) const noexcept {
  Coordinates low, high;
  for (int axis = 0; axis < 3; ++axis)
    for (unsigned lane = 0; lane < WideBoxes::width; ++lane) {
      const float p = facets.corner[0][axis][lane], q = facets.corner[1][axis][lane],
                  r = facets.corner[2][axis][lane];
      low[axis][lane] = std::min(std::min(p, q), r);
      high[axis][lane] = std::max(std::max(p, q), r);
    }
  // Corners within 1 of the middle are rounded to the nearest float
  Lanes least;
  return lanesOf(low, high, slack_ + 0x1p-23 * unit_, limit, least);
}

NearestProbe::NearestProbe(const Vec3& point, Real reach, const SurfaceBoxes& surface,
                           Real enough) noexcept
    : surface_(&surface),
      gaps_(point, surface.boxes()),
      point_(point),
      reach_(reach),
      enough_(enough),
      limit_(reach * reach) {}

bool NearestProbe::visit(std::uint32_t leaf, WorkCount& work) noexcept {
  work.boundTests += WideBoxes::width;
  const unsigned near = gaps_.lanes(surface_->facets(leaf), limit_);
  surface_->boxes().anyIn(leaf, [&](std::uint32_t triangle, unsigned lane) {
    if ((near >> lane & 1u) != 0) {
      ++work.triangleTests;
      compare(triangle);
    }
    return false;
  });
  return true;
}

void NearestProbe::compare(std::uint32_t triangle) noexcept {
  const Triangle corners = surface_->mesh().corners(triangle);
  const Vec3 place = closestOnTriangle(point_, corners);
  const Real distance = glm::distance(place, point_);
  lowest_ = std::min(lowest_, std::max(distance - nearestError(corners, distance), 0.0));
  if (distance > reach_ || distance > distance_ || (distance == distance_ && triangle > triangle_))
    return;
  distance_ = distance;
  triangle_ = triangle;
  nearest_ = place;
  const Real square = share_ * share_ * distance * distance;
  limit_ = distance <= enough_ ? -1.0 : square * (1.0 + 8.0 * doubleRounding);
}

}  // namespace nearmiss
