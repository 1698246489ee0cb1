// SPDX-License-Identifier: MIT
#include "volumes/slab_volume.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nearmiss {
namespace {

Vec3 directionOf(std::size_t slab) noexcept {
  const auto& d = slabDirections[slab];
  return {d[0], d[1], d[2]};
}

/// How far a volume reaches along a sum of directions, at most.
Real reachAlong(const SlabVolume& volume, const SlabSum& sum, bool backwards) noexcept {
  Real reach = 0.0;
  for (std::size_t k = 0; k < 3; ++k)
    reach += sum.factor[k] *
             (sum.reversed[k] != backwards ? -volume.low[sum.slab[k]] : volume.high[sum.slab[k]]);
  return reach;
}

}  // namespace

SlabVolume SlabVolume::around(std::span<const Vec3> points) {
  SlabVolume volume;
  volume.low.fill(std::numeric_limits<Real>::infinity());
  volume.high.fill(-std::numeric_limits<Real>::infinity());
  for (const Vec3& p : points)
    for (std::size_t k = 0; k < count; ++k) {
      const Real along = glm::dot(p, directionOf(k));
      volume.low[k] = std::min(volume.low[k], along);
      volume.high[k] = std::max(volume.high[k], along);
    }
  return volume;
}

Sphere SlabVolume::enclosing() const noexcept {
  const Vec3 least(low[0], low[1], low[2]), most(high[0], high[1], high[2]);
  return {0.5 * (least + most), 0.5 * glm::distance(least, most)};
}

Real SlabVolume::reachFrom(const Vec3& point) const noexcept {
  const Vec3 least(low[0], low[1], low[2]), most(high[0], high[1], high[2]);
  return glm::length(glm::max(glm::abs(point - least), glm::abs(most - point)));
}

SlabSum slabSumOf(const Vec3& direction) noexcept {
  // The axes by how far the direction goes along them
  std::array<int, 3> axis{0, 1, 2};
  const auto length = [&](int i) { return std::abs(direction[axis[static_cast<std::size_t>(i)]]); };
  std::ranges::sort(axis, [&](int i, int j) {
    return std::pair(-std::abs(direction[i]), i) < std::pair(-std::abs(direction[j]), j);
  });
  const Real x = length(0), y = length(1), z = length(2);

  // It lies in the cone of one axis and two diagonals, or of three diagonals
  const auto along = [&](int i, int j) {
    Vec3 d(0.0);
    for (const int k : {i, j})
      if (k >= 0) {
        const int own = axis[static_cast<std::size_t>(k)];
        d[own] = direction[own] < 0.0 ? -1.0 : 1.0;
      }
    return d;
  };
  const bool byAxis = x >= y + z;
  const std::array<Vec3, 3> parts = byAxis ? std::array{along(0, -1), along(0, 1), along(0, 2)}
                                           : std::array{along(0, 1), along(0, 2), along(1, 2)};
  SlabSum sum{};
  sum.factor = byAxis ? std::array{x - y - z, y, z}
                      : std::array{0.5 * (x + y - z), 0.5 * (x + z - y), 0.5 * (y + z - x)};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t slab = 0; slab < SlabVolume::count; ++slab) {
      if (parts[k] != directionOf(slab) && -parts[k] != directionOf(slab)) continue;
      sum.slab[k] = static_cast<std::uint8_t>(slab);
      sum.reversed[k] = parts[k] != directionOf(slab);
    }
  return sum;
}

SlabMotion::SlabMotion(const Pose& bToA, Real doubt) noexcept : VolumeMotion(bToA, doubt) {
  for (std::size_t k = 0; k < SlabVolume::count; ++k) {
    const Vec3 d = directionOf(k);
    // Directions of a in the frame of b, and the other way round
    ofA[k] = slabSumOf(d * axes);
    shiftA[k] = glm::dot(position, d);
    ofB[k] = slabSumOf(axes * d);
    shiftB[k] = -glm::dot(position, axes * d);
  }
}

bool apart(const SlabVolume& a, const SlabVolume& b, const SlabMotion& motion) noexcept {
  // Diagonals are longer than 1, by less than a half
  const Real room = 1.5 * motion.slack;
  for (std::size_t k = 0; k < SlabVolume::count; ++k) {
    if (motion.shiftA[k] + reachAlong(b, motion.ofA[k], false) < a.low[k] - room ||
        motion.shiftA[k] - reachAlong(b, motion.ofA[k], true) > a.high[k] + room)
      return true;
    if (motion.shiftB[k] + reachAlong(a, motion.ofB[k], false) < b.low[k] - room ||
        motion.shiftB[k] - reachAlong(a, motion.ofB[k], true) > b.high[k] + room)
      return true;
  }
  return false;
}

}  // namespace nearmiss
