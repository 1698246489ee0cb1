// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "flight/ship_motion.h"

namespace nearmiss::engine {
namespace {

using MaybeShipFault = std::optional<ShipFault>;

MaybeShipFault notFinite(Real value, const char* field) noexcept {
  if (!std::isfinite(value)) return ShipFault{field, "finite", value};
  if (std::abs(value) > maxStateSize) return ShipFault{field, "at most 1e50 in size", value};
  return std::nullopt;
}

template <std::size_t count>
MaybeShipFault anyNotFinite(const std::array<Real, count>& values,
                            const std::array<const char*, count>& fields) noexcept {
  for (std::size_t i = 0; i < count; ++i)
    if (const MaybeShipFault fault = notFinite(values[i], fields[i])) return fault;
  return std::nullopt;
}

MaybeShipFault negative(Real value, const char* field) noexcept {
  if (value >= 0.0 && std::isfinite(value)) return std::nullopt;
  return ShipFault{field, "finite and not negative", value};
}

}  // namespace

std::optional<ShipFault> faultOf(const Pose& pose) noexcept {
  const Vec3& p = pose.position;
  if (const MaybeShipFault fault = anyNotFinite<3>(
          {p.x, p.y, p.z}, {"pose.position.x", "pose.position.y", "pose.position.z"}))
    return fault;
  const Quat& q = pose.rotation;
  if (const MaybeShipFault fault = anyNotFinite<4>(
          {q.w, q.x, q.y, q.z},
          {"pose.rotation.w", "pose.rotation.x", "pose.rotation.y", "pose.rotation.z"}))
    return fault;
  const Real squared = glm::dot(q, q);
  if (squared < minRotationSquare)
    return ShipFault{"the length of pose.rotation", "above 0", std::sqrt(squared)};
  return std::nullopt;
}

std::optional<ShipFault> faultOfVelocity(const Vec3& v) noexcept {
  return anyNotFinite<3>({v.x, v.y, v.z}, {"velocity.x", "velocity.y", "velocity.z"});
}

std::optional<ShipFault> faultOf(const ShipDef& def) noexcept {
  if (const MaybeShipFault fault = negative(def.shape.radius(), "shape.radius")) return fault;
  if (const MaybeShipFault fault = faultOf(def.pose)) return fault;
  if (const MaybeShipFault fault = faultOfVelocity(def.velocity)) return fault;
  if (!(def.mass > 0.0)) return ShipFault{"mass", "above 0", def.mass};
  const ShipLimits& limits = def.limits;
  if (const MaybeShipFault fault = negative(limits.accelerationMax, "limits.accelerationMax"))
    return fault;
  if (const MaybeShipFault fault = negative(limits.reverseMax, "limits.reverseMax")) return fault;
  if (const MaybeShipFault fault = negative(limits.turnMax, "limits.turnMax")) return fault;
  return negative(limits.drag, "limits.drag");
}

Error refusal(std::string_view name, const ShipFault& fault) {
  return {ErrorCode::Unsupported, fmt::format("{}: {} is {:.9g}, but must be {}", name, fault.field,
                                              fault.value, fault.demand)};
}

}  // namespace nearmiss::engine

// Uses only + - * / and square roots: they round identically with every compiler, library and
// machine, so that equal runs have equal state hashes.

