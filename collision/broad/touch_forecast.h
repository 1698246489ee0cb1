// SPDX-License-Identifier: MIT
/// When the bounding spheres of two bodies may first touch while both bounds are valid.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glm/geometric.hpp>
#include <limits>
#include <span>

#include "broad/kept_bounds.h"

namespace nearmiss {

inline constexpr Real noTouch = std::numeric_limits<Real>::infinity();

/// Refers to the current states and the bounds kept for them.
struct TouchForecast {
  std::span<const BodyState> bodies;
  const KeptBounds& kept;
  std::span<const Envelope> envelopes;  ///< by body
  Real time;

  /// Returns the earliest time of contact, or noTouch if the spheres stay apart while both bounds
  /// are valid. From the current states on, the radii grow along the chords of their horns.
  [[nodiscard]] Real touchTime(std::uint32_t i, std::uint32_t j) const noexcept {
    const BodyState& a = bodies[i];
    const BodyState& b = bodies[j];
    const KeptBound& p = kept[i];
    const KeptBound& q = kept[j];
    const Real life = std::min(envelopes[i].end, envelopes[j].end) - time;
    const Vec3 dc = b.pose.position - a.pose.position;
    const Vec3 dv = b.velocity - a.velocity;
    const Real distance2 = glm::dot(dc, dc);
    const Real g = 0.5 * (envelopes[i].acceleration + envelopes[j].acceleration) * life;
    // Widened beyond all rounding errors of the positions and of this computation
    const Real touching = Real{std::abs(p.radius)} + Real{std::abs(q.radius)} +
                          2.0 * (Real{p.tolerance} + Real{q.tolerance});
    const Real h = touching + 1e-6 * std::sqrt(distance2);

    // |dc + dv s| = h + g s, that is A s^2 + 2 B s + C = 0
    const Real C = distance2 - h * h;
    if (!(C > 0.0)) return time;
    if (!(life > 0.0)) return noTouch;
    const Real A = glm::dot(dv, dv) - g * g;
    const Real B = glm::dot(dc, dv) - h * g;
    const Real root2 = B * B - A * C;
    if (A > 0.0 && (B >= 0.0 || root2 < -1e-14 * (A + 2.0 * g * g) * distance2)) return noTouch;
    const Real nearing = std::sqrt(std::max(root2, 0.0)) - B;
    // Both at rest and apart
    if (nearing == 0.0) return noTouch;
    const Real s = C / nearing * (1.0 - 1e-9);
    if (s > life) return noTouch;
    // If s is NaN, contact cannot be excluded
    return s >= 0.0 ? time + s : time;
  }
};

}  // namespace nearmiss
