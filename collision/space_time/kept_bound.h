// SPDX-License-Identifier: MIT
/// The bound kept of a body, in one cache line: every call reads the lines of all bodies.
#pragma once

#include <nearmiss/body_state.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "space_time/largest_coordinate.h"

namespace nearmiss {

/// A float not below a value that is not negative.
[[nodiscard]] inline float roundedOut(Real value) noexcept {
  return static_cast<float>(value * (1.0 + 2e-7) + 1e-37);
}

/// On every axis the centre stays within `growth` * s + `tolerance` of `position` + `velocity` * s,
/// s seconds after `start`, and the radius at most `radius`.
struct alignas(64) KeptBound {
  Vec3 position{0.0};
  Real start = 0.0;
  float vx = 0.0f, vy = 0.0f, vz = 0.0f;
  float growth = 0.0f, tolerance = 0.0f;
  float radius = -1.0f;
  std::uint32_t key = 0, epoch = 0;

  KeptBound() = default;

  /// For `life` seconds from `time` on; no number of the body exceeds `size` in that time.
  KeptBound(const BodyState& body, Real time, Real life, Real size) noexcept
      : position(body.pose.position),
        start(time),
        vx(static_cast<float>(body.velocity.x)),
        vy(static_cast<float>(body.velocity.y)),
        vz(static_cast<float>(body.velocity.z)),
        // Velocities lose digits
        growth(roundedOut(0.5 * body.accelerationBound * life +
                          1e-7 * largestCoordinate(body.velocity))),
        tolerance(roundedOut(1e-12 * size)),
        radius(roundedOut(body.shape.radius())),
        key(body.key),
        epoch(body.motionEpoch) {}

  /// Whether a state is within the bound; false for NaN.
  [[nodiscard]] bool holds(const BodyState& body, Real time) const noexcept {
    const Real s = time - start;
    const Vec3& p = body.pose.position;
    const Real dx = std::abs(p.x - (position.x + Real{vx} * s));
    const Real dy = std::abs(p.y - (position.y + Real{vy} * s));
    const Real dz = std::abs(p.z - (position.z + Real{vz} * s));
    const Real allowed = Real{growth} * s + Real{tolerance};
    return (dx <= allowed) & (dy <= allowed) & (dz <= allowed) & (body.shape.radius() <= radius) &
           (body.key == key) & (body.motionEpoch == epoch);
  }
};
static_assert(sizeof(KeptBound) == 64);

}  // namespace nearmiss
