// SPDX-License-Identifier: MIT
/// When two bodies that keep their promises can first touch: by small safe steps, in extended
/// precision, apart from every closed form.
#pragma once

#include <nearmiss/advanced/body_state.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace nearmiss::test {

/// Seconds from now until the growing balls |x - x0 - v t| <= r + M t^2 / 2 of two bodies first
/// meet, within `life`; late by no more than a millionth of it, nothing if they stay apart.
/// Cutting planes are left aside. A meeting that is shorter than that may go unseen.
[[nodiscard]] inline std::optional<Real> firstTouch(const BodyState& a, const BodyState& b,
                                                    Real life) {
  long double dc[3], dv[3], speed = 0.0L;
  for (int axis = 0; axis < 3; ++axis) {
    dc[axis] = static_cast<long double>(b.pose.position[axis]) - a.pose.position[axis];
    dv[axis] = static_cast<long double>(b.velocity[axis]) - a.velocity[axis];
    speed += dv[axis] * dv[axis];
  }
  const long double push = static_cast<long double>(a.accelerationBound) + b.accelerationBound;
  const long double reach = static_cast<long double>(a.shape.radius()) + b.shape.radius();
  // The gap closes no faster than that while both promises hold
  const long double pace = std::sqrt(speed) + push * life;
  for (long double s = 0.0L; s <= life;) {
    long double square = 0.0L;
    for (int axis = 0; axis < 3; ++axis)
      square += (dc[axis] + dv[axis] * s) * (dc[axis] + dv[axis] * s);
    const long double gap = std::sqrt(square) - reach - 0.5L * push * s * s;
    if (gap <= 0.0L) return static_cast<Real>(s);
    if (pace == 0.0L) return std::nullopt;
    s += std::max(gap / pace, 1e-6L * life);
  }
  return std::nullopt;
}

}  // namespace nearmiss::test
