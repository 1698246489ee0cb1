// SPDX-License-Identifier: MIT
/// Balls, boxes along the axes or turned to fit, and polytopes of eighteen sides [KHM98] as nodes
/// of a hierarchy of volumes.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "methods/swept_volumes.h"

namespace nearmiss {

struct BallVolume {
  using Motion = VolumeMotion;
  Sphere ball;

  /// Around the points; not the least, but about the middle of their box.
  [[nodiscard]] static BallVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return ball; }
  /// The distance from `point` to the farthest point of the volume.
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::distance(point, ball.centre) + ball.radius;
  }
  friend bool apart(const BallVolume& a, const BallVolume& b, const VolumeMotion& motion) noexcept {
    return overlap(a.ball, {motion(b.ball.centre), b.ball.radius}) < -motion.slack;
  }
};

/// Boxes as nodes of a hierarchy of volumes: along the axes of the body, or turned to fit.
struct AlignedBoxVolume {
  using Motion = VolumeMotion;
  Vec3 centre{0.0}, half{0.0};

  [[nodiscard]] static AlignedBoxVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return {centre, glm::length(half)}; }
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::length(glm::abs(point - centre) + half);
  }
  friend bool apart(const AlignedBoxVolume& a, const AlignedBoxVolume& b,
                    const VolumeMotion& motion) noexcept;
};

/// Boxes turned to fit: along the eigenvectors of the points' covariance, or any axes [GLM96].
struct TurnedBoxVolume {
  using Motion = VolumeMotion;
  glm::dmat3 axes{1.0};  ///< columns, unit vectors
  Vec3 centre{0.0}, half{0.0};

  [[nodiscard]] static TurnedBoxVolume around(std::span<const Vec3> points);
  /// Along given axes, unit vectors at right angles.
  [[nodiscard]] static TurnedBoxVolume along(const glm::dmat3& axes, std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return {centre, glm::length(half)}; }
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::length(glm::abs((point - centre) * axes) + half);
  }
  friend bool apart(const TurnedBoxVolume& a, const TurnedBoxVolume& b,
                    const VolumeMotion& motion) noexcept;
};

/// True if one of the fifteen axes of faces and of pairs of edges separates two boxes by more than
/// `slack`: a box about the origin, along its own axes, and another at `centre` along the columns
/// of `axes`. Edges that are nearly parallel separate nothing: each entry of `axes` is taken for a
/// little more than it is (erratum E9).
[[nodiscard]] bool boxesApart(const Vec3& halfA, const Vec3& halfB, const glm::dmat3& axes,
                              const Vec3& centre, Real slack) noexcept;

/// Polytopes of eighteen sides as nodes of a hierarchy of volumes [KHM98].
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

/// Data for comparing volumes of two bodies, computed once per pose: all directions of each in the
/// frame of the other.
struct SlabMotion : VolumeMotion {
  SlabMotion(const Pose& bToA, Real doubt) noexcept;

  std::array<SlabSum, SlabVolume::count> ofA, ofB;
  std::array<Real, SlabVolume::count> shiftA, shiftB;
};

[[nodiscard]] bool apart(const SlabVolume& a, const SlabVolume& b,
                         const SlabMotion& motion) noexcept;

}  // namespace nearmiss
