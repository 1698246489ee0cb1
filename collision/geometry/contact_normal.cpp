// SPDX-License-Identifier: MIT
#include <nearmiss/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <utility>

#include "geometry/closest_points.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// An area vector shorter than this share of the contour's squared length is rounding, not area.
constexpr Real minAreaShare = 1e-9;

/// A way out shorter than this share of the outer solid's radius is rounding, not a way.
constexpr Real minWayShare = 1e-12;

/// Vertices of an inner solid from which ways out are sought; more are passed over evenly.
constexpr std::size_t maxWaysOut = 128;

/// The signed heights of the corners of a triangle above a plane.
Vec3 heightsOf(const Triangle& t, const Vec3& onPlane, const Vec3& normal) noexcept {
  return {glm::dot(t[0] - onPlane, normal), glm::dot(t[1] - onPlane, normal),
          glm::dot(t[2] - onPlane, normal)};
}

/// True if the edges cross the plane, in two points then. A corner on the plane counts as above it,
/// for all triangles that share the corner: so the contour has no gaps.
bool crosses(const Vec3& height) noexcept {
  const bool below = height[0] < 0.0;
  return (height[1] < 0.0) != below || (height[2] < 0.0) != below;
}

/// The two points. @pre crosses(height)
std::array<Vec3, 2> crossingOf(const Triangle& t, const Vec3& height) noexcept {
  std::array<Vec3, 2> points;
  std::size_t found = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if ((height[i] < 0.0) == (height[j] < 0.0)) continue;
    points[found++] = t[static_cast<std::size_t>(i)] +
                      (t[static_cast<std::size_t>(j)] - t[static_cast<std::size_t>(i)]) *
                          (height[i] / (height[i] - height[j]));
  }
  return points;
}

/// The curves in which two surfaces cross, as sums over their segments.
class Contour {
 public:
  /// The segment that two triangles share, if any, run through so that the part of a's surface
  /// inside b lies to its left, seen from outside of a. `normalB`: normalOf(b).
  void add(const Triangle& a, const Triangle& b, const Vec3& normalB) noexcept {
    const Vec3 heightsA = heightsOf(a, b[0], normalB);
    if (!crosses(heightsA)) return;
    const Vec3 normalA = normalOf(a);
    const Vec3 heightsB = heightsOf(b, a[0], normalA);
    if (!crosses(heightsB)) return;

    // All four points lie on one line, which runs along the cross product of the normals
    const Vec3 along = glm::cross(normalA, normalB);
    const Span spanA = spanOf(crossingOf(a, heightsA), along);
    const Span spanB = spanOf(crossingOf(b, heightsB), along);
    const End begin = spanA.begin.at > spanB.begin.at ? spanA.begin : spanB.begin;
    const End end = spanA.end.at < spanB.end.at ? spanA.end : spanB.end;
    if (begin.at < end.at) add(begin.point, end.point);
  }

  [[nodiscard]] bool empty() const noexcept { return !(length_ > 0.0); }

  /// @pre not empty
  [[nodiscard]] Vec3 centre() const noexcept { return origin_ + centres_ / length_; }

  /// The area vector of the surface that the contour bounds; none where it is no longer than
  /// rounding. The curves of open surfaces have ends: they are closed through their centre.
  [[nodiscard]] std::optional<Vec3> areaVector() const noexcept {
    const Vec3 centre = centres_ / length_;
    const Vec3 area = 0.5 * (products_ - glm::cross(centre, steps_));
    const Real size = glm::length(area);
    if (!std::isfinite(size) || !(size > minAreaShare * length_ * length_)) return std::nullopt;
    return area;
  }

 private:
  struct End {
    Real at = 0.0;
    Vec3 point{0.0};
  };
  struct Span {
    End begin, end;
  };

  static Span spanOf(const std::array<Vec3, 2>& points, const Vec3& along) noexcept {
    const End p{glm::dot(points[0], along), points[0]};
    const End q{glm::dot(points[1], along), points[1]};
    return p.at <= q.at ? Span{p, q} : Span{q, p};
  }

