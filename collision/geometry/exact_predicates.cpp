// SPDX-License-Identifier: MIT
#include "geometry/exact_predicates.h"

#include <nearmiss/mesh.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "geometry/exact_arithmetic.h"

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

/// Sign of det[u; v; w] with u = a - d and so on, by minors of the x and y columns.
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
  // Filter: the determinant in doubles, and an error bound from the sizes of its terms
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
  // If all terms are zero, so is the exact result. This handles touching corners and axis-parallel
  // faces
  if (size == 0.0) return 0;
  return exactOrientation(a, b, c, d);
}

int orientation2d(Projection projection, const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  // The two axes that follow the omitted one cyclically, so that the turn is as seen against it
  const int x = (static_cast<int>(projection) + 1) % 3;
  const int y = (static_cast<int>(projection) + 2) % 3;
  const Real left = (a[x] - c[x]) * (b[y] - c[y]);
  const Real right = (a[y] - c[y]) * (b[x] - c[x]);
  const Real area = left - right;
  const Real error = areaFilterError * (std::fabs(left) + std::fabs(right));
  if (area > error) return 1;
  if (area < -error) return -1;
  // The other product is 0 as well, otherwise the filter would have decided
  if (left == 0.0) return 0;
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

namespace {

using exact::difference;
using exact::Expansion;

/// (16 + 224 e) e with e = 2^-53 [S97].
constexpr Real filterError = 1.7763568394002532e-15;

/// The exact difference of two points.
struct ExactEdge {
  ExactEdge(const Vec3& to, const Vec3& from) noexcept
      : x(difference(to.x, from.x)), y(difference(to.y, from.y)), z(difference(to.z, from.z)) {}
  Expansion<2> x, y, z;
};

/// One coordinate of u x v, or the signed area of two edges projected along an axis.
Expansion<16> minor(const Expansion<2>& ux, const Expansion<2>& uy, const Expansion<2>& vx,
                    const Expansion<2>& vy) noexcept {
  return ux * vy - uy * vx;
}

Expansion<192> volume(const ExactEdge& u, const ExactEdge& v, const ExactEdge& w) noexcept {
  return minor(v.x, v.y, w.x, w.y) * u.z + minor(w.x, w.y, u.x, u.y) * v.z +
         minor(u.x, u.y, v.x, v.y) * w.z;
}

/// The product |u|^2 f.
template <std::size_t m>
Expansion<48 * m> timesSquare(const Expansion<m>& f, const ExactEdge& u) noexcept {
  return f * u.x * u.x + f * u.y * u.y + f * u.z * u.z;
}

int exactInSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d,
                  const Vec3& e) noexcept {
  const ExactEdge u(a, e), v(b, e), w(c, e), x(d, e);
  const auto first = timesSquare(volume(u, v, w), x) - timesSquare(volume(x, u, v), w);
  const auto second = timesSquare(volume(w, x, u), v) - timesSquare(volume(v, w, x), u);
  return (first + second).sign();
}

}  // namespace

int inSphere(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, const Vec3& e) noexcept {
  // Filter: the determinant in doubles, and an error bound from the sizes of its terms
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
  const ExactEdge u(b, a), v(c, a), w(d, a);
  const auto along = [&](Expansion<2> ExactEdge::*p, Expansion<2> ExactEdge::*q) {
    return timesSquare(minor(v.*p, v.*q, w.*p, w.*q), u) +
           timesSquare(minor(w.*p, w.*q, u.*p, u.*q), v) +
           timesSquare(minor(u.*p, u.*q, v.*p, v.*q), w);
  };
  const Real twice = 2.0 * volume(u, v, w).estimate();
  return a + Vec3(along(&ExactEdge::y, &ExactEdge::z).estimate() / twice,
                  along(&ExactEdge::z, &ExactEdge::x).estimate() / twice,
                  along(&ExactEdge::x, &ExactEdge::y).estimate() / twice);
}

