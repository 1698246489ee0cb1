// SPDX-License-Identifier: MIT
/// Polytopes of eighteen sides as nodes of a hierarchy of volumes [KHM98].
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "volumes/volume_motion.h"

namespace nearmiss {

struct SlabMotion;

/// Between two planes along each of nine directions: the axes of the body, and the diagonals of
/// their planes.
struct SlabVolume {
  using Motion = SlabMotion;
  static constexpr std::size_t count = 9;
  std::array<Real, count> low{}, high{};  ///< products with slabDirections, which are not units

  [[nodiscard]] static SlabVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept;
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept;
};

inline constexpr std::array<std::array<int, 3>, SlabVolume::count> slabDirections{{
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1},
    {1, 1, 0},
    {1, -1, 0},
    {1, 0, 1},
    {1, 0, -1},
    {0, 1, 1},
    {0, 1, -1},
}};

/// A direction as a sum of at most three of slabDirections, with factors above 0, each direction
/// taken as it is or reversed: how far a volume reaches along it is at most the same sum of how far
/// it reaches along these.
struct SlabSum {
  std::array<Real, 3> factor;
  std::array<std::uint8_t, 3> slab;
  std::array<bool, 3> reversed;
};
[[nodiscard]] SlabSum slabSumOf(const Vec3& direction) noexcept;

/// What comparing volumes of two bodies needs once a pose: all directions of each in the frame of
/// the other.
struct SlabMotion : VolumeMotion {
  SlabMotion(const Pose& bToA, Real doubt) noexcept;

  std::array<SlabSum, SlabVolume::count> ofA, ofB;
  std::array<Real, SlabVolume::count> shiftA, shiftB;
};

[[nodiscard]] bool apart(const SlabVolume& a, const SlabVolume& b,
                         const SlabMotion& motion) noexcept;

}  // namespace nearmiss
