// SPDX-License-Identifier: MIT
/// The equations of ship_motion.cpp for several lanes at once, compiled once per instruction set.
/// No other header may define functions in this file, because they would be compiled for that set
/// as well. The operations have the same order as there, so that results are bitwise equal; both
/// sides of each branch are computed.
#pragma once

#include <nearmiss/detail/double_pack.h>

#include "flight/motion_lanes.h"

namespace nearmiss::engine::NEARMISS_PATH {

using Pack = nearmiss::NEARMISS_PATH::DoublePack;
using Mask = nearmiss::NEARMISS_PATH::DoubleMask;

struct Vector {
  Pack x, y, z;
};
struct Rotation {
  Pack w, x, y, z;
};
struct State {
  Vector position, velocity;
  Rotation rotation;
  Vector momentum;
};
struct Rates {
  Vector acceleration;
  Rotation spin;
  Vector torque;
};
/// A MotionPiece without its start.
struct Bend {
  Vector acceleration;
  Rotation spin, bending;
  Vector torque;
};
struct Acting {
  Pack thrust, drag;
  Vector turning, diagonal, mixed;
  Pack radius, rim, pushMax;  ///< of the arena
};

inline Vector operator+(const Vector& a, const Vector& b) noexcept {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vector operator-(const Vector& a, const Vector& b) noexcept {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vector operator*(Pack s, const Vector& v) noexcept { return {s * v.x, s * v.y, s * v.z}; }
inline Rotation operator+(const Rotation& a, const Rotation& b) noexcept {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Rotation operator-(const Rotation& a, const Rotation& b) noexcept {
  return {a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Rotation operator*(const Rotation& q, Pack s) noexcept {
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
inline Rotation operator*(const Rotation& p, const Rotation& q) noexcept {
  return {
      p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
      p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z, p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x};
}
inline Vector cross(const Vector& a, const Vector& b) noexcept {
  return {a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}
inline Pack length(const Vector& v) noexcept { return root(v.x * v.x + v.y * v.y + v.z * v.z); }
inline Pack square(const Rotation& q) noexcept {
  return (q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z);
}
inline Vector select(Mask which, const Vector& a, const Vector& b) noexcept {
  return {select(which, a.x, b.x), select(which, a.y, b.y), select(which, a.z, b.z)};
}
inline Rotation select(Mask which, const Rotation& p, const Rotation& q) noexcept {
  return {select(which, p.w, q.w), select(which, p.x, q.x), select(which, p.y, q.y),
          select(which, p.z, q.z)};
}
inline State select(Mask which, const State& p, const State& q) noexcept {
  return {select(which, p.position, q.position), select(which, p.velocity, q.velocity),
          select(which, p.rotation, q.rotation), select(which, p.momentum, q.momentum)};
}
inline Bend select(Mask which, const Bend& p, const Bend& q) noexcept {
  return {select(which, p.acceleration, q.acceleration), select(which, p.spin, q.spin),
          select(which, p.bending, q.bending), select(which, p.torque, q.torque)};
}
inline Vector none() noexcept { return {Pack::all(0.0), Pack::all(0.0), Pack::all(0.0)}; }

inline Vector rotated(const Rotation& q, const Vector& v) noexcept {
  const Vector axis{q.x, q.y, q.z};
  const Vector across = cross(axis, v);
  return v + Pack::all(2.0) * (q.w * across + cross(axis, across));
}
/// InverseInertia times a vector.
inline Vector product(const Vector& diagonal, const Vector& mixed, const Vector& v) noexcept {
  return {diagonal.x * v.x + mixed.z * v.y + mixed.y * v.z,
          mixed.z * v.x + diagonal.y * v.y + mixed.x * v.z,
          mixed.y * v.x + mixed.x * v.y + diagonal.z * v.z};
}
inline Rotation turned(const Rotation& rotation, const Rotation& spin, Pack h) noexcept {
  const Pack one = Pack::all(1.0), zero = Pack::all(0.0);
  const Rotation q = rotation + spin * h;
  const Pack length = root(square(q));
  const Rotation unit = q * (one / length);
  const Mask vanished = length <= zero;
  return {select(vanished, one, unit.w), select(vanished, zero, unit.x),
          select(vanished, zero, unit.y), select(vanished, zero, unit.z)};
}

template <bool tumbles>
[[gnu::always_inline]] inline Rates ratesOf(const State& state, const Acting& forces) noexcept {
  const Pack zero = Pack::all(0.0);
  const Vector forward = rotated(state.rotation, {zero, zero, Pack::all(-1.0)});
  const Vector driven = forces.thrust * forward - forces.drag * state.velocity;
  const Pack distance = length(state.position);
  const Pack beyond = distance - forces.radius;
  const Pack share = select(beyond < forces.rim, beyond / forces.rim, Pack::all(1.0));
  const Pack push = select(zero < beyond, forces.pushMax * share, zero);
  const Vector pushed = driven - (push / distance) * state.position;
  const Vector acceleration = select(zero < push, pushed, driven);
  const Vector turning = Pack::all(0.5) * forces.turning;
  if constexpr (!tumbles) {
    return {acceleration, state.rotation * Rotation{zero, turning.x, turning.y, turning.z}, none()};
  } else {
    const Rotation& q = state.rotation;
    const Vector& momentum = state.momentum;
    const Vector own = rotated({q.w, -q.x, -q.y, -q.z}, momentum);
    const Vector both =
        Pack::all(0.5) * (forces.turning + product(forces.diagonal, forces.mixed, own));
    const Mask still = (momentum.x == zero) & (momentum.y == zero) & (momentum.z == zero);
    const Vector rate = select(still, turning, both);
    return {acceleration, q * Rotation{zero, rate.x, rate.y, rate.z},
            select(still, none(), -forces.drag * momentum)};
  }
}

/// Computes a MotionPiece of `h` seconds without its start.
template <bool tumbles>
[[gnu::always_inline]] inline Bend midpointStep(const State& state, const Rates& first,
                                                const Acting& forces, Pack h) noexcept {
  const Pack half = Pack::all(0.5) * h;
  Vector momentum = state.momentum;
  if constexpr (tumbles) momentum = momentum + half * first.torque;
  const Rates second = ratesOf<tumbles>(
      {state.position + half * state.velocity, state.velocity + half * first.acceleration,
       turned(state.rotation, first.spin, half), momentum},
      forces);
  return {second.acceleration, first.spin, (second.spin - first.spin) * (Pack::all(1.0) / h),
          second.torque};
}

template <bool tumbles>
[[gnu::always_inline]] inline State stateAfter(const State& start, const Bend& bend,
                                               Pack s) noexcept {
  const Pack half = Pack::all(0.5) * s;
  Vector momentum = start.momentum;
  if constexpr (tumbles) momentum = momentum + s * bend.torque;
  return {start.position + s * (start.velocity + half * bend.acceleration),
          start.velocity + s * bend.acceleration,
          turned(start.rotation, bend.spin + bend.bending * s, s), momentum};
}

inline Pack larger(Pack a, Pack b) noexcept { return select(a < b, b, a); }

inline Pack difference(const State& a, const State& b) noexcept {
  return larger(larger(length(b.position - a.position), length(b.velocity - a.velocity)),
                root(square(a.rotation - b.rotation)));
}

// Load from and store to the lane arrays, starting at lane `i`.

inline Vector take(const LaneVectors& v, int i) noexcept {
  return {Pack::load(v.x.of + i), Pack::load(v.y.of + i), Pack::load(v.z.of + i)};
}
inline Rotation take(const LaneRotations& q, int i) noexcept {
  return {Pack::load(q.w.of + i), Pack::load(q.x.of + i), Pack::load(q.y.of + i),
          Pack::load(q.z.of + i)};
}
inline void put(const Vector& v, LaneVectors& to, int i) noexcept {
  v.x.store(to.x.of + i);
  v.y.store(to.y.of + i);
  v.z.store(to.z.of + i);
}
inline void put(const Rotation& q, LaneRotations& to, int i) noexcept {
  q.w.store(to.w.of + i);
  q.x.store(to.x.of + i);
  q.y.store(to.y.of + i);
  q.z.store(to.z.of + i);
}

template <bool tumbles>
State stateOfLane(const LaneStates& states, int i) noexcept {
  State state{take(states.position, i), take(states.velocity, i), take(states.rotation, i), none()};
  if constexpr (tumbles) state.momentum = take(states.momentum, i);
  return state;
}
template <bool tumbles>
Acting forcesOfLane(const LaneForces& forces, const Arena& arena, int i) noexcept {
  Acting acting{Pack::load(forces.thrust.of + i),
                Pack::load(forces.drag.of + i),
                take(forces.turning, i),
                none(),
                none(),
                Pack::all(arena.radius),
                Pack::all(arena.rim),
                Pack::all(arena.pushMax)};
  if constexpr (tumbles) {
    acting.diagonal = take(forces.diagonal, i);
    acting.mixed = take(forces.mixed, i);
  }
  return acting;
}
template <bool tumbles>
void put(const State& state, LaneStates& to, int i) noexcept {
  put(state.position, to.position, i);
  put(state.velocity, to.velocity, i);
  put(state.rotation, to.rotation, i);
  if constexpr (tumbles) put(state.momentum, to.momentum, i);
}
template <bool tumbles>
void stepAll(const LaneForces& forces, const Arena& arena, const LaneReals& seconds,
             const LaneStates& start, LaneStates& end, LaneReals& error) noexcept {
  for (int i = 0; i < laneCount; i += Pack::width) {
    const Acting acting = forcesOfLane<tumbles>(forces, arena, i);
    const State now = stateOfLane<tumbles>(start, i);
    const Pack h = Pack::load(seconds.of + i), half = Pack::all(0.5) * h;
    const Rates first = ratesOf<tumbles>(now, acting);
    const Bend whole = midpointStep<tumbles>(now, first, acting, h);
    const State coarse = stateAfter<tumbles>(now, whole, h);
    const Bend early = midpointStep<tumbles>(now, first, acting, half);
    const State middle = stateAfter<tumbles>(now, early, half);
    const Bend late = midpointStep<tumbles>(middle, ratesOf<tumbles>(middle, acting), acting, half);
    const State fine = stateAfter<tumbles>(middle, late, half);
    put<tumbles>(fine, end, i);
    difference(coarse, fine).store(error.of + i);
  }
}

void step(const LaneForces& forces, const Arena& arena, const LaneReals& h, const LaneStates& start,
          LaneStates& end, LaneReals& error) noexcept {
  forces.tumbles ? stepAll<true>(forces, arena, h, start, end, error)
                 : stepAll<false>(forces, arena, h, start, end, error);
}

template <bool tumbles>
void evaluateAll(const LaneForces& forces, const Arena& arena, const LaneInstants& instants,
                 LaneStates& states) noexcept {
  for (int i = 0; i < laneCount; i += Pack::width) {
    const Acting acting = forcesOfLane<tumbles>(forces, arena, i);
    const State start = stateOfLane<tumbles>(instants.start, i);
    const Pack half = Pack::all(0.5) * Pack::load(instants.h.of + i);
    const Pack s = Pack::load(instants.since.of + i);
    const Mask isLate = Pack::all(0.0) < Pack::load(instants.late.of + i);
    const Bend early = midpointStep<tumbles>(start, ratesOf<tumbles>(start, acting), acting, half);
    const State middle = stateAfter<tumbles>(start, early, half);
    const Bend late = midpointStep<tumbles>(middle, ratesOf<tumbles>(middle, acting), acting, half);
    put<tumbles>(stateAfter<tumbles>(select(isLate, middle, start), select(isLate, late, early), s),
                 states, i);
  }
}

void evaluate(const LaneForces& forces, const Arena& arena, const LaneInstants& instants,
              LaneStates& states) noexcept {
  forces.tumbles ? evaluateAll<true>(forces, arena, instants, states)
                 : evaluateAll<false>(forces, arena, instants, states);
}

}  // namespace nearmiss::engine::NEARMISS_PATH
