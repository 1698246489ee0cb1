// SPDX-License-Identifier: MIT
#include "geometry/closest_points.h"

#include <algorithm>
#include <cmath>

namespace nearmiss {
namespace {

Vec3 closestOnSegment(const Vec3& point, const Vec3& p, const Vec3& q) noexcept {
  const Vec3 along = q - p;
  const Real length = glm::dot(along, along);
  if (length == 0.0) return p;
  return p + along * std::clamp(glm::dot(point - p, along) / length, 0.0, 1.0);
}

Vec3 closestOnEdges(const Vec3& point, const Triangle& t) noexcept {
  Vec3 nearest = closestOnSegment(point, t[0], t[1]);
  for (const Vec3& other :
       {closestOnSegment(point, t[1], t[2]), closestOnSegment(point, t[2], t[0])})
    if (squaredDistance(point, other) < squaredDistance(point, nearest)) nearest = other;
  return nearest;
}

/// Rotates the corners so that the one opposite the longest edge comes first.
Triangle fromOppositeOfLongest(const Triangle& t) noexcept {
  const Real ab = squaredDistance(t[0], t[1]), bc = squaredDistance(t[1], t[2]),
             ca = squaredDistance(t[2], t[0]);
  if (bc >= ab && bc >= ca) return t;
  return ca >= ab ? Triangle{t[1], t[2], t[0]} : Triangle{t[2], t[0], t[1]};
}

/// The nearest points of two segments include an end of one of them, or are the feet of the common
/// perpendicular. The feet only add candidates, so near-parallel segments do no harm. Uses the
/// cross product: for segments that cross at an angle of 1e-8, products of lengths lose all digits,
/// and the ends alone are too far apart.
Real squaredSegmentDistance(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s) noexcept {
  Real least = std::min(std::min(squaredDistance(p, closestOnSegment(p, r, s)),
                                 squaredDistance(q, closestOnSegment(q, r, s))),
                        std::min(squaredDistance(r, closestOnSegment(r, p, q)),
                                 squaredDistance(s, closestOnSegment(s, p, q))));
  const Vec3 u = q - p, v = s - r;
  const Vec3 across = glm::cross(u, v);
  const Real square = glm::dot(across, across);
  if (square > 0.0) {
    const Real along = glm::dot(glm::cross(r - p, v), across) / square;
    if (along > 0.0 && along < 1.0) {
      const Vec3 inner = p + u * along;
      least = std::min(least, squaredDistance(inner, closestOnSegment(inner, r, s)));
    }
  }
  return least;
}

}  // namespace

/// Finds the Voronoi region of the triangle that contains the point [E05, 5.1.5], relative to the
/// corner opposite the longest edge. Relative to the tip of a needle, its other end would be lost
/// in rounding.
Vec3 closestOnTriangle(const Vec3& point, const Triangle& triangle) noexcept {
  const Triangle t = fromOppositeOfLongest(triangle);
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0];
  const Vec3 ap = point - t[0];
  const Real abA = glm::dot(ab, ap), acA = glm::dot(ac, ap);
  if (abA <= 0.0 && acA <= 0.0) return t[0];
  const Vec3 bp = point - t[1];
  const Real abB = glm::dot(ab, bp), acB = glm::dot(ac, bp);
  if (abB >= 0.0 && acB <= abB) return t[1];
  const Vec3 cp = point - t[2];
  const Real abC = glm::dot(ab, cp), acC = glm::dot(ac, cp);
  if (acC >= 0.0 && abC <= acC) return t[2];

  // The normal of a sliver is mostly rounding error, and its edges are as near as any point
  const Vec3 normal = glm::cross(ab, ac);
  const Real whole = glm::dot(normal, normal), square = glm::dot(ab, ab) * glm::dot(ac, ac);
  if (!(whole > 1e-24 * square)) return closestOnEdges(point, t);

  // Areas of the point's projection with each edge, up to a common factor. Uses the normal, because
  // products of the lengths above would lose twice as many digits
  const Real weightB = glm::dot(ap, glm::cross(ac, normal));
  const Real weightC = glm::dot(ap, glm::cross(normal, ab));
  const Real weightA = whole - weightB - weightC;
  if (weightC <= 0.0 && abA >= 0.0 && abB <= 0.0) return closestOnSegment(point, t[0], t[1]);
  if (weightB <= 0.0 && acA >= 0.0 && acC <= 0.0) return closestOnSegment(point, t[0], t[2]);
  if (weightA <= 0.0 && acB >= abB && abC >= acC) return closestOnSegment(point, t[1], t[2]);
  // Near the border of several regions, rounding can leave a point in none of them
  if (!(weightA > 0.0 && weightB > 0.0 && weightC > 0.0)) return closestOnEdges(point, t);
  const Vec3 foot = t[0] + ab * (weightB / whole) + ac * (weightC / whole);
  if (whole > 1e-12 * square) return foot;
  // On a sliver, rounding moves the foot along it, and across it by at most its width
  const Vec3 longest = t[2] - t[1];
  return foot + longest * (glm::dot(point - foot, longest) / glm::dot(longest, longest));
}

