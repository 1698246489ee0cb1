// SPDX-License-Identifier: MIT
#include "exact/exact_tests.h"

#include <algorithm>
#include <optional>

#include "exact/orientation.h"

namespace nearmiss {
namespace {

bool inBoxOf(const Vec3& point, const Vec3& p, const Vec3& q) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const auto [low, high] = std::minmax(p[axis], q[axis]);
    if (point[axis] < low || point[axis] > high) return false;
  }
  return true;
}

/// A coordinate plane on which the triangle keeps an area; none if it has none.
std::optional<Projection> projectionKeeping(const Vec3& a, const Vec3& b, const Vec3& c) noexcept {
  for (const Projection projection : projections)
    if (orientation2d(projection, a, b, c) != 0) return projection;
  return std::nullopt;
}

/// @pre The triangle keeps an area on `projection`, and `point` lies in its plane.
bool coplanarPointInTriangle(Projection projection, const Vec3& point, const Triangle& t) noexcept {
  const int first = orientation2d(projection, t[0], t[1], point);
  const int second = orientation2d(projection, t[1], t[2], point);
  const int third = orientation2d(projection, t[2], t[0], point);
  const bool anyLeft = first > 0 || second > 0 || third > 0;
  const bool anyRight = first < 0 || second < 0 || third < 0;
  return !(anyLeft && anyRight);
}

/// @pre The four points lie in one plane that `projection` does not flatten to a line, or on one
/// line.
bool coplanarSegmentsMeet(Projection projection, const Vec3& p, const Vec3& q, const Vec3& r,
                          const Vec3& s) noexcept {
  const int rSide = orientation2d(projection, p, q, r);
  const int sSide = orientation2d(projection, p, q, s);
  const int pSide = orientation2d(projection, r, s, p);
  const int qSide = orientation2d(projection, r, s, q);
  if (rSide * sSide < 0 && pSide * qSide < 0) return true;
  // Otherwise they meet only where an end of one lies on the other
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
  return pointOnSegment(point, t[0], t[1]) || pointOnSegment(point, t[1], t[2]) ||
         pointOnSegment(point, t[2], t[0]);
}

bool segmentsMeet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept {
  if (orientation(p, q, r, s) != 0) return false;
  // Any three of the four that are not on one line give a projection of the plane
  for (const auto& [a, b, c] : {std::array{p, q, r}, {p, q, s}, {p, r, s}, {q, r, s}})
    if (const auto projection = projectionKeeping(a, b, c))
      return coplanarSegmentsMeet(*projection, p, q, r, s);
  return coplanarSegmentsMeet(Projection::AlongX, p, q, r, s);
}

bool segmentMeetsTriangle(const Vec3& p, const Vec3& q, const Triangle& t) noexcept {
  // Without area, a triangle is the union of its edges
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

  // The segment's line crosses the plane in one point; is it on one side of all edges?
  const int first = orientation(p, q, t[0], t[1]);
  const int second = orientation(p, q, t[1], t[2]);
  const int third = orientation(p, q, t[2], t[0]);
  const bool anyLeft = first > 0 || second > 0 || third > 0;
  const bool anyRight = first < 0 || second < 0 || third < 0;
  return !(anyLeft && anyRight);
}

}  // namespace nearmiss
