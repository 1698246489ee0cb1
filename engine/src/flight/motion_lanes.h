// SPDX-License-Identifier: MIT
/// Integrates eight ships at once, bitwise equal to ship_motion.h for each.
#pragma once

#include <engine/flight/arena.h>
#include <nearmiss/math.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace nearmiss::engine {

inline constexpr int laneCount = 8;

/// One number per ship.
struct alignas(64) LaneReals {
  Real of[laneCount];
  Real& operator[](std::size_t lane) noexcept { return of[lane]; }
  Real operator[](std::size_t lane) const noexcept { return of[lane]; }
};
struct LaneVectors {
  LaneReals x, y, z;
  [[nodiscard]] Vec3 at(std::size_t lane) const noexcept { return {x[lane], y[lane], z[lane]}; }
  void set(std::size_t lane, const Vec3& v) noexcept {
    x[lane] = v.x;
    y[lane] = v.y;
    z[lane] = v.z;
  }
};
struct LaneRotations {
  LaneReals w, x, y, z;
  [[nodiscard]] Quat at(std::size_t lane) const noexcept {
    return {w[lane], x[lane], y[lane], z[lane]};
  }
  void set(std::size_t lane, const Quat& q) noexcept {
    w[lane] = q.w;
    x[lane] = q.x;
    y[lane] = q.y;
    z[lane] = q.z;
  }
};

/// MotionState of each ship.
struct LaneStates {
  LaneVectors position, velocity;
  LaneRotations rotation;
  LaneVectors momentum;  ///< unused if no ship tumbles
};

/// Forces on each ship: sticks as in Steering, drag, and the inertia of tumbling ships.
struct LaneForces {
  LaneReals thrust, drag;
  LaneVectors turning;
  LaneVectors diagonal, mixed;  ///< InverseInertia; unused if no ship tumbles
  bool tumbles = false;         ///< some ship has nonzero angular momentum, or -0
};

/// An instant in a step of each ship, `since` seconds after the start of the step's first or second
/// half.
struct LaneInstants {
  LaneStates start;  ///< of the step
  LaneReals h;       ///< length of the step
  LaneReals since;
  LaneReals late;  ///< 1: in the second half; 0: in the first
};

/// The implementation for one instruction set.
struct LanePath {
  std::string_view name;
  /// Computes one step of integrate() for each ship, `h` seconds long: end state and error.
  void (*step)(const LaneForces& forces, const Arena& arena, const LaneReals& h,
               const LaneStates& start, LaneStates& end, LaneReals& error) noexcept;
  /// Computes stateAt() for each ship.
  void (*evaluate)(const LaneForces& forces, const Arena& arena, const LaneInstants& instants,
                   LaneStates& states) noexcept;
};
/// All paths that this machine supports, fastest last.
[[nodiscard]] std::span<const LanePath> lanePaths() noexcept;

}  // namespace nearmiss::engine