Real gapFromPlane(const Triangle& plane, const Triangle& other) noexcept {
  const Vec3 u = plane[1] - plane[0], v = plane[2] - plane[0];
  const Vec3 normal = glm::cross(u, v);
  const Real square = glm::dot(normal, normal);
  // The normal of a sliver is mostly rounding error
  if (square <= 1e-12 * glm::dot(u, u) * glm::dot(v, v)) return 0.0;
  const Real first = glm::dot(normal, other[0] - plane[0]);
  const Real second = glm::dot(normal, other[1] - plane[0]);
  const Real third = glm::dot(normal, other[2] - plane[0]);
  const Real gap = std::max(std::min({first, second, third}), -std::max({first, second, third}));
  return gap > 0.0 ? gap / std::sqrt(square) : 0.0;
}

Real squaredDistance(const Triangle& a, const Triangle& b) noexcept {
  if (trianglesMeet(a, b)) return 0.0;
  Real least = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 3; ++i) {
    least = std::min(least, squaredDistance(a[i], closestOnTriangle(a[i], b)));
    least = std::min(least, squaredDistance(b[i], closestOnTriangle(b[i], a)));
    for (int j = 0; j < 3; ++j)
      least = std::min(least, squaredSegmentDistance(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]));
  }
  return least;
}

namespace {

void offer(const Vec3& p, const Vec3& q, PointPair& best) noexcept {
  if (const Real square = squaredDistance(p, q); square < best.squared) best = {p, q, square};
}

/// Considers the point where the segment from `p` to `q` crosses the plane of a triangle, moved
/// into the triangle.
void offerCrossing(const Vec3& p, const Vec3& q, const Triangle& t, bool ofA, PointPair& best) {
  const Vec3 normal = normalOf(t);
  const Real first = glm::dot(p - t[0], normal), second = glm::dot(q - t[0], normal);
  if ((first > 0.0) == (second > 0.0)) return;
  const Vec3 crossing = p + first / (first - second) * (q - p);
  const Vec3 other = closestOnTriangle(crossing, t);
  offer(ofA ? crossing : other, ofA ? other : crossing, best);
}

/// Considers the feet of the common perpendicular, if there is one, moved into both segments.
void offerFeet(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& s, PointPair& best) {
  const Vec3 across = glm::cross(q - p, s - r);
  const Real square = glm::dot(across, across);
  if (!(square > 0.0)) return;
  const Real along = glm::dot(glm::cross(r - p, s - r), across) / square;
  const Vec3 onSecond = closestOnSegment(p + std::clamp(along, 0.0, 1.0) * (q - p), r, s);
  offer(closestOnSegment(onSecond, p, q), onSecond, best);
}

}  // namespace

PointPair closestPoints(const Triangle& a, const Triangle& b) noexcept {
  PointPair best;
  for (std::size_t i = 0; i < 3; ++i) {
    offer(a[i], closestOnTriangle(a[i], b), best);
    offer(closestOnTriangle(b[i], a), b[i], best);
    offerCrossing(a[i], a[(i + 1) % 3], b, true, best);
    offerCrossing(b[i], b[(i + 1) % 3], a, false, best);
    for (std::size_t j = 0; j < 3; ++j) offerFeet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], best);
  }
  return best;
}

Vec3 pointOfBoth(const Triangle& a, const Triangle& b) noexcept {
  constexpr Real inside = 1e-6;
  Vec3 sum(0.0);
  Real count = 0.0;
  const auto addCrossings = [&](const Triangle& edges, const Triangle& face) {
    const Vec3 u = face[1] - face[0], v = face[2] - face[0], normal = glm::cross(u, v);
    const Real square = glm::dot(normal, normal);
    // The plane of a sliver is mostly rounding error
    if (!(square > 1e-12 * glm::dot(u, u) * glm::dot(v, v))) return;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec3 &p = edges[i], &q = edges[(i + 1) % 3];
      const Real first = glm::dot(p - face[0], normal), second = glm::dot(q - face[0], normal);
      if ((first > 0.0) == (second > 0.0)) continue;
      const Vec3 crossing = p + first / (first - second) * (q - p), way = crossing - face[0];
      const Real ofV = glm::dot(glm::cross(u, way), normal) / square;
      const Real ofU = glm::dot(glm::cross(way, v), normal) / square;
      if (std::min({ofU, ofV, 1.0 - ofU - ofV}) < inside) continue;
      sum += crossing;
      count += 1.0;
    }
  };
  addCrossings(a, b);
  addCrossings(b, a);
  // The triangles only touch, or are coplanar
  return count > 0.0 ? sum / count : closestPoints(a, b).a;
}

}  // namespace nearmiss
