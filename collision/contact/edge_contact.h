// SPDX-License-Identifier: MIT
/// Finds where two edges cross, and along which directions they can separate.
#pragma once

#include <nearmiss/math.h>
#include <nearmiss/pair.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <optional>
#include <vector>

#include "geometry/closest_points.h"
#include "pair/surface_edges.h"

namespace nearmiss {

/// Both ends, and the unit outward normals of both faces; zero if there is no outside.
struct FacedEdge {
  std::array<Vec3, 2> ends{Vec3(0.0), Vec3(0.0)};
  std::array<Vec3, 2> normals{Vec3(0.0), Vec3(0.0)};
  std::array<std::uint32_t, 2> sides{SurfaceEdge::none, SurfaceEdge::none};  ///< SurfaceEdge::sides

  [[nodiscard]] Vec3 along() const noexcept { return ends[1] - ends[0]; }
};

/// Returns the nearest points of two non-parallel segments if they lie inside both segments.
[[nodiscard]] inline std::optional<PointPair> crossingWithin(const std::array<Vec3, 2>& p,
                                                             const std::array<Vec3, 2>& q) {
  const Vec3 alongP = p[1] - p[0], alongQ = q[1] - q[0], between = q[0] - p[0];
  const Real pp = glm::dot(alongP, alongP), qq = glm::dot(alongQ, alongQ);
  const Real pq = glm::dot(alongP, alongQ);
  const Real determinant = pp * qq - pq * pq;
  if (!(determinant > 1e-12 * pp * qq)) return std::nullopt;
  const Real dp = glm::dot(alongP, between), dq = glm::dot(alongQ, between);
  const Real s = (dp * qq - dq * pq) / determinant, t = (dp * pq - dq * pp) / determinant;
  // The ends are vertices, which are tested separately
  if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) return std::nullopt;
  PointPair pair{p[0] + s * alongP, q[0] + t * alongQ, 0.0};
  pair.squared = squaredDistance(pair.a, pair.b);
  return pair;
}

/// Returns the squared distance of two segments, each given by one end and the vector to the other.
[[nodiscard]] inline Real squaredDistanceOf(const Vec3& p, const Vec3& alongP, const Vec3& q,
                                            const Vec3& alongQ) noexcept {
  const Vec3 between = p - q;
  const Real pp = glm::dot(alongP, alongP), qq = glm::dot(alongQ, alongQ);
  const Real pq = glm::dot(alongP, alongQ);
  const Real dp = glm::dot(alongP, between), dq = glm::dot(alongQ, between);
  const Real determinant = pp * qq - pq * pq;
  Real s = determinant > 0.0 ? std::clamp((pq * dq - dp * qq) / determinant, 0.0, 1.0) : 0.0;
  Real t = (pq * s + dq) / qq;
  if (t < 0.0 || t > 1.0) {
    t = std::clamp(t, 0.0, 1.0);
    s = std::clamp((pq * t - dp) / pp, 0.0, 1.0);
  }
  const Vec3 way = between + s * alongP - t * alongQ;
  return glm::dot(way, way);
}

/// Returns true if an outward direction across an edge lies between the normals of its two faces,
/// or if these do not define outwards. For two coplanar faces, only their normal lies between.
[[nodiscard]] inline bool liesBetween(const Vec3& first, const Vec3& second,
                                      const Vec3& way) noexcept {
  constexpr Real doubt = 1e-6;
  if (first == Vec3(0.0)) return true;
  const Vec3 along = glm::cross(first, second);
  const Real length = glm::length(along);
  if (length <= doubt && glm::dot(first, second) > 0.0)
    return glm::length(glm::cross(first, way)) <= 2.0 * doubt && glm::dot(way, first) > 0.0;
  return glm::dot(glm::cross(first, way), along) >= -doubt * length &&
         glm::dot(glm::cross(way, second), along) >= -doubt * length &&
         glm::dot(way, first + second) > 0.0;
}

/// Returns false if both faces of an edge turn to the same side of `along`. Then no direction
/// perpendicular to the edge and to `along` lies between the normals of the two faces.
/// @param turned maximum rotation of either edge since the normals were computed, radians
[[nodiscard]] inline bool turnsAcross(const SurfaceEdge& edge, const Vec3& along,
                                      Real turned = 1e-5) noexcept {
  const Vec3 size = glm::abs(along);
  const Real doubt = turned * (size.x + size.y + size.z);
  const Real first = glm::dot(edge.normals[0], along), second = glm::dot(edge.normals[1], along);
  return std::min(first, second) <= doubt && std::max(first, second) >= -doubt;
}

struct BallBetween {
  Vec3 centre{0.0};
  Real radius = 0.0;
};

/// Returns the largest ball in the intersection of the wedges behind two crossing edges, if both
/// wedges were infinite. Empty if a wedge is as thin as rounding, or has no normals. The edges need
/// not pass through the intersection: the edge of a wedge sharper than a right angle may lie
/// outside the other wedge.
/// @param outOfA unit, across both edges; lies between the normals of a, and its opposite between
/// those of b
/// @param depth metres that b has to move along it
[[nodiscard]] inline std::optional<BallBetween> ballBetween(const FacedEdge& a, const FacedEdge& b,
                                                            const Vec3& outOfA, Real depth) {
  const Vec3 sumA = a.normals[0] + a.normals[1], sumB = b.normals[0] + b.normals[1];
  const Real squareA = glm::dot(sumA, sumA), squareB = glm::dot(sumB, sumB);
  if (!(std::min(squareA, squareB) > 1e-12)) return std::nullopt;
  // The share of the depth that each wedge takes per unit of radius: the sum of the weights with
  // which its normals combine to the way out
  const Real ofA = 2.0 * glm::dot(outOfA, sumA) / squareA;
  const Real ofB = -2.0 * glm::dot(outOfA, sumB) / squareB;
  const Real radius = depth / (ofA + ofB);
  // The centre has the same distance from both faces of each wedge, hence also from a's
  const Vec3 acrossA = glm::normalize(glm::cross(a.along(), sumA));
  const Vec3 acrossB = glm::normalize(glm::cross(b.along(), sumB));
  const Vec3 known(glm::dot(acrossA, a.ends[0]), glm::dot(acrossB, b.ends[0]),
                   glm::dot(sumA, a.ends[0]) - 2.0 * radius);
  return BallBetween{glm::inverse(glm::transpose(glm::dmat3(acrossA, acrossB, sumA))) * known,
                     radius};
}

/// Collects corners; reuses its memory.
class PatchCorners {
 public:
  void clear() noexcept { corners_.clear(); }

  /// Returns true if a face of one edge is turned against a face of the other. All normals are in
  /// the same frame.
  /// @param turned maximum rotation of either since the normals were computed, radians
  [[nodiscard]] static bool stand(const std::array<Vec3, 2>& a, const std::array<Vec3, 2>& b,
                                  Real turned = 0.0) noexcept;

  /// Keeps the crossing of both edges, seen along the faces that rest on each other, unless the gap
  /// is wider than `margin` metres or the overlap deeper than `limit`. Both edges are in the same
  /// frame.
  void look(const FacedEdge& a, const FacedEdge& b, std::uint64_t id, Real margin, Real limit);

  [[nodiscard]] const std::vector<ManifoldPoint>& all() const noexcept { return corners_; }

  /// Sorts the points by id, and appends corners that are no deeper than a point with nearly the
  /// same normal.
  /// @param slack metres that rounding may add to a depth
  void addTo(std::vector<ManifoldPoint>& points, Real slack) const;

 private:
  std::vector<ManifoldPoint> corners_;
};

}  // namespace nearmiss
