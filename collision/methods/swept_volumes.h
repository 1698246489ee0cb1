// SPDX-License-Identifier: MIT
/// Balls swept over a point, a segment or a rectangle as nodes of a hierarchy of volumes [LGL99],
/// and how the volumes of one body lie in the frame of another.
#pragma once

#include <nearmiss/math.h>

#include <glm/gtc/quaternion.hpp>
#include <glm/mat3x3.hpp>

#include <span>

namespace nearmiss {

/// From the frame of b to that of a.
struct VolumeMotion {
  VolumeMotion(const Pose& bToA, Real doubt) noexcept
      : axes(glm::mat3_cast(bToA.rotation)), position(bToA.position), slack(doubt) {}

  [[nodiscard]] Vec3 operator()(const Vec3& own) const noexcept { return axes * own + position; }

  glm::dmat3 axes;  ///< b's, in the frame of a
  Vec3 position;
  /// Metres: far more than rounding can move a point of either body. Only what is farther apart is
  /// called so.
  Real slack;
};

/// All points within `radius` of a rectangle about `centre`, along the first two axes.
struct SweptVolume {
  using Motion = VolumeMotion;
  glm::dmat3 axes{1.0};  ///< columns, unit vectors; the last is the normal
  Vec3 centre{0.0};
  Real half[2] = {0.0, 0.0};
  Real radius = 0.0;

  [[nodiscard]] Sphere enclosing() const noexcept;
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept;

 protected:
  /// With `sides` sides that have a length. The core is fitted first, then the radius grows until
  /// every point is inside (erratum E17).
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

/// The eigenvectors of a covariance, a symmetric matrix, as columns, the largest spread first;
/// those of the frame where there is no spread, or none that is finite.
[[nodiscard]] glm::dmat3 axesOfSpread(const glm::dmat3& covariance);
/// The same of points, of which each weighs the same.
[[nodiscard]] glm::dmat3 principalAxes(std::span<const Vec3> points);

/// True if an axis separates the two: normals, sides, products of sides, and the line of centres.
/// One test for all, since segments and points are rectangles without width. Corners that are
/// nearest to each other may be farther apart than any of these axes shows.
[[nodiscard]] bool apart(const SweptVolume& a, const SweptVolume& b,
                         const VolumeMotion& motion) noexcept;

/// Metres: the widest gap along any of these axes, or one that is at least `enough`. No two points
/// of the two are nearer.
[[nodiscard]] Real gapBetween(const SweptVolume& a, const SweptVolume& b,
                              const VolumeMotion& motion, Real enough) noexcept;

}  // namespace nearmiss
