// SPDX-License-Identifier: MIT
/// The motion of eight ships at once, for predictions that take each of them one step, as at the
/// frame rates of a window nearly all do: bit for bit what ship_motion.h computes of one.
#pragma once

#include <engine/flight/arena.h>
#include <nearmiss/math.h>

namespace nearmiss::engine {

inline constexpr int laneCount = 8;

/// A number of each ship.
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

/// MotionState of each.
struct LaneStates {
  LaneVectors position, velocity;
  LaneRotations rotation;
  LaneVectors momentum;  ///< not used where none tumbles
};

/// MotionPiece of each; when it begins is the same for all.
struct LanePieces {
  LaneStates start;
  LaneVectors acceleration;
  LaneRotations spin, bending;
  LaneVectors torque;  ///< not used where none tumbles
};

/// What acts on each: the sticks, as Steering has them, and what a tumbling body is like.
struct LaneForces {
  LaneReals thrust, drag;
  LaneVectors turning;
  LaneVectors diagonal, mixed;  ///< InverseInertia; not used where none tumbles
};

/// One step of each, and whether it may stand.
struct LaneSteps {
  LanePieces early, late;  ///< the halves of the step
  LaneStates end;
  LaneReals error;  ///< of the step, as integrate() estimates it
  LaneReals sound;  ///< 1 where the end is of numbers that a world holds, else 0
};

/// Fills in all but early.start, which is where the ships are, for a step of `h` seconds.
/// `tumbles`: some ship has angular momentum, be it -0.
void stepLanes(const LaneForces& forces, const Arena& arena, Real h, bool tumbles,
               LaneSteps& steps) noexcept;

/// stateAt() of each, `s` seconds after its piece began.
void evaluateLanes(const LanePieces& pieces, Real s, bool tumbles, LaneStates& states) noexcept;

}  // namespace nearmiss::engine
