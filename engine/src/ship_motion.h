// SPDX-License-Identifier: MIT
/// The equation of motion of one ship, solved by second-order Runge-Kutta steps [H96 §11.1].
#pragma once

#include <engine/ship.h>
#include <engine/world.h>

#include <cstdint>

namespace nearmiss::engine {

struct MotionState {
  Vec3 position{0.0};  ///< metres
  Vec3 velocity{0.0};  ///< m/s
  Quat rotation = glm::identity<Quat>();
};

/// The longest step, in simulation seconds; also the first one tried.
inline constexpr Real longestStep = 0.1;

/// How long, in simulation seconds, an acceleration bound is certified for.
inline constexpr Real boundHorizon = 1.0;

/// Moves one ship by `dt` > 0. `step` is the step size found right so far, and is kept up to date;
/// returns how many steps were taken.
std::uint64_t integrate(MotionState& state, const ShipControl& control, const ShipLimits& limits,
                        const Arena& arena, Real dt, Real& step) noexcept;

/// What a ship can be certified to keep to for the next boundHorizon seconds.
struct MotionPromise {
  Real acceleration = 0.0;  ///< M in |x''(t)| <= M, m/s^2
  CuttingPlane plane;       ///< along the heading of now
  bool hasPlane = false;    ///< not if the heading may turn away meanwhile
};

/// Whatever the controls in that time, or with `kept` in force all the time if it is not null.
/// Holds for the trajectory that integrate() computes, not only for the one that it approximates.
[[nodiscard]] MotionPromise motionPromise(const MotionState& state, const ShipControl* kept,
                                          const ShipLimits& limits, const Arena& arena) noexcept;

}  // namespace nearmiss::engine
