// SPDX-License-Identifier: MIT
/// Whether a ray meets a triangle, decided exactly, and where.
#pragma once

#include <nearmiss/mesh.h>

#include <optional>

namespace nearmiss {

/// The place of a meeting: `t` is right to within `error`.
struct RayMeeting {
  Real t = 0.0;
  Real error = 0.0;
  bool byEnd = true;  ///< decided exactly where `t`, rounded, lies beyond the end of the ray
};

/// A ray from `origin` on. Filters in doubles decide almost always; exact arithmetic decides the
/// rest.
class ExactRay {
 public:
  ExactRay() = default;
  /// @param near a point of the ray near the triangles, metres; filters compute relative to it, so
  /// that distance costs them no digits
  /// @param off at most how far `near` is off the ray in each coordinate
  /// @param reach at most how far a corner is from `near` in each coordinate
  /// @param end see meeting()
  /// @pre coordinates are 0 or of magnitudes from 1e-60 to 1e61; the largest of the direction is
  /// from 0.5 to 2.
  ExactRay(const Vec3& origin, const Vec3& direction, const Vec3& near, Real off, Real reach,
           Real end) noexcept;

  /// The first point that the ray and a closed triangle share; one beyond `end` too. Triangles that
  /// share a corner or an edge are met there at the same `t`.
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
