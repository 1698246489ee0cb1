// SPDX-License-Identifier: MIT
/// Exact predicates: signs of areas and volumes, the in-sphere test, and tests of points and
/// segments against triangles.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/math.h>
#include <nearmiss/mesh.h>

#include <cmath>
#include <vector>

namespace nearmiss {

/// The coordinate planes, named by the axis that is omitted.
enum class Projection { AlongX, AlongY, AlongZ };
inline constexpr Projection projections[] = {Projection::AlongX, Projection::AlongY,
                                             Projection::AlongZ};

/// Returns the sign of the area of the projection of a, b, c: positive for a counter-clockwise turn
/// as seen against the omitted axis.
[[nodiscard]] int orientation2d(Projection projection, const Vec3& a, const Vec3& b,
                                const Vec3& c) noexcept;

/// Returns true if three points are collinear; equal points are.
[[nodiscard]] bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) noexcept;

/// The plane of a triangle, prepared for side tests of many points: the filter's normal is computed
/// once. The triangle must outlive it.
class TrianglePlane {
 public:
  explicit TrianglePlane(const Triangle& triangle) noexcept;

  /// Returns orientation() of the triangle's corners and `point`.
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

  /// (7 + 56 e) e with e = 2^-53: bounds the error of a volume relative to the sizes of its terms
  /// [S97].
  static constexpr Real filterError = 7.771561172376103e-16;

 private:
  const Triangle& corners_;
  Vec3 normal_;
  Vec3 size_;  ///< the same sums with the absolute values of all products
};

/// The in-sphere test of Delaunay triangulations. For four points with a positive orientation(),
/// returns 1 if `e` lies inside the sphere through the others, 0 on it, and -1 outside. The sign is
/// inverted if the orientation is negative. Exact as long as nothing overflows or underflows.
[[nodiscard]] int inSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                           const Vec3& e) noexcept;

/// Returns the centre of the sphere through four points, accurate to a few ulps of its distance
/// from `a` even if the points are nearly coplanar.
/// @pre orientation(a, b, c, d) is not 0
[[nodiscard]] Vec3 exactCircumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                     const Vec3& d) noexcept;

/// The volume enclosed by a closed surface, summed exactly over its triangles.
class ExactVolume {
 public:
  void add(const Triangle& triangle);
  /// Returns six times the volume with an error of at most an ulp or two, so that the sign is
  /// exact: positive for a surface that faces outwards.
  [[nodiscard]] Real sixfold() const noexcept;

 private:
  void add(Real term);
  std::vector<Real> terms_;  ///< terms of an expansion
};

/// In these functions, all sets are closed: touching counts. A segment without length, or a
/// triangle without area, is treated as the point or segment to which it degenerates.
[[nodiscard]] bool pointOnSegment(const Vec3& point, const Vec3& p, const Vec3& q) noexcept;
[[nodiscard]] bool pointInTriangle(const Vec3& point, const Triangle& triangle) noexcept;
[[nodiscard]] bool segmentsMeet(const Vec3& p, const Vec3& q, const Vec3& r,
                                const Vec3& s) noexcept;
[[nodiscard]] bool segmentMeetsTriangle(const Vec3& p, const Vec3& q,
                                        const Triangle& triangle) noexcept;

}  // namespace nearmiss
