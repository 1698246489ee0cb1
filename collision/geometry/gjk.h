// SPDX-License-Identifier: MIT
/// Two convex polytopes in one frame, and their distance by simplices in their Minkowski difference
/// [GJK88].
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
  Vec3 difference{0.0};  ///< a less b
};

/// All points and directions are in the frame of a. Both polytopes must outlive it.
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
  /// A direction of b's frame.
  [[nodiscard]] Vec3 turned(const Vec3& own) const noexcept { return axes_ * own; }

  /// The corner of a that lies farthest along `direction`, and that of b that lies least far.
  [[nodiscard]] SupportPoint support(
      const Vec3& direction, std::uint32_t startA = ConvexPolytope::noVertex,
      std::uint32_t startB = ConvexPolytope::noVertex) const noexcept;

  /// The gap along a unit vector that points from a to b; negative: the overlap. At most the
  /// distance, whatever the direction, up to rounding.
  [[nodiscard]] Real gapAlong(const Vec3& unit, std::uint32_t startA = ConvexPolytope::noVertex,
                              std::uint32_t startB = ConvexPolytope::noVertex) const noexcept;

  /// The max gapAlong() the normals of faces and edge pairs at two corners: where these are nearly
  /// parallel, their directions are known better than that of the nearest points.
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

/// The distance of two polytopes, between two bounds.
struct ConvexDistance {
  Real lower = 0.0;  ///< metres: by planes that separate them; 0: none was found
  Real upper = 0.0;  ///< metres: of the two points
  Vec3 pointA{0.0}, pointB{0.0};
  bool meet = false;  ///< they share a point, as far as rounding lets one say
  int steps = 0;
};

/// Exact up to rounding; ends after a bounded number of steps with both bounds whatever happens.
/// Stops as soon as the lower bound is above `enough` (metres).
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair, Real enough);
[[nodiscard]] ConvexDistance gjkDistance(const ConvexPair& pair);

}  // namespace nearmiss
