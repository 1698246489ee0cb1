// SPDX-License-Identifier: MIT
#include "rivals/hull_volume.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "geometry/gjk.h"

namespace nearmiss {
namespace {

ConvexPair convexPairOf(const HullVolume& a, const HullVolume& b,
                        const VolumeMotion& motion) noexcept {
  return {a.hull, b.hull, motion.axes, motion.position};
}

}  // namespace

void HullVolume::fit(std::span<const Vec3> points) {
  hull = ConvexPolytope(convexHull(points));
  bound = BallVolume::around(hull.vertices());
}

Real HullVolume::reachFrom(const Vec3& point) const noexcept {
  Real reach = 0.0;
  for (const Vec3& p : hull.vertices()) reach = std::max(reach, glm::distance(point, p));
  return reach;
}

GjkVolume GjkVolume::around(std::span<const Vec3> points) {
  GjkVolume volume;
  volume.fit(points);
  return volume;
}

LinCannyVolume LinCannyVolume::around(std::span<const Vec3> points) {
  LinCannyVolume volume;
  volume.fit(points);
  volume.detail = DetailHulls(volume.hull);
  return volume;
}

bool apart(const GjkVolume& a, const GjkVolume& b, const VolumeMotion& motion) noexcept {
  return apart(a.bound, b.bound, motion) ||
         gjkDistance(convexPairOf(a, b, motion), motion.slack).lower > motion.slack;
}

bool apart(const LinCannyVolume& a, const LinCannyVolume& b, const VolumeMotion& motion) noexcept {
  LinCannyVolume::Kept none;
  return apart(a, b, motion, none);
}

bool apart(const LinCannyVolume& a, const LinCannyVolume& b, const VolumeMotion& motion,
           LinCannyVolume::Kept& kept) noexcept {
  if (apart(a.bound, b.bound, motion)) return true;
  ConvexDistance found;
  if (kept) {
    found = linCannyDistance(convexPairOf(a, b, motion), *kept);
  } else {
    kept.emplace();
    found = detailedDistance({a.hull, a.detail.levels()}, {b.hull, b.detail.levels()}, motion.axes,
                             motion.position, motion.slack, *kept);
  }
  if (found.meet) kept.reset();
  return found.lower > motion.slack;
}

}  // namespace nearmiss
