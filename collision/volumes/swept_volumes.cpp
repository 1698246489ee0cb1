// SPDX-License-Identifier: MIT
#include "volumes/swept_volumes.h"

#include <algorithm>
#include <cmath>

#include "volumes/box_volumes.h"

namespace nearmiss {
namespace {

/// The distance of a point, as seen from the middle, from a rectangle.
Real distanceFrom(const Vec3& own, const Real (&half)[2]) noexcept {
  return glm::length(Vec3(std::max(std::abs(own.x) - half[0], 0.0),
                          std::max(std::abs(own.y) - half[1], 0.0), own.z));
}

/// How far the rectangle of a volume reaches to either side of its centre, along an axis.
Real reachAlong(const SweptVolume& volume, const Vec3& axis) noexcept {
  return volume.half[0] * std::abs(glm::dot(axis, volume.axes[0])) +
         volume.half[1] * std::abs(glm::dot(axis, volume.axes[1]));
}

}  // namespace

SweptVolume SweptVolume::around(std::span<const Vec3> points, int sides) {
  SweptVolume volume;
  volume.axes = principalAxes(points);
  Box box;
  for (const Vec3& p : points) box.include(p * volume.axes);
  volume.centre = volume.axes * box.centre();
  const Vec3 half = 0.5 * box.extent();
  // The least extents are left to the radius
  const Real least = sides == 2 ? half[2] : sides == 1 ? std::max(half[1], half[2]) : 0.0;
  for (int k = 0; k < sides; ++k) volume.half[k] = std::max(half[k] - least, 0.0);
  for (const Vec3& p : points)
    volume.radius =
        std::max(volume.radius, distanceFrom((p - volume.centre) * volume.axes, volume.half));
  return volume;
}

Sphere SweptVolume::enclosing() const noexcept {
  return {centre, std::hypot(half[0], half[1]) + radius};
}

Real SweptVolume::reachFrom(const Vec3& point) const noexcept {
  const Vec3 own = glm::abs((point - centre) * axes);
  return glm::length(own + Vec3(half[0], half[1], 0.0)) + radius;
}

bool apart(const SweptVolume& a, const SweptVolume& b, const VolumeMotion& motion) noexcept {
  SweptVolume moved = b;
  moved.axes = motion.axes * b.axes;
  const Vec3 between = motion(b.centre) - a.centre;
  const Real reach = a.radius + b.radius + motion.slack;
  // Of any axis, the part that lies between the rectangles; lengths whose squares vanish say
  // nothing
  const auto separates = [&](const Vec3& axis) {
    const Real square = glm::dot(axis, axis);
    if (!(square > 1e-18)) return false;
    const Real gap =
        std::abs(glm::dot(between, axis)) - reachAlong(a, axis) - reachAlong(moved, axis);
    return gap > 0.0 && gap * gap > reach * reach * square;
  };
  if (separates(between) || separates(a.axes[2]) || separates(moved.axes[2])) return true;
  for (int i = 0; i < 2; ++i)
    if (separates(a.axes[i]) || separates(moved.axes[i])) return true;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      if (separates(glm::cross(a.axes[i], moved.axes[j]))) return true;
  return false;
}

}  // namespace nearmiss