void ExactVolume::add(const Triangle& t) {
  // About the origin, so that no corner has to be subtracted
  const auto across = [](Real ux, Real uy, Real vx, Real vy) {
    return Expansion<2>(exact::twoProduct(ux, vy)) - Expansion<2>(exact::twoProduct(uy, vx));
  };
  const auto& [a, b, c] = t;
  const auto volume = across(b.x, b.y, c.x, c.y) * a.z + across(c.x, c.y, a.x, a.y) * b.z +
                      across(a.x, a.y, b.x, b.y) * c.z;
  for (std::size_t i = 0; i < volume.size(); ++i) add(volume[i]);
}

/// Adds one term and propagates it through all others [S97, Fig. 6].
void ExactVolume::add(Real term) {
  std::size_t kept = 0;
  for (const Real other : terms_) {
    const exact::TwoTerms sum = exact::twoSum(term, other);
    if (sum.tail != 0.0) terms_[kept++] = sum.tail;
    term = sum.head;
  }
  terms_.resize(kept);
  if (term != 0.0) terms_.push_back(term);
}

Real ExactVolume::sixfold() const noexcept {
  Real sum = 0.0;
  for (const Real term : terms_) sum += term;
  return sum;
}

namespace {

bool inBoxOf(const Vec3& point, const Vec3& p, const Vec3& q) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax(p[axis], q[axis]);
    if (point[axis] < low || point[axis] > high) return false;
  }
  return true;
}

/// Returns a coordinate plane in which the projection of the triangle has an area; none if the
/// triangle has no area.
std::optional<Projection> projectionKeeping(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  for (const Projection projection : projections)
    if (orientation2d(projection, a, b, c) != 0) return projection;
  return std::nullopt;
}

/// Returns true if no two of three signs are opposite.
bool onOneSide(int first, int second, int third) noexcept {
  return !((first > 0 || second > 0 || third > 0) && (first < 0 || second < 0 || third < 0));
}

/// @pre the projection of the triangle along `projection` has an area, and `point` lies in its
/// plane
bool coplanarPointInTriangle(Projection projection, const Vec3& point, const Triangle& t) noexcept {
  const int first = orientation2d(projection, t[0], t[1], point);
  const int second = orientation2d(projection, t[1], t[2], point);
  const int third = orientation2d(projection, t[2], t[0], point);
  return onOneSide(first, second, third);
}

/// @pre the four points lie on a line, or in a plane that `projection` does not flatten to a line
bool coplanarSegmentsMeet(Projection projection, const Vec3& p, const Vec3& q, const Vec3& r,
                          const Vec3& s) noexcept {
  const int rSide = orientation2d(projection, p, q, r);
  const int sSide = orientation2d(projection, p, q, s);
  const int pSide = orientation2d(projection, r, s, p);
  const int qSide = orientation2d(projection, r, s, q);
  if (rSide * sSide < 0 && pSide * qSide < 0) return true;
  // Otherwise they meet only if an end of one lies on the other
  return (rSide == 0 && inBoxOf(r, p, q)) || (sSide == 0 && inBoxOf(s, p, q)) ||
         (pSide == 0 && inBoxOf(p, r, s)) || (qSide == 0 && inBoxOf(q, r, s));
}

}  // namespace

bool pointOnSegment(const Vec3& point, const Vec3& p, const Vec3& q) noexcept {
  return inBoxOf(point, p, q) && collinear(p, q, point);
}

bool pointInTriangle(const Vec3& point, const Triangle& t) noexcept {
  if (TrianglePlane(t).side(point) != 0) return false;
  if (const auto projection = projectionKeeping(t[0], t[1], t[2]))
    return coplanarPointInTriangle(*projection, point, t);
  // If three corners are collinear, two of the edges cover the third
  return pointOnSegment(point, t[0], t[1]) || pointOnSegment(point, t[1], t[2]);
}

bool segmentsMeet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept {
  if (orientation(p, q, r, s) != 0) return false;
  // Any three of the four points that are not collinear give a projection of the plane
  for (const auto& [a, b, c] : {std::array{p, q, r}, {p, q, s}, {p, r, s}, {q, r, s}})
    if (const auto projection = projectionKeeping(a, b, c))
      return coplanarSegmentsMeet(*projection, p, q, r, s);
  return coplanarSegmentsMeet(Projection::AlongX, p, q, r, s);
}

