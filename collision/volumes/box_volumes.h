// SPDX-License-Identifier: MIT
/// Boxes as nodes of a hierarchy of volumes: along the axes of the body, or turned to fit.
#pragma once

#include <nearmiss/math.h>

#include <span>

#include "volumes/volume_motion.h"

namespace nearmiss {

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

/// Along the eigenvectors of the points' covariance [GLM96].
struct TurnedBoxVolume {
  using Motion = VolumeMotion;
  glm::dmat3 axes{1.0};  ///< columns, unit vectors
  Vec3 centre{0.0}, half{0.0};

  [[nodiscard]] static TurnedBoxVolume around(std::span<const Vec3> points);
  [[nodiscard]] Sphere enclosing() const noexcept { return {centre, glm::length(half)}; }
  [[nodiscard]] Real reachFrom(const Vec3& point) const noexcept {
    return glm::length(glm::abs((point - centre) * axes) + half);
  }
  friend bool apart(const TurnedBoxVolume& a, const TurnedBoxVolume& b,
                    const VolumeMotion& motion) noexcept;
};

/// The eigenvectors of the points' covariance as columns, the largest spread first.
[[nodiscard]] glm::dmat3 principalAxes(std::span<const Vec3> points);

/// Whether one of the fifteen axes of faces and of pairs of edges separates two boxes by more than
/// `slack`: a box about the origin, along its own axes, and another at `centre` along the columns
/// of `axes`. Edges that are nearly parallel separate nothing: each entry of `axes` is taken for a
/// little more than it is (erratum E9).
[[nodiscard]] bool boxesApart(const Vec3& halfA, const Vec3& halfB, const glm::dmat3& axes,
                              const Vec3& centre, Real slack) noexcept;

}  // namespace nearmiss
