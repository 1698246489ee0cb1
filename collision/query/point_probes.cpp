// SPDX-License-Identifier: MIT
#include "query/point_probes.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "geometry/closest_points.h"

namespace nearmiss {
namespace {

constexpr Real doubleRounding = std::numeric_limits<Real>::epsilon();

/// How far closestOnTriangle() may be off, metres.
Real nearestError(const Triangle& t, Real distance) noexcept {
  Real longest = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    longest = std::max(longest, squaredDistance(t[i], t[(i + 1) % 3]));
  const Vec3 normal = normalOf(t);
  const bool flat = !(glm::dot(normal, normal) > 1e-10 * longest * longest);
  return (flat ? 1e-7 : 1e-9) * std::sqrt(longest) + 1e-14 * distance;
}

}  // namespace

NearestProbe::NearestProbe(const Vec3& point, Real reach, const SurfaceBoxes& surface) noexcept
    : surface_(&surface),
      gaps_(point, surface.boxes()),
      point_(point),
      reach_(reach),
      limit_(reach * reach) {}

bool NearestProbe::visit(std::uint32_t leaf, WorkCount& work) noexcept {
  work.boundTests += WideBoxes::width;
  surface_->forEachIn(leaf, [&](std::uint32_t triangle, unsigned) {
    ++work.triangleTests;
    const Triangle corners = surface_->mesh().corners(triangle);
    const Vec3 place = closestOnTriangle(point_, corners);
    const Real distance = glm::distance(place, point_);
    lowest_ = std::min(lowest_, std::max(distance - nearestError(corners, distance), 0.0));
    if (distance > reach_ || distance > distance_ ||
        (distance == distance_ && triangle > triangle_))
      return;
    distance_ = distance;
    triangle_ = triangle;
    nearest_ = place;
    limit_ = distance * distance * (1.0 + 8.0 * doubleRounding);
  });
  return true;
}

SideProbe::SideProbe(const Vec3& point, const SurfaceBoxes& surface) noexcept
    : surface_(&surface), count_(point) {
  const WideBoxes& boxes = surface.boxes();
  const Vec3 place = boxes.inUnits(point);
  const Vec3 slack(4.0 * boxes.rounding() + 8.0 * doubleRounding * glm::length(place));
  low_ = place - slack;
  high_ = place + slack;
}

unsigned SideProbe::bounds(const WideBoxes::Node& node,
                           std::array<float, 4>& least) const noexcept {
  least = {};
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < WideBoxes::width; ++lane)
    if (node.high[0][lane] >= low_.x && node.low[1][lane] <= high_.y &&
        node.high[1][lane] >= low_.y && node.low[2][lane] <= high_.z &&
        node.high[2][lane] >= low_.z)
      lanes |= 1u << lane;
  return lanes;
}

bool SideProbe::visit(std::uint32_t leaf, WorkCount& work) noexcept {
  work.boundTests += WideBoxes::width;
  surface_->forEachIn(leaf, [&](std::uint32_t triangle, unsigned) {
    ++work.triangleTests;
    count_.add(surface_->mesh().corners(triangle));
  });
  return true;
}

}  // namespace nearmiss