bool segmentMeetsTriangle(const Vec3& p, const Vec3& q, const Triangle& t) noexcept {
  // A triangle without area is the union of its edges
  const auto meetsEdge = [&] {
    return segmentsMeet(p, q, t[0], t[1]) || segmentsMeet(p, q, t[1], t[2]) ||
           segmentsMeet(p, q, t[2], t[0]);
  };
  const auto projection = projectionKeeping(t[0], t[1], t[2]);
  if (!projection) return meetsEdge();

  const TrianglePlane plane(t);
  const int pSide = plane.side(p);
  const int qSide = plane.side(q);
  if (pSide == 0 && qSide == 0) return coplanarPointInTriangle(*projection, p, t) || meetsEdge();
  if (pSide == qSide) return false;

  // The segment's line intersects the plane in one point; test whether it is on one side of all
  // edges
  const int first = orientation(p, q, t[0], t[1]);
  const int second = orientation(p, q, t[1], t[2]);
  const int third = orientation(p, q, t[2], t[0]);
  return onOneSide(first, second, third);
}

namespace {

/// The sides of a plane on which the three corners of a triangle lie.
struct Sides {
  std::array<int, 3> of;
  [[nodiscard]] bool allOnOne() const noexcept {
    return of[0] != 0 && of[0] == of[1] && of[0] == of[2];
  }
  [[nodiscard]] bool allOnPlane() const noexcept { return (of[0] | of[1] | of[2]) == 0; }
};

Sides sidesOf(const TrianglePlane& plane, const Triangle& t) noexcept {
  return {{plane.side(t[0]), plane.side(t[1]), plane.side(t[2])}};
}

/// A triangle relative to the plane of another one that it crosses or touches: the apex and the
/// other two corners. Both edges from the apex start or end on the plane or cross it.
struct Crossing {
  Vec3 apex, left, right;
  int apexSide;  ///< +1 or -1; the other two corners are on the plane or on the opposite side
};

/// @pre the corners are neither all on one side nor all on the plane
Crossing crossing(const Triangle& t, const Sides& sides) noexcept {
  const auto& s = sides.of;
  const auto turned = [&t](int i, int side) {
    return Crossing{t[i], t[(i + 1) % 3], t[(i + 2) % 3], side};
  };
  for (int i = 0; i < 3; ++i)
    if (s[i] != 0 && s[(i + 1) % 3] != s[i] && s[(i + 2) % 3] != s[i]) return turned(i, s[i]);
  // One corner touches the plane and two are on one side: the touching corner becomes the apex, as
  // if on the other side
  const int touching = s[0] == 0 ? 0 : s[1] == 0 ? 1 : 2;
  return turned(touching, -s[(touching + 1) % 3]);
}

/// Both triangles intersect the common line of their planes in a segment. Returns whether these
/// segments overlap, from four orientations [GD03].
bool segmentsOnCommonLineOverlap(Crossing a, Crossing b) noexcept {
  // With a's apex above b's plane and b's apex in front of the line, the line runs from left to
  // right
  if (a.apexSide > 0) std::swap(b.left, b.right);
  if (b.apexSide < 0) std::swap(a.left, a.right);
  return orientation(a.apex, a.left, b.apex, b.right) <= 0 &&
         orientation(a.apex, a.right, b.apex, b.left) >= 0;
}

}  // namespace

bool trianglesMeet(const Triangle& a, const Triangle& b) noexcept {
  // Reject by the planes
  const TrianglePlane planeB(b);
  const Sides aSides = sidesOf(planeB, a);
  if (aSides.allOnOne()) return false;
  const TrianglePlane planeA(a);
  const Sides bSides = sidesOf(planeA, b);
  if (bSides.allOnOne()) return false;

  // If they are coplanar, or one has no area, two closed triangles meet iff an edge of one meets
  // the other
  if (aSides.allOnPlane() || bSides.allOnPlane()) {
    for (int i = 0; i < 3; ++i)
      if (segmentMeetsTriangle(a[i], a[(i + 1) % 3], b) ||
          segmentMeetsTriangle(b[i], b[(i + 1) % 3], a))
        return true;
    return false;
  }
  return segmentsOnCommonLineOverlap(crossing(a, aSides), crossing(b, bSides));
}

}  // namespace nearmiss
