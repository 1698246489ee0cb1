// SPDX-License-Identifier: MIT
#include "measure/sphere_surface_search.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

/// Covers the rounding of a few operations on lengths, with room.
constexpr Real roundUp = 1.0 + 1e-12;

/// The direction of a point on a face of the cube.
Vec3 directionOf(int face, Real u, Real v) noexcept {
  Vec3 direction(0.0);
  const int axis = face / 2;
  direction[axis] = face % 2 == 0 ? -1.0 : 1.0;
  direction[(axis + 1) % 3] = u;
  direction[(axis + 2) % 3] = v;
  return glm::normalize(direction);
}

/// An upper bound of |x - p| over the cap of `sphere` about `axis` with half angle acos(cosine):
/// with a and r of the sphere |x - p|^2 = r^2 + 2 (x - a).(a - p) + |a - p|^2, and the middle term
/// is greatest where the cap comes nearest to the direction of a - p.
Real farthestFrom(const Vec3& p, const Sphere& sphere, const Vec3& axis, Real cosine) noexcept {
  const Vec3 away = sphere.centre - p;
  const Real d = glm::length(away);
  const Real r = sphere.radius;
  Real along = d;
  const Real c = glm::dot(axis, away);
  if (c < cosine * d) {
    const Real sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
    along = c * cosine + std::sqrt(std::max(0.0, d * d - c * c)) * sine;
  }
  const Real square = r * r + d * d + 2.0 * r * along;
  return std::sqrt(std::max(0.0, square) + 1e-14 * (r * r + d * d)) * roundUp;
}

}  // namespace

DistanceRange SphereSurfaceSearch::search(const Sphere& sphere, Real tolerance, bool outsideOnly,
                                          std::size_t mostQueries) {
  open_.clear();
  range_ = {};
  queries_ = 0;
  for (int face = 0; face < 6; ++face) {
    Patch whole;
    whole.face = face;
    look(sphere, whole, outsideOnly);
  }

  // Quarter the patch that could hold the farthest point, until its bound is within the tolerance
  while (open_.first().atMost > range_.atLeast + tolerance && queries_ < mostQueries) {
    const Patch patch = open_.takeFirst();
    const Real u = 0.5 * (patch.u0 + patch.u1);
    const Real v = 0.5 * (patch.v0 + patch.v1);
    for (int quarter = 0; quarter < 4; ++quarter) {
      Patch part = patch;
      (quarter & 1 ? part.u0 : part.u1) = u;
      (quarter & 2 ? part.v0 : part.v1) = v;
      look(sphere, part, outsideOnly);
    }
  }
  range_.atMost = std::max(open_.first().atMost, range_.atLeast);
  return range_;
}

void SphereSurfaceSearch::look(const Sphere& sphere, Patch patch, bool outsideOnly) {
  const Vec3 axis =
      directionOf(patch.face, 0.5 * (patch.u0 + patch.u1), 0.5 * (patch.v0 + patch.v1));
  // The edges of a patch are great circles, so it is convex and a corner is farthest from its axis
  Real cosine = 1.0;
  for (const Real u : {patch.u0, patch.u1})
    for (const Real v : {patch.v0, patch.v1})
      cosine = std::min(cosine, glm::dot(axis, directionOf(patch.face, u, v)));
  cosine -= 1e-15;
  const Vec3 point = sphere.centre + sphere.radius * axis;
  const SurfacePoint nearest = polyhedron_->nearest(point);
  ++queries_;

  Real atMost = farthestFrom(nearest.position, sphere, axis, cosine);
  if (outsideOnly && polyhedron_->contains(point)) {
    // A way out of the solid has to cross its surface, which begins at the distance found
    const Real reach = sphere.radius * std::sqrt(std::max(0.0, 2.0 - 2.0 * cosine)) * roundUp;
    atMost = std::max(0.0, reach - nearest.distance / roundUp);
  } else {
    range_.atLeast = std::max(range_.atLeast, nearest.distance);
  }
  // A part is within its whole
  patch.atMost = patch.sequence == 0 ? atMost : std::min(patch.atMost, atMost);
  patch.sequence = queries_;
  open_.add(patch);
}

}  // namespace nearmiss
