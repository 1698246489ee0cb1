// SPDX-License-Identifier: MIT
#include "extras/touching_balls.h"

#include <nearmiss/assertion.h>

#include "tree/sphere_packing.h"

#include <algorithm>

namespace nearmiss {
namespace {

constexpr int mostRounds = 30;
/// Of the radius: a ball that is entered less deep than this is done.
constexpr Real entered = 1e-4;

}  // namespace

Sphere innerBall(const Polyhedron& polyhedron, const Vec3& centre) {
  const Vec3 stored = roundedToFloat(centre);
  if (!polyhedron.contains(stored)) return {};
  // The arithmetic of a distance errs by far less than this, which is relative to the coordinates
  const Real doubt = 1e-12 * (polyhedron.radius() + glm::length(stored));
  return {stored, polyhedron.nearest(stored).distance - doubt};
}

Sphere touchingBall(const Polyhedron& polyhedron, const SurfaceSample& point) {
  NEARMISS_ASSERT(polyhedron.report().solid());
  const auto corners = polyhedron.mesh().corners(point.triangle);
  const Vec3 inward = -glm::normalize(glm::cross(corners[1] - corners[0], corners[2] - corners[0]));
  Real radius = polyhedron.radius();
  for (int round = 0; round < mostRounds; ++round) {
    const Vec3 centre = point.position + radius * inward;
    const SurfacePoint nearest = polyhedron.nearest(centre, radius * (1.0 - entered));
    if (nearest.distance >= radius * (1.0 - entered)) return innerBall(polyhedron, centre);

    // The ball through both points that touches at the first
    const Vec3 between = nearest.position - point.position;
    const Real height = glm::dot(between, inward);
    if (height <= 0.0) break;
    radius = std::min(0.5 * glm::dot(between, between) / height, radius * (1.0 - entered));
  }
  return {};
}

}  // namespace nearmiss
