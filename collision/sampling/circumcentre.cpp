// SPDX-License-Identifier: MIT
#include "sampling/circumcentre.h"

#include <Eigen/Core>
#include <Eigen/LU>

#include <cmath>

namespace nearmiss {
namespace {

/// Of the volume that unit vectors span: less is taken for none.
constexpr Real flat = 1e-12;

/// The point x relative to `origin` with dot(row, x) = right for each of three unit rows.
std::optional<Vec3> solved(const Eigen::Matrix3d& rows, const Eigen::Vector3d& right,
                           const Vec3& origin) noexcept {
  Eigen::Matrix3d inverse;
  Real volume = 0.0;
  bool invertible = false;
  rows.computeInverseAndDetWithCheck(inverse, volume, invertible, flat);
  if (!invertible) return {};
  const Eigen::Vector3d x = inverse * right;
  return origin + Vec3(x[0], x[1], x[2]);
}

Eigen::RowVector3d rowOf(const Vec3& v) noexcept { return {v.x, v.y, v.z}; }

}  // namespace

// On the plane midway between the first point and another, x . u = |u| / 2 for the unit vector u
// from one to the other. Unit rows make the determinant a measure of shape alone.

std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  const Vec3 ab = b - a, ac = c - a;
  const Vec3 normal = glm::cross(ab, ac);
  const Real height = glm::length(normal), u = glm::length(ab), v = glm::length(ac);
  if (!(height > flat * u * v)) return {};
  Eigen::Matrix3d rows;
  rows << rowOf(ab / u), rowOf(ac / v), rowOf(normal / height);
  return solved(rows, {0.5 * u, 0.5 * v, 0.0}, a);
}

std::optional<Vec3> circumcentre(const Vec3& a, const Vec3& b, const Vec3& c,
                                 const Vec3& d) noexcept {
  const Vec3 ab = b - a, ac = c - a, ad = d - a;
  const Real u = glm::length(ab), v = glm::length(ac), w = glm::length(ad);
  if (!(u > 0.0 && v > 0.0 && w > 0.0)) return {};
  Eigen::Matrix3d rows;
  rows << rowOf(ab / u), rowOf(ac / v), rowOf(ad / w);
  return solved(rows, {0.5 * u, 0.5 * v, 0.5 * w}, a);
}

}  // namespace nearmiss
