// SPDX-License-Identifier: MIT
/// Decides exactly whether a ray hits a triangle, and computes where.
#pragma once

#include <nearmiss/advanced/predicates.h>
#include <nearmiss/mesh.h>

#include <optional>

namespace nearmiss {

/// A hit; `t` is accurate to `error`.
struct RayMeeting {
  Real t = 0.0;
  Real error = 0.0;
  /// Whether the hit is before the end of the ray; decided exactly if the rounded `t` lies beyond.
  bool byEnd = true;
};

/// A ray with exact triangle tests. Filters in double decide nearly all cases, exact arithmetic the
/// rest.
class ExactRay {
 public:
  ExactRay() = default;
  /// @param near a point of the ray near the triangles, metres. Filters compute relative to it, so
  /// distance costs them no digits.
  /// @param off maximum distance of `near` from the ray in each coordinate
  /// @param reach maximum distance of a corner from `near` in each coordinate
  /// @param end see meeting()
  /// @pre coordinates are 0 or of magnitudes from 1e-60 to 1e61; the largest of the direction is
  /// from 0.5 to 2.
  ExactRay(const Vec3& origin, const Vec3& direction, const Vec3& near, Real off, Real reach,
           Real end) noexcept;

  /// Returns the first common point of the ray and a closed triangle, also if beyond `end`.
  /// Triangles that share the hit corner or edge return the same `t`.
  [[nodiscard]] std::optional<RayMeeting> meeting(const Triangle& triangle) const noexcept;

 private:
  [[nodiscard]] bool isDoubtful(const RayMeeting& at) const noexcept;
  [[nodiscard]] RayMeeting judged(RayMeeting at, const auto& part,
                                  const auto& whole) const noexcept;
  [[nodiscard]] int sideOfEdge(const Vec3& p, const Vec3& q) const noexcept;
  [[nodiscard]] RayMeeting withPlane(const Triangle& triangle) const noexcept;
  [[nodiscard]] std::optional<RayMeeting> inPlane(const Triangle& triangle) const noexcept;
  [[nodiscard]] int sideSeenAlong(int axis, const Vec3& p) const noexcept;
  [[nodiscard]] RayMeeting withCorner(const Vec3& p) const noexcept;
  [[nodiscard]] RayMeeting withEdge(const Vec3& p, const Vec3& q) const noexcept;

  Vec3 origin_{0.0}, direction_{0.0}, near_{0.0};
  Real edgeError_ = 0.0;  ///< of the volumes by which sideOfEdge() decides
  Real end_ = 0.0;
  int longest_ = 0;  ///< the axis along which the ray is steepest
};

}  // namespace nearmiss
