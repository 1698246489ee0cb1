// SPDX-License-Identifier: MIT
/// Balls swept over a point, a segment or a rectangle as nodes of a hierarchy of volumes [LGL99],
/// and the transform between the frames of two bodies.
#pragma once

#include <nearmiss/math.h>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <span>

namespace nearmiss {

/// Transforms from the frame of b to that of a.
struct VolumeMotion {
  VolumeMotion(const Pose& bToA, Real doubt) noexcept
      : axes(glm::mat3_cast(bToA.rotation)), position(bToA.position), slack(doubt) {}

  [[nodiscard]] Vec3 operator()(const Vec3& own) const noexcept { return axes * own + position; }

  glm::dmat3 axes;  ///< axes of b in the frame of a
  Vec3 position;
  /// Metres: far more than rounding can move a point of either body. Volumes count as apart only if
  /// they are farther apart than this.
  Real slack;
};

/// All points within `radius` of a rectangle about `centre` along the first two axes.
struct SweptVolume {
  using Motion = VolumeMotion;
  glm::dmat3 axes{1.0};  ///< columns, unit vectors; the last one is the normal
  Vec3 centre{0.0};
  Real half[2] = {0.0, 0.0};
  Real radius = 0.0;

  [[nodiscard]] Sphere enclosing() const noexcept;
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept;

 protected:
  /// Returns a volume whose core has `sides` sides of nonzero length. The core is fitted first,
  /// then the radius grows until every point is inside (erratum E17).
  [[nodiscard]] static SweptVolume around(std::span<const Vec3> points, int sides);
};

struct SweptPoint : SweptVolume {
  [[nodiscard]] static SweptPoint around(std::span<const Vec3> points) {
    return {SweptVolume::around(points, 0)};
  }
};
struct SweptSegment : SweptVolume {
  [[nodiscard]] static SweptSegment around(std::span<const Vec3> points) {
    return {SweptVolume::around(points, 1)};
  }
};
struct SweptRectangle : SweptVolume {
  [[nodiscard]] static SweptRectangle around(std::span<const Vec3> points) {
    return {SweptVolume::around(points, 2)};
  }
};

/// Returns the eigenvectors of a covariance, a symmetric matrix, as columns, largest spread first.
/// Returns the frame's axes if there is no spread, or none that is finite.
[[nodiscard]] glm::dmat3 axesOfSpread(const glm::dmat3& covariance);
/// As axesOfSpread() for points of equal weight.
[[nodiscard]] glm::dmat3 principalAxes(std::span<const Vec3> points);

/// Returns true if an axis separates the two: normals, sides, cross products of sides, or the line
/// of centres. One test covers all kinds, because segments and points are degenerate rectangles. If
/// the nearest points are corners, the true distance may exceed what any of these axes shows.
[[nodiscard]] bool apart(const SweptVolume& a, const SweptVolume& b,
                         const VolumeMotion& motion) noexcept;

/// Returns the widest gap along any of these axes, or one of at least `enough`, metres. No two
/// points of the volumes are nearer.
[[nodiscard]] Real gapBetween(const SweptVolume& a, const SweptVolume& b,
                              const VolumeMotion& motion, Real enough) noexcept;

}  // namespace nearmiss
