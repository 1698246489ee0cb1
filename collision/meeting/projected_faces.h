// SPDX-License-Identifier: MIT
/// The faces of hyper-trapezoids, projected on the plane of time and one axis: segments that begin
/// together [H93, "Intersecting space-time bounds"].
#pragma once

#include <nearmiss/space_time_bound.h>

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace nearmiss {

/// A face of a bound on one axis: `at` + `slope` * seconds after the start of the search.
struct ProjectedFace {
  Real at = 0.0;
  Real slope = 0.0;
};

/// Faces are named body * 2 for the low one, body * 2 + 1 for the high one.
[[nodiscard]] inline bool isHighFace(std::uint32_t face) noexcept { return face % 2 == 1; }

/// Whether face `a` comes before face `b`. Where values tie, low faces come before high ones, so
/// that touching overlaps.
[[nodiscard]] inline bool isBelow(Real aAt, std::uint32_t a, Real bAt, std::uint32_t b) noexcept {
  if (aAt != bAt) return aAt < bAt;
  if (isHighFace(a) != isHighFace(b)) return isHighFace(b);
  return a < b;
}

/// Replaces `faces` by those of all bounds on an axis. Each is moved outwards by far more than the
/// rounding that an order of faces suffers.
inline void projectFaces(std::span<const SpaceTimeBound> bounds, std::uint32_t axis, Real from,
                         std::vector<ProjectedFace>& faces) {
  constexpr Real widening = 2e-13;  // relative
  faces.clear();
  const auto k = static_cast<int>(axis);
  for (const SpaceTimeBound& bound : bounds) {
    const Real passed = from - bound.start;
    const Real growth = 0.5 * bound.acceleration * (bound.end - bound.start);
    const Real speed = bound.velocity[k];
    const Real size = std::abs(bound.position[k]) + bound.radius +
                      (std::abs(speed) + growth) * (bound.end - bound.start);
    const Real centre = bound.position[k] + speed * passed;
    const Real half = bound.radius + growth * passed + widening * size;
    faces.push_back({centre - half, speed - growth});
    faces.push_back({centre + half, speed + growth});
  }
}

}  // namespace nearmiss