namespace nearmiss::engine {
namespace {

/// Tolerated local error of a step: metres, m/s, and half radians.
constexpr Real tolerance = 1e-6;

/// Steps below this [s] are accepted with any error: the horn is valid for any step.
constexpr Real shortestStep = longestStep / 1024.0;

/// Limits of the certified time for any rotation rate. Frames are predicted in strides shorter than
/// the minimum.
constexpr Real longestHorizon = 1.0, shortestHorizon = 0.05;

/// Limits step * drag, so that no step reverses a velocity and the speed bound of the continuous
/// motion holds for the computed one with a factor near 1.
constexpr Real maxDragPerStep = 1.0 / 16.0;

/// Constants of the right-hand side during a step.
struct Forces {
  Steering steering;
  Real drag = 0.0;  ///< 1/s
  const Arena* arena;
  const InverseInertia* inverseInertia;
};

/// Derivative of a MotionState; that of the position is the velocity.
struct Rate {
  Vec3 acceleration;
  Quat spin;
  Vec3 torque{0.0};
};

Real pushAt(Real distance, const Arena& arena) noexcept {
  const Real beyond = distance - arena.radius;
  if (!(beyond > 0.0)) return 0.0;
  return arena.pushMax * (beyond < arena.rim ? beyond / arena.rim : 1.0);
}

Rate rateOf(const MotionState& state, const Forces& forces) noexcept {
  const Vec3 forward = state.rotation * Vec3(0.0, 0.0, -1.0);
  Vec3 acceleration = forces.steering.thrust * forward - forces.drag * state.velocity;
  const Real distance = glm::length(state.position);
  const Real push = pushAt(distance, *forces.arena);
  if (push > 0.0) acceleration -= (push / distance) * state.position;
  if (state.angularMomentum == Vec3(0.0))
    return {acceleration, state.rotation * Quat(0.0, 0.5 * forces.steering.turning)};
  // A free body conserves angular momentum while its axis moves. Pilots damp the rotation as drag
  // damps the velocity
  const Vec3 tumbling =
      *forces.inverseInertia * (glm::conjugate(state.rotation) * state.angularMomentum);
  return {acceleration, state.rotation * Quat(0.0, 0.5 * (forces.steering.turning + tumbling)),
          -forces.drag * state.angularMomentum};
}

Quat turned(const Quat& rotation, const Quat& spin, Real h) noexcept {
  return glm::normalize(rotation + spin * h);
}

/// Computes one midpoint step from `state`, whose rate is `first`. The acceleration at the midpoint
/// applies to the whole step. The midpoint rotation must be normalised, or its thrust would exceed
/// the bound.
MotionPiece midpointStep(const MotionState& state, const Rate& first, const Forces& forces,
                         Real h) noexcept {
  const Real half = 0.5 * h;
  const MotionState middle{
      state.position + half * state.velocity, state.velocity + half * first.acceleration,
      turned(state.rotation, first.spin, half), state.angularMomentum + half * first.torque};
  const Rate second = rateOf(middle, forces);
  return {
      0.0,          state, second.acceleration, first.spin, (second.spin - first.spin) * (1.0 / h),
      second.torque};
}

Real difference(const MotionState& a, const MotionState& b) noexcept {
  const Quat turn = a.rotation - b.rotation;
  return std::max({glm::distance(a.position, b.position), glm::distance(a.velocity, b.velocity),
                   glm::length(turn)});
}

/// Maximum speed within `horizon` seconds under a force of at most `force`, m/s^2. The computed
/// velocity may exceed the continuous one by (1 + e) / (1 - e), where e is half of the drag per
/// step, because a step evaluates two forces whose directions may differ.
Real speedBound(Real speed, Real force, Real drag, Real horizon) noexcept {
  constexpr Real e = 0.5 * maxDragPerStep;
  const Real excess = (1.0 + e) / (1.0 - e) * force;
  const Real grown = speed + excess * horizon;
  return drag > 0.0 ? std::min(grown, std::max(speed, excess / drag)) : grown;
}

}  // namespace

Real boundHorizon(const ShipLimits& limits) noexcept {
  const Real rate = std::max(limits.drag, limits.turnMax);
  return rate * longestHorizon > 0.5 ? std::max(0.5 / rate, shortestHorizon) : longestHorizon;
}

Steering steeringOf(const ShipControl& control, const ShipLimits& limits) noexcept {
  const Real most = control.thrust > 0.0 ? limits.accelerationMax : limits.reverseMax;
  // Right wing down is a turn about -z: x is right, y is up, -z is forward
  return {control.thrust * most, limits.turnMax * Vec3(control.pitch, control.yaw, -control.roll)};
}

StepRule::StepRule(const ShipLimits& limits) noexcept : longest_(longestStep) {
  if (limits.drag * longest_ > maxDragPerStep) longest_ = maxDragPerStep / limits.drag;
  shortest_ = std::min(shortestStep, longest_);
}

bool StepRule::accepts(Real error, Real h) const noexcept {
  return !(error > tolerance) || h <= shortest_;
}

Real StepRule::next(Real step, Real h, Real error) const noexcept {
  // The error is cubic in the step size: a factor of 16 leaves room for a doubling
  return error < tolerance / 16.0 ? std::max(step, std::min(2.0 * h, longest_)) : step;
}

MotionState stateAt(const MotionPiece& piece, Real s) noexcept {
  const MotionState& start = piece.start;
  return {start.position + s * (start.velocity + (0.5 * s) * piece.acceleration),
          start.velocity + s * piece.acceleration,
          turned(start.rotation, piece.spin + piece.bending * s, s),
          start.angularMomentum + s * piece.torque};
}

std::uint64_t integrate(const MotionState& state, const ShipControl& control,
                        const ShipLimits& limits, const Arena& arena, Real dt, Real& step,
                        std::vector<MotionPiece>& pieces, const InverseInertia& inverseInertia) {
  const Forces forces{steeringOf(control, limits), limits.drag, &arena, &inverseInertia};
  const StepRule rule(limits);
  step = std::min(step, rule.longest());

  std::uint64_t taken = 0;
  Real left = dt;
  MotionState now = state;
  while (left > 0.0) {
    const bool toEnd = step >= left;
    Real h = toEnd ? left : step;

    // Compare one step with two halves; halve until they agree
    const Rate first = rateOf(now, forces);
    MotionPiece early, late;
    Real error = 0.0;
    for (;;) {
      const MotionState coarse = stateAt(midpointStep(now, first, forces, h), h);
      early = midpointStep(now, first, forces, 0.5 * h);
      const MotionState halfWay = stateAt(early, 0.5 * h);
      late = midpointStep(halfWay, rateOf(halfWay, forces), forces, 0.5 * h);
      error = difference(coarse, stateAt(late, 0.5 * h));
      if (rule.accepts(error, h)) break;
      h *= 0.5;
      step = h;
    }

    // Use the fine solution without extrapolation, which could leave the horn
    early.from = dt - left;
    late.from = early.from + 0.5 * h;
    pieces.push_back(early);
    pieces.push_back(late);
    now = stateAt(late, 0.5 * h);
    left = toEnd && h == left ? 0.0 : left - h;
    ++taken;

    step = rule.next(step, h, error);
  }
  MotionPiece end;
  end.from = dt;
  end.start = now;
  pieces.push_back(end);
  return taken;
}

MotionPromise motionPromise(const MotionState& state, const ShipControl* kept,
                            const ShipLimits& limits, const Arena& arena,
                            const InverseInertia& inverseInertia) noexcept {
  // Maximum thrust forward and backward, and maximum rotation rate
  const Real kick = kept ? kept->thrust : 0.0;
  const Real ahead = kept ? std::max(kick, 0.0) * limits.accelerationMax : limits.accelerationMax;
  const Real back = kept ? std::max(-kick, 0.0) * limits.reverseMax : limits.reverseMax;
  const Vec3 turning = kept ? Vec3(kept->pitch, kept->yaw, kept->roll) : Vec3(1.0);
  const Real thrust = std::max(ahead, back);
  const Real speed = glm::length(state.velocity);
  const Real horizon = boundHorizon(limits);

  // Maximum distance from the centre and maximum push there
  const Real fastest = speedBound(speed, thrust + arena.pushMax, limits.drag, horizon);
  const Real push = pushAt(glm::length(state.position) + fastest * horizon, arena);

  // The factor covers rounding of the accelerations
  constexpr Real rounding = 1.0 + 1e-12;
  const Real force = thrust + push;
  MotionPromise promise;
  promise.acceleration =
      (force + limits.drag * speedBound(speed, force, limits.drag, horizon)) * rounding;

  // While the nose stays within a right angle of its current direction, forward thrust never acts
  // against it. A computed rotation exceeds its rate by less than 1 %
  constexpr Real rightAngle = 1.5707963;
  // Tumbling slows down with time, so the current rate is an upper bound
  const bool tumbles = state.angularMomentum != Vec3(0.0);
  const Real tumbling = tumbles ? inverseInertia.norm() * glm::length(state.angularMomentum) : 0.0;
  const Real turnRate = limits.turnMax * glm::length(turning) + tumbling;
  promise.hasPlane = 1.01 * horizon * turnRate < rightAngle;
  if (!promise.hasPlane) return promise;
  promise.plane.direction = glm::normalize(state.rotation * Vec3(0.0, 0.0, -1.0));
  const Real along = std::max(0.0, glm::dot(promise.plane.direction, state.velocity));
  const Real drag = limits.drag * speedBound(along, force, limits.drag, horizon);
  promise.plane.reverse = (back + push + drag) * rounding + 1e-12 * promise.acceleration;
  return promise;
}

}  // namespace nearmiss::engine
