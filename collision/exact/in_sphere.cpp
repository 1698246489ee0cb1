// SPDX-License-Identifier: MIT
#include "exact/in_sphere.h"

#include <cmath>

#include "exact/exact_arithmetic.h"

namespace nearmiss {
namespace {

using exact::difference;
using exact::Expansion;

/// (16 + 224 e) e with e = 2^-53 [S97].
constexpr Real filterError = 1.7763568394002532e-15;

/// The exact difference of two points.
struct Edge {
  Edge(const Vec3& to, const Vec3& from) noexcept
      : x(difference(to.x, from.x)), y(difference(to.y, from.y)), z(difference(to.z, from.z)) {}
  Expansion<2> x, y, z;
};

/// One coordinate of u x v, or the area of two edges seen along an axis.
Expansion<16> minor(const Expansion<2>& ux, const Expansion<2>& uy, const Expansion<2>& vx,
                    const Expansion<2>& vy) noexcept {
  return ux * vy - uy * vx;
}

Expansion<192> volume(const Edge& u, const Edge& v, const Edge& w) noexcept {
  return minor(v.x, v.y, w.x, w.y) * u.z + minor(w.x, w.y, u.x, u.y) * v.z +
         minor(u.x, u.y, v.x, v.y) * w.z;
}

/// |u|^2 f.
template <std::size_t m>
Expansion<48 * m> timesSquare(const Expansion<m>& f, const Edge& u) noexcept {
  return f * u.x * u.x + f * u.y * u.y + f * u.z * u.z;
}

int exactInSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                  const Vec3& e) noexcept {
  const Edge u(a, e), v(b, e), w(c, e), x(d, e);
  const auto first = timesSquare(volume(u, v, w), x) - timesSquare(volume(x, u, v), w);
  const auto second = timesSquare(volume(w, x, u), v) - timesSquare(volume(v, w, x), u);
  return (first + second).sign();
}

}  // namespace

int inSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& e) noexcept {
  // Filter: the determinant in doubles, and a bound of its error from the sizes of its terms
  const Vec3 u = a - e, v = b - e, w = c - e, x = d - e;
  const Real uxvy = u.x * v.y, vxuy = v.x * u.y, vxwy = v.x * w.y, wxvy = w.x * v.y;
  const Real wxxy = w.x * x.y, xxwy = x.x * w.y, xxuy = x.x * u.y, uxxy = u.x * x.y;
  const Real uxwy = u.x * w.y, wxuy = w.x * u.y, vxxy = v.x * x.y, xxvy = x.x * v.y;
  const Real uv = uxvy - vxuy, vw = vxwy - wxvy, wx = wxxy - xxwy, xu = xxuy - uxxy;
  const Real uw = uxwy - wxuy, vx = vxxy - xxvy;
  const Real uvw = u.z * vw - v.z * uw + w.z * uv, vwx = v.z * wx - w.z * vx + x.z * vw;
  const Real wxu = w.z * xu + x.z * uw + u.z * wx, xuv = x.z * uv + u.z * vx + v.z * xu;
  const Real uu = u.x * u.x + u.y * u.y + u.z * u.z, vv = v.x * v.x + v.y * v.y + v.z * v.z;
  const Real ww = w.x * w.x + w.y * w.y + w.z * w.z, xx = x.x * x.x + x.y * x.y + x.z * x.z;
  const Real determinant = (xx * uvw - ww * xuv) + (vv * wxu - uu * vwx);
  const auto size = [](Real p, Real q) { return std::fabs(p) + std::fabs(q); };
  const Real uz = std::fabs(u.z), vz = std::fabs(v.z), wz = std::fabs(w.z), xz = std::fabs(x.z);
  const Real suv = size(uxvy, vxuy), svw = size(vxwy, wxvy), swx = size(wxxy, xxwy);
  const Real sxu = size(xxuy, uxxy), suw = size(uxwy, wxuy), svx = size(vxxy, xxvy);
  const Real error =
      filterError * ((swx * vz + svx * wz + svw * xz) * uu + (sxu * wz + suw * xz + swx * uz) * vv +
                     (suv * xz + svx * uz + sxu * vz) * ww + (svw * uz + suw * vz + suv * wz) * xx);
  if (determinant > error) return 1;
  if (determinant < -error) return -1;
  return exactInSphere(a, b, c, d, e);
}

Vec3 exactCircumcentre(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) noexcept {
  // With the edges from a: (|u|^2 v x w + |v|^2 w x u + |w|^2 u x v) / (2 u . (v x w))
  const Edge u(b, a), v(c, a), w(d, a);
  const auto along = [&](Expansion<2> Edge::*p, Expansion<2> Edge::*q) {
    return timesSquare(minor(v.*p, v.*q, w.*p, w.*q), u) +
           timesSquare(minor(w.*p, w.*q, u.*p, u.*q), v) +
           timesSquare(minor(u.*p, u.*q, v.*p, v.*q), w);
  };
  const Real twice = 2.0 * volume(u, v, w).estimate();
  return a + Vec3(along(&Edge::y, &Edge::z).estimate() / twice,
                  along(&Edge::z, &Edge::x).estimate() / twice,
                  along(&Edge::x, &Edge::y).estimate() / twice);
}

}  // namespace nearmiss
