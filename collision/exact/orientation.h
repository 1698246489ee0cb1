// SPDX-License-Identifier: MIT
/// Signs of areas and volumes, decided exactly: all exact tests are based on them.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/triangle_intersection.h>

#include <cmath>

namespace nearmiss {

/// The coordinate planes, named by the axis that is left out.
enum class Projection { AlongX, AlongY, AlongZ };
inline constexpr Projection projections[] = {Projection::AlongX, Projection::AlongY,
                                             Projection::AlongZ};

/// The sign of the area of a, b, c, projected: positive for a counter-clockwise turn as seen
/// against the axis that is left out.
[[nodiscard]] int orientation2d(Projection projection, const Vec3& a, const Vec3& b,
                                const Vec3& c) noexcept;

/// Whether three points lie on one line; equal points do.
[[nodiscard]] bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) noexcept;

/// The plane of a triangle, prepared for the side of many points: the filter's normal is computed
/// once. The triangle must outlive it.
class TrianglePlane {
 public:
  explicit TrianglePlane(const Triangle& triangle) noexcept;

  /// orientation() of the triangle's corners and `point`.
  [[nodiscard]] int side(const Vec3& point) const noexcept {
    const Vec3 w = point - corners_[0];
    const Real volume = w.x * normal_.x + w.y * normal_.y + w.z * normal_.z;
    const Real size =
        std::fabs(w.x) * size_.x + std::fabs(w.y) * size_.y + std::fabs(w.z) * size_.z;
    const Real error = filterError * size;
    if (volume > error) return -1;
    if (volume < -error) return 1;
    return orientation(corners_[0], corners_[1], corners_[2], point);
  }

  /// (7 + 56 e) e with e = 2^-53: bounds the error of a volume by its terms' sizes [S97].
  static constexpr Real filterError = 7.771561172376103e-16;

 private:
  const Triangle& corners_;
  Vec3 normal_;
  Vec3 size_;  ///< the same sums with every product taken positive
};

}  // namespace nearmiss
