// SPDX-License-Identifier: MIT
#include "extras/touching_balls.h"

#include <nearmiss/assertion.h>

#include "geometry/mesh_check.h"
#include "tree/sphere_packing.h"

#include <algorithm>

namespace nearmiss {
namespace {

constexpr int mostRounds = 30;
/// Of the radius: a ball that is entered less deep than this is done.
constexpr Real entered = 1e-4;

/// The ball about a centre that is representable in float, or an empty one if the surface does not
/// wind about it; its radius is rounded down.
Sphere innerBall(const Polyhedron& surface, const Vec3& centre) {
  const Vec3 stored = roundedToFloat(centre);
  if (windingAbout(surface, stored) == 0) return {};
  // The arithmetic of a distance errs by far less than this, which is relative to the coordinates
  const Real doubt = 1e-12 * (surface.radius() + glm::length(stored));
  return {stored, surface.nearest(stored).distance - doubt};
}

Sphere touchingFrom(const Polyhedron& surface, const SurfaceSample& point, const Vec3& inward) {
  Real radius = surface.radius();
  for (int round = 0; round < mostRounds; ++round) {
    const Vec3 centre = point.position + radius * inward;
    const SurfacePoint nearest = surface.nearest(centre, radius * (1.0 - entered));
    if (nearest.distance >= radius * (1.0 - entered)) return innerBall(surface, centre);

    // The ball through both points that touches at the first
    const Vec3 between = nearest.position - point.position;
    const Real height = glm::dot(between, inward);
    if (height <= 0.0) break;
    radius = std::min(0.5 * glm::dot(between, between) / height, radius * (1.0 - entered));
  }
  return {};
}

}  // namespace

Sphere touchingBall(const Polyhedron& surface, const SurfaceSample& point) {
  NEARMISS_ASSERT(surface.report().closed());
  const auto corners = surface.mesh().corners(point.triangle);
  const Vec3 outward = glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
  const Sphere inside = touchingFrom(surface, point, -outward);
  if (surface.report().solid()) return inside;
  const Sphere beyond = touchingFrom(surface, point, outward);
  return beyond.radius > inside.radius ? beyond : inside;
}

}  // namespace nearmiss
