// SPDX-License-Identifier: MIT
/// Two convex polytopes in one frame, and their distance by the GJK algorithm: simplices in their
/// Minkowski difference [GJK88].
#pragma once

#include <nearmiss/math.h>

#include <array>
#include <cstdint>
#include <glm/mat3x3.hpp>

#include "geometry/convex_polytope.h"

namespace nearmiss {

/// A corner of each polytope, and the difference of the two points.
struct SupportPoint {
  std::uint32_t a = 0, b = 0;
  Vec3 difference{0.0};  ///< a minus b
};

/// All points and directions are in the frame of a. Both polytopes must outlive this.
class ConvexPair {
 public:
  ConvexPair(const ConvexPolytope& a, const ConvexPolytope& b, const glm::dmat3& axesOfB,
             const Vec3& positionOfB) noexcept
      : a_(a), b_(b), axes_(axesOfB), position_(positionOfB) {}

  [[nodiscard]] const ConvexPolytope& a() const noexcept { return a_; }
  [[nodiscard]] const ConvexPolytope& b() const noexcept { return b_; }
  [[nodiscard]] const Vec3& cornerOfA(std::uint32_t vertex) const noexcept {
    return a_.vertices()[vertex];
  }
  [[nodiscard]] Vec3 cornerOfB(std::uint32_t vertex) const noexcept {
    return axes_ * b_.vertices()[vertex] + position_;
  }
  /// Rotates a direction from b's frame to a's.
  [[nodiscard]] Vec3 turned(const Vec3& own) const noexcept { return axes_ * own; }

  /// Returns the corner of a that lies farthest along `direction`, and the corner of b that lies
  /// least far.
  [[nodiscard]] SupportPoint support(
      const Vec3& direction, std::uint32_t startA = ConvexPolytope::noVertex,
      std::uint32_t startB = ConvexPolytope::noVertex) const noexcept;

  /// Returns the gap along a unit vector that points from a to b; negative values are overlap. A
  /// lower bound of the distance for any direction, up to rounding.
  [[nodiscard]] Real gapAlong(const Vec3& unit, std::uint32_t startA = ConvexPolytope::noVertex,
                              std::uint32_t startB = ConvexPolytope::noVertex) const noexcept;

  /// Returns the maximum gapAlong() the normals of faces and edge pairs at two corners. For nearly
  /// parallel features, these normals are more accurate than the direction of the nearest points.
  [[nodiscard]] Real gapByFeaturesAt(std::uint32_t cornerOfA,
                                     std::uint32_t cornerOfB) const noexcept;

 private:
  void lookAlongFaces(std::uint32_t cornerOfA, std::uint32_t cornerOfB,
                      const auto& look) const noexcept;
  void lookAlongEdges(std::uint32_t cornerOfA, std::uint32_t cornerOfB,
                      const auto& look) const noexcept;

  const ConvexPolytope& a_;
  const ConvexPolytope& b_;
  glm::dmat3 axes_;
  Vec3 position_;
};

/// The distance of two polytopes, with lower and upper bounds.
struct ConvexDistance {
  Real lower = 0.0;  ///< metres, from a separating plane; 0 if none was found
  Real upper = 0.0;  ///< metres, the distance of the two points
  Vec3 pointA{0.0}, pointB{0.0};
  bool meet = false;  ///< they share a point, up to rounding
  int steps = 0;
};

/// Exact up to rounding. Always ends after a bounded number of steps, with both bounds. Stops as
/// soon as the lower bound exceeds `enough` (metres).
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair, Real enough);
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair);

}  // namespace nearmiss
