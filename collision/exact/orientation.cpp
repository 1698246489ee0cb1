// SPDX-License-Identifier: MIT
#include "exact/orientation.h"

#include <cmath>

#include "exact/exact_arithmetic.h"

namespace nearmiss {
namespace {

using exact::difference;
using exact::Expansion;

/// (3 + 16 e) e with e = 2^-53 [S97].
constexpr Real areaFilterError = 3.3306690738754716e-16;

int exactOrientation2d(Real ax, Real ay, Real bx, Real by, Real cx, Real cy) noexcept {
  const auto left = difference(ax, cx) * difference(by, cy);
  const auto right = difference(ay, cy) * difference(bx, cx);
  return (left - right).sign();
}

/// det[u; v; w] with u = a - d and so on, by minors of the x and y columns.
int exactOrientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  const auto ux = difference(a.x, d.x), uy = difference(a.y, d.y), uz = difference(a.z, d.z);
  const auto vx = difference(b.x, d.x), vy = difference(b.y, d.y), vz = difference(b.z, d.z);
  const auto wx = difference(c.x, d.x), wy = difference(c.y, d.y), wz = difference(c.z, d.z);
  const auto vw = vx * wy - vy * wx;
  const auto wu = wx * uy - wy * ux;
  const auto uv = ux * vy - uy * vx;
  return (vw * uz + wu * vz + uv * wz).sign();
}

}  // namespace

int orientation(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  // Filter: the determinant in doubles, and a bound of its error from the sizes of its terms
  const Vec3 u = a - d;
  const Vec3 v = b - d;
  const Vec3 w = c - d;
  const Real vxwy = v.x * w.y, vywx = v.y * w.x;
  const Real wxuy = w.x * u.y, wyux = w.y * u.x;
  const Real uxvy = u.x * v.y, uyvx = u.y * v.x;
  const Real volume = u.z * (vxwy - vywx) + v.z * (wxuy - wyux) + w.z * (uxvy - uyvx);
  const Real size = (std::fabs(vxwy) + std::fabs(vywx)) * std::fabs(u.z) +
                    (std::fabs(wxuy) + std::fabs(wyux)) * std::fabs(v.z) +
                    (std::fabs(uxvy) + std::fabs(uyvx)) * std::fabs(w.z);
  const Real error = TrianglePlane::filterError * size;
  if (volume > error) return 1;
  if (volume < -error) return -1;
  // Terms that all vanish vanish exactly: touching corners and axis-parallel faces end here
  if (size == 0.0) return 0;
  return exactOrientation(a, b, c, d);
}

int orientation2d(Projection projection, const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  // The two axes that follow the one left out, so that the turn is seen against it
  const int x = (static_cast<int>(projection) + 1) % 3;
  const int y = (static_cast<int>(projection) + 2) % 3;
  const Real left = (a[x] - c[x]) * (b[y] - c[y]);
  const Real right = (a[y] - c[y]) * (b[x] - c[x]);
  const Real area = left - right;
  const Real error = areaFilterError * (std::fabs(left) + std::fabs(right));
  if (area > error) return 1;
  if (area < -error) return -1;
  if (left == 0.0 && right == 0.0) return 0;
  return exactOrientation2d(a[x], a[y], b[x], b[y], c[x], c[y]);
}

bool collinear(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  for (const Projection projection : projections)
    if (orientation2d(projection, a, b, c) != 0) return false;
  return true;
}

TrianglePlane::TrianglePlane(const Triangle& triangle) noexcept : corners_(triangle) {
  const Vec3 u = triangle[1] - triangle[0];
  const Vec3 v = triangle[2] - triangle[0];
  normal_ = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
  size_ = {std::fabs(u.y * v.z) + std::fabs(u.z * v.y), std::fabs(u.z * v.x) + std::fabs(u.x * v.z),
           std::fabs(u.x * v.y) + std::fabs(u.y * v.x)};
}

}  // namespace nearmiss
