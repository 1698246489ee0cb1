// SPDX-License-Identifier: MIT
/// Balls, axis-aligned or oriented boxes, and polytopes of eighteen sides [KHM98] as nodes of a
/// hierarchy of volumes.
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "rivals/swept_volumes.h"

namespace nearmiss {

struct BallVolume {
  using Motion = VolumeMotion;
  Sphere ball;

  /// Returns a ball around the points, about the centre of their box; not the smallest one.
  [[nodiscard]] static BallVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return ball; }
  /// Returns the distance from `point` to the farthest point of the volume.
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::distance(point, ball.centre) + ball.radius;
  }
  friend bool apart(const BallVolume& a, const BallVolume& b, const VolumeMotion& motion) noexcept {
    return overlap(a.ball, {motion(b.ball.centre), b.ball.radius}) < -motion.slack;
  }
};

/// Boxes along the axes of the body as nodes of a hierarchy of volumes.
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

/// Oriented boxes, along the eigenvectors of the points' covariance or along any axes [GLM96].
struct TurnedBoxVolume {
  using Motion = VolumeMotion;
  glm::dmat3 axes{1.0};  ///< columns, unit vectors
  Vec3 centre{0.0}, half{0.0};

  [[nodiscard]] static TurnedBoxVolume around(std::span<const Vec3> points);
  /// Returns the box along given axes, orthogonal unit vectors.
  [[nodiscard]] static TurnedBoxVolume along(const glm::dmat3& axes, std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return {centre, glm::length(half)}; }
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::length(glm::abs((point - centre) * axes) + half);
  }
  friend bool apart(const TurnedBoxVolume& a, const TurnedBoxVolume& b,
                    const VolumeMotion& motion) noexcept;
};

/// Returns true if one of the fifteen axes of faces and pairs of edges separates two boxes by more
/// than `slack`: a box about the origin along its own axes, and another at `centre` along the
/// columns of `axes`. Nearly parallel edges separate nothing, because each entry of `axes` is
/// enlarged slightly (erratum E9).
[[nodiscard]] bool boxesApart(const Vec3& halfA, const Vec3& halfB, const glm::dmat3& axes,
                              const Vec3& centre, Real slack) noexcept;

/// Polytopes of eighteen sides as nodes of a hierarchy of volumes [KHM98].
struct SlabMotion;

/// The intersection of slabs along nine directions: the axes of the body, and the diagonals of
/// their planes.
struct SlabVolume {
  using Motion = SlabMotion;
  static constexpr std::size_t count = 9;
  /// Products with slabDirections, which are not unit vectors.
  std::array<Real, count> low{}, high{};

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

/// A direction as a sum of at most three of slabDirections with positive factors, each direction
/// possibly reversed. The extent of a volume along it is at most the same sum of its extents along
/// these.
struct SlabSum {
  std::array<Real, 3> factor;
  std::array<std::uint8_t, 3> slab;
  std::array<bool, 3> reversed;
};
[[nodiscard]] SlabSum slabSumOf(const Vec3& direction) noexcept;

/// Data for comparing volumes of two bodies, computed once per pose: the directions of each body in
/// the frame of the other.
struct SlabMotion : VolumeMotion {
  SlabMotion(const Pose& bToA, Real doubt) noexcept;

  std::array<SlabSum, SlabVolume::count> ofA, ofB;
  std::array<Real, SlabVolume::count> shiftA, shiftB;
};

[[nodiscard]] bool apart(const SlabVolume& a, const SlabVolume& b,
                         const SlabMotion& motion) noexcept;

}  // namespace nearmiss