  void add(const Vec3& p, const Vec3& q) noexcept {
    // Products about a point of the contour: about one far away they would cancel
    if (empty()) origin_ = p;
    const Vec3 from = p - origin_, to = q - origin_;
    const Real length = glm::distance(from, to);
    products_ += glm::cross(from, to);
    steps_ += to - from;
    centres_ += (0.5 * length) * (from + to);
    length_ += length;
  }

  Vec3 origin_{0.0}, products_{0.0}, steps_{0.0}, centres_{0.0};
  Real length_ = 0.0;
};

Contour contourOf(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  Contour contour;
  // Pairs of one triangle of b follow each other
  std::uint32_t last = std::numeric_limits<std::uint32_t>::max();
  Vec3 normalB(0.0);
  TrianglePairs(a, b, bToA)
      .forEach([&](std::uint32_t ta, std::uint32_t tb, const Triangle& triangleB) {
        if (std::exchange(last, tb) != tb) normalB = normalOf(triangleB);
        contour.add(a.mesh().corners(ta), triangleB, normalB);
      });
  return contour;
}

/// The shortest way of `inner`, a piece of which lies inside `outer`, out of it: of the directions
/// from its vertices inside to the nearest points of the surface around them, the one in which its
/// last vertex has the shortest way. Frame of `outer`. Nothing if no vertex has a direction.
std::optional<Vec3> wayOut(const Polyhedron& inner, const Polyhedron& outer,
                           const Pose& innerToOuter) {
  const auto& positions = inner.mesh().positions;
  const std::size_t stride = (positions.size() + maxWaysOut - 1) / maxWaysOut;
  std::optional<Vec3> best;
  Real shortest = std::numeric_limits<Real>::infinity();
  for (std::size_t i = 0; i < positions.size(); i += stride) {
    const Vec3 from = transformed(innerToOuter, positions[i]);
    if (!outer.contains(from)) continue;
    const Vec3 exit = outer.nearest(from).position;
    const Vec3 way = exit - from;
    const Real length = glm::length(way);
    if (!(length > minWayShare * outer.radius()) || !std::isfinite(length)) continue;
    const Vec3 direction = way / length;
    Real last = length;
    for (const Vec3& p : positions)
      last = std::max(last, glm::dot(direction, exit - transformed(innerToOuter, p)));
    if (last < shortest) {
      shortest = last;
      best = direction;
    }
  }
  return best;
}

/// True if a piece of `inner`, given by one vertex, lies inside `outer`.
bool holdsPieceOf(const Polyhedron& outer, const Polyhedron& inner, const Pose& innerToOuter) {
  const auto pieces = inner.components();
  return outer.report().solid() &&
         std::any_of(pieces.begin(), pieces.end(), [&](const SurfaceComponent& piece) {
           return outer.contains(transformed(innerToOuter, inner.mesh().positions[piece.vertex]));
         });
}

}  // namespace

std::optional<ContactPoint> contactPoint(const Polyhedron& a, const Polyhedron& b,
                                         const Pose& bToA) {
  // The surfaces cross
  const Contour contour = contourOf(a, b, bToA);
  if (!contour.empty()) {
    const auto area = contour.areaVector();
    if (!area) return std::nullopt;
    return ContactPoint{-glm::normalize(*area), contour.centre()};
  }

  // One holds the other
  const Pose aToB = inverseOf(bToA);
  if (holdsPieceOf(b, a, aToB)) {
    const auto way = wayOut(a, b, aToB);
    if (!way) return std::nullopt;
    return ContactPoint{bToA.rotation * *way, Vec3(0.0)};
  }
  if (holdsPieceOf(a, b, bToA)) {
    const auto way = wayOut(b, a, bToA);
    if (!way) return std::nullopt;
    return ContactPoint{-*way, bToA.position};
  }
  return std::nullopt;
}

std::optional<Vec3> contactNormal(const Polyhedron& a, const Polyhedron& b, const Pose& bToA) {
  const auto point = contactPoint(a, b, bToA);
  return point ? std::optional(point->normal) : std::nullopt;
}

}  // namespace nearmiss
