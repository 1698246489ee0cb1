// SPDX-License-Identifier: MIT
/// Intersections of several pairs of triangles in parallel lanes. Compiled once per instruction
/// set; so no other header may define functions used here. Lanes that do not intersect are computed
/// as well.
#pragma once

#include <nearmiss/detail/double_pack.h>

#include "geometry/crossings.h"

namespace nearmiss::NEARMISS_PATH {

struct LaneVector {
  DoublePack x, y, z;
};
struct LaneTriangle {
  LaneVector corner[3];
};
struct LaneEnd {
  DoublePack at;  ///< position along the line that contains all four points
  LaneVector point;
};
struct LaneSpan {
  LaneEnd begin, end;
};

inline LaneVector operator-(const LaneVector& a, const LaneVector& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline LaneVector operator+(const LaneVector& a, const LaneVector& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline LaneVector operator*(const LaneVector& a, DoublePack s) noexcept {
  return {a.x * s, a.y * s, a.z * s};
}
inline DoublePack scalarProduct(const LaneVector& a, const LaneVector& b) noexcept {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline LaneVector vectorProduct(const LaneVector& a, const LaneVector& b) noexcept {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
inline LaneVector select(DoubleMask which, const LaneVector& a, const LaneVector& b) noexcept {
  return {select(which, a.x, b.x), select(which, a.y, b.y), select(which, a.z, b.z)};
}
inline LaneEnd select(DoubleMask which, const LaneEnd& a, const LaneEnd& b) noexcept {
  return {select(which, a.at, b.at), select(which, a.point, b.point)};
}

inline LaneTriangle triangleAt(const double (&rows)[9][CrossingPairs::width],
                               std::size_t lane) noexcept {
  LaneTriangle t;
  for (std::size_t i = 0; i < 3; ++i)
    t.corner[i] = {DoublePack::load(rows[3 * i] + lane), DoublePack::load(rows[3 * i + 1] + lane),
                   DoublePack::load(rows[3 * i + 2] + lane)};
  return t;
}
inline LaneVector normalOf(const LaneTriangle& t) noexcept {
  return vectorProduct(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
}

/// How a triangle lies relative to a plane.
struct LaneHeights {
  DoublePack of[3];
  /// the corner lies on the other side of the plane than the first corner
  DoubleMask second, third;
  /// A corner on the plane counts as above it, for all triangles that share the corner, so that
  /// contours have no gaps.
  LaneHeights(const LaneTriangle& t, const LaneVector& onPlane, const LaneVector& normal) noexcept {
    const DoublePack zero = DoublePack::all(0.0);
    for (std::size_t i = 0; i < 3; ++i) of[i] = scalarProduct(t.corner[i] - onPlane, normal);
    const DoubleMask first = of[0] < zero;
    second = static_cast<DoubleMask>((of[1] < zero) ^ first);
    third = static_cast<DoubleMask>((of[2] < zero) ^ first);
  }
  [[nodiscard]] DoubleMask cross() const noexcept {
    return static_cast<DoubleMask>(second | third);
  }
};

/// Returns where the plane intersects the two edges at the corner that is alone on its side.
inline LaneSpan spanOf(const LaneTriangle& t, const LaneHeights& height,
                       const LaneVector& along) noexcept {
  const auto lone = [&](const auto& first, const auto& next, const auto& last) {
    return select(height.second, select(height.third, first, next), last);
  };
  const auto& c = t.corner;
  const auto& h = height.of;
  const LaneVector own = lone(c[0], c[1], c[2]), after = lone(c[1], c[2], c[0]),
                   before = lone(c[2], c[0], c[1]);
  const DoublePack ownHeight = lone(h[0], h[1], h[2]), heightAfter = lone(h[1], h[2], h[0]),
                   heightBefore = lone(h[2], h[0], h[1]);
  // In lanes without intersection, avoid overflow and division by zero
  const DoublePack zero = DoublePack::all(0.0), one = DoublePack::all(1.0);
  const auto share = [&](DoublePack part, DoublePack whole) {
    return select(height.cross(), part, zero) / select(height.cross(), whole, one);
  };
  const LaneVector p = own + (after - own) * share(ownHeight, ownHeight - heightAfter);
  const LaneVector q = before + (own - before) * share(heightBefore, heightBefore - ownHeight);
  const LaneEnd first{scalarProduct(p, along), p}, second{scalarProduct(q, along), q};
  const DoubleMask ordered = first.at <= second.at;
  return {select(ordered, first, second), select(ordered, second, first)};
}

unsigned findCrossings(const CrossingPairs& pairs, CrossingSegments& segments) noexcept;

unsigned findCrossings(const CrossingPairs& pairs, CrossingSegments& segments) noexcept {
  unsigned found = 0;
  for (std::size_t i = 0; i < CrossingPairs::width; i += DoublePack::width) {
    const LaneTriangle a = triangleAt(pairs.a, i), b = triangleAt(pairs.b, i);
    const LaneVector normalA = normalOf(a), normalB = normalOf(b);
    const LaneHeights ofA(a, b.corner[0], normalB), ofB(b, a.corner[0], normalA);

    // All four points lie on one line, whose direction is the cross product of the normals
    const LaneVector along = vectorProduct(normalA, normalB);
    const LaneSpan spanA = spanOf(a, ofA, along), spanB = spanOf(b, ofB, along);
    const LaneEnd begin = select(spanB.begin.at < spanA.begin.at, spanA.begin, spanB.begin);
    const LaneEnd end = select(spanA.end.at < spanB.end.at, spanA.end, spanB.end);
    begin.point.x.store(segments.begin[0] + i);
    begin.point.y.store(segments.begin[1] + i);
    begin.point.z.store(segments.begin[2] + i);
    end.point.x.store(segments.end[0] + i);
    end.point.y.store(segments.end[1] + i);
    end.point.z.store(segments.end[2] + i);
    const unsigned cross = bitsOf(ofA.cross()) & bitsOf(ofB.cross()) & bitsOf(begin.at < end.at);
    found |= cross << i;
  }
  return found;
}

}  // namespace nearmiss::NEARMISS_PATH
