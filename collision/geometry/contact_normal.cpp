// SPDX-License-Identifier: MIT
#include <nearmiss/mesh.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "geometry/closest_points.h"
#include "geometry/crossings.h"
#include "geometry/polyhedron_pair.h"

namespace nearmiss {
namespace {

/// An area vector shorter than this share of the contour's squared length is rounding, not area.
constexpr Real minAreaShare = 1e-9;

/// A way out shorter than this share of the outer solid's radius is rounding, not a way.
constexpr Real minWayShare = 1e-12;

/// Vertices of an inner solid from which ways out are sought; more are passed over evenly.
constexpr std::size_t maxWaysOut = 128;

/// The curves in which two surfaces cross, as sums over their segments.
class Contour {
 public:
  /// A segment, run through so that the part of a's surface inside b lies to its left, seen from
  /// outside of a.
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
  Vec3 origin_{0.0}, products_{0.0}, steps_{0.0}, centres_{0.0};
  Real length_ = 0.0;
};

/// Nothing where too many triangles are near.
std::optional<Contour> contourOf(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                                 std::size_t maxLeafPairs) {
  const CrossingPath& path = crossingPaths().back();
  Contour contour;
  CrossingPairs pairs;
  CrossingSegments segments;
  std::size_t count = 0;
  const auto addAll = [&] {
    unsigned crossing = path.find(pairs, segments) & ((1u << count) - 1u);
    for (; crossing != 0; crossing &= crossing - 1) {
      const auto lane = static_cast<std::size_t>(std::countr_zero(crossing));
      contour.add(segments.beginOf(lane), segments.endOf(lane));
    }
    count = 0;
  };
  const bool all = TrianglePairs(a, b, bToA)
                       .forEach(
                           [&](std::uint32_t ta, const Triangle& triangleB) {
                             pairs.put(count++, a.mesh().corners(ta), triangleB);
                             if (count == CrossingPairs::width) addAll();
                           },
                           maxLeafPairs);
  if (!all) return std::nullopt;
  if (count > 0) addAll();
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

std::optional<ContactPoint> contactPoint(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                                         std::size_t maxLeafPairs) {
  // The surfaces cross
  const auto contour = contourOf(a, b, bToA, maxLeafPairs);
  if (!contour) return std::nullopt;
  if (!contour->empty()) {
    const auto area = contour->areaVector();
    if (!area) return std::nullopt;
    return ContactPoint{-glm::normalize(*area), contour->centre()};
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

std::optional<Vec3> contactNormal(const Polyhedron& a, const Polyhedron& b, const Pose& bToA,
                                  std::size_t maxLeafPairs) {
  const auto point = contactPoint(a, b, bToA, maxLeafPairs);
  return point ? std::optional(point->normal) : std::nullopt;
}

}  // namespace nearmiss
