// SPDX-License-Identifier: MIT
#include "rivals/bounding_volumes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nearmiss {

BallVolume BallVolume::around(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  BallVolume volume{{box.centre(), 0.0}};
  for (const Vec3& p : points)
    volume.ball.radius = std::max(volume.ball.radius, glm::distance(p, volume.ball.centre));
  return volume;
}

AlignedBoxVolume AlignedBoxVolume::around(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.include(p);
  return {box.centre(), 0.5 * box.extent()};
}

TurnedBoxVolume TurnedBoxVolume::around(std::span<const Vec3> points) {
  return along(principalAxes(points), points);
}

TurnedBoxVolume TurnedBoxVolume::along(const glm::dmat3& axes, std::span<const Vec3> points) {
  TurnedBoxVolume volume;
  volume.axes = axes;
  Box box;
  for (const Vec3& p : points) box.include(p * volume.axes);
  volume.centre = volume.axes * box.centre();
  volume.half = 0.5 * box.extent();
  return volume;
}

bool boxesApart(const Vec3& halfA, const Vec3& halfB, const glm::dmat3& axes, const Vec3& centre,
                Real slack) noexcept {
  constexpr Real doubt = 1e-9;
  Real r[3][3], most[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      r[i][j] = axes[j][i];
      most[i][j] = std::abs(r[i][j]) + doubt;
    }
  // Faces of a, then of b
  for (int i = 0; i < 3; ++i)
    if (std::abs(centre[i]) >
        halfA[i] + halfB[0] * most[i][0] + halfB[1] * most[i][1] + halfB[2] * most[i][2] + slack)
      return true;
  for (int j = 0; j < 3; ++j)
    if (std::abs(centre[0] * r[0][j] + centre[1] * r[1][j] + centre[2] * r[2][j]) >
        halfA[0] * most[0][j] + halfA[1] * most[1][j] + halfA[2] * most[2][j] + halfB[j] + slack)
      return true;
  // Pairs of edges. Such an axis is no longer than 1, so the slack suffices along it
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const Real reachA = halfA[i1] * most[i2][j] + halfA[i2] * most[i1][j];
      const Real reachB = halfB[j1] * most[i][j2] + halfB[j2] * most[i][j1];
      if (std::abs(centre[i2] * r[i1][j] - centre[i1] * r[i2][j]) > reachA + reachB + slack)
        return true;
    }
  return false;
}

bool apart(const AlignedBoxVolume& a, const AlignedBoxVolume& b,
           const VolumeMotion& motion) noexcept {
  return boxesApart(a.half, b.half, motion.axes, motion(b.centre) - a.centre, motion.slack);
}

bool apart(const TurnedBoxVolume& a, const TurnedBoxVolume& b,
           const VolumeMotion& motion) noexcept {
  const Vec3 between = motion(b.centre) - a.centre;
  return boxesApart(a.half, b.half, glm::transpose(a.axes) * (motion.axes * b.axes),
                    between * a.axes, motion.slack);
}

namespace {

Vec3 directionOf(std::size_t slab) noexcept {
  const auto& d = slabDirections[slab];
  return {d[0], d[1], d[2]};
}

/// Returns an upper bound on the extent of a volume along a sum of directions.
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
  // Sort the axes by the direction's component along them
  std::array<int, 3> axis{0, 1, 2};
  const auto length = [&](int i) { return std::abs(direction[axis[static_cast<std::size_t>(i)]]); };
  std::ranges::sort(axis, [&](int i, int j) {
    return std::pair(-std::abs(direction[i]), i) < std::pair(-std::abs(direction[j]), j);
  });
  const Real x = length(0), y = length(1), z = length(2);

  // The direction lies in the cone of one axis and two diagonals, or of three diagonals
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
    // Directions of a in the frame of b, and vice versa
    ofA[k] = slabSumOf(d * axes);
    shiftA[k] = glm::dot(position, d);
    ofB[k] = slabSumOf(axes * d);
    shiftB[k] = -glm::dot(position, axes * d);
  }
}

bool apart(const SlabVolume& a, const SlabVolume& b, const SlabMotion& motion) noexcept {
  // Diagonals are longer than 1, by less than half
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
