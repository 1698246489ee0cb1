// SPDX-License-Identifier: MIT
/// The equation of motion of one ship, solved by second-order Runge-Kutta steps [H96 §11.1].
#pragma once

#include <engine/flight/arena.h>
#include <engine/flight/ship.h>
#include <nearmiss/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace nearmiss::engine {

struct MotionState {
  Vec3 position{0.0};  ///< metres
  Vec3 velocity{0.0};  ///< m/s
  Quat rotation = glm::identity<Quat>();
  Vec3 angularMomentum{0.0};  ///< m^2/s, for a mass of 1 kg
};

/// A part of a motion: from `start` on under a constant acceleration. The positions make a path
/// whose velocity is continuous and whose acceleration never exceeds the bound, so that the horn of
/// any instant of the path holds the rest of it, wherever steps begin and end.
struct MotionPiece {
  Real from = 0.0;  ///< seconds since the first piece began
  MotionState start;
  Vec3 acceleration{0.0};            ///< m/s^2
  Quat spin{0.0, 0.0, 0.0, 0.0};     ///< the rotation's rate at the start
  Quat bending{0.0, 0.0, 0.0, 0.0};  ///< how that changes, on average, per second
  Vec3 torque{0.0};                  ///< m^2/s^2
};

/// `s` seconds after the piece began, to the same order as the integration's steps.
[[nodiscard]] MotionState stateAt(const MotionPiece& piece, Real s) noexcept;

/// The longest step, in simulation seconds; also the first one tried.
inline constexpr Real longestStep = 0.1;

/// How long, in simulation seconds, a ship's acceleration bound is certified for: half of the time
/// in which drag and sticks change its motion altogether, because a longer bound would be loose.
[[nodiscard]] Real boundHorizon(const ShipLimits& limits) noexcept;

/// What the sticks ask of a ship.
struct Steering {
  Real thrust = 0.0;  ///< m/s^2 along -z of the body frame
  Vec3 turning{0.0};  ///< rad/s about the axes of the body frame
};
[[nodiscard]] Steering steeringOf(const ShipControl& control, const ShipLimits& limits) noexcept;

/// How integrate() chooses its steps, in simulation seconds: by the difference between one step and
/// two halves.
class StepRule {
 public:
  StepRule() noexcept : StepRule(ShipLimits{0.0, 0.0, 0.0, 0.0}) {}
  explicit StepRule(const ShipLimits& limits) noexcept;
  [[nodiscard]] Real longest() const noexcept { return longest_; }
  /// True if a step of length `h` may stand.
  [[nodiscard]] bool accepts(Real error, Real h) const noexcept;
  /// The next step to try after one of length `h` that stands, where `step` was found right so far.
  [[nodiscard]] Real next(Real step, Real h, Real error) const noexcept;

 private:
  Real longest_, shortest_;
};

/// Predicts how one ship moves for `dt` > 0 seconds, and appends that to `pieces`; the last piece
/// has no length and is the end. `step` is the step size found right so far, and is kept up to
/// date; returns how many steps were taken.
std::uint64_t integrate(const MotionState& state, const ShipControl& control,
                        const ShipLimits& limits, const Arena& arena, Real dt, Real& step,
                        std::vector<MotionPiece>& pieces,
                        const InverseInertia& inverseInertia = {});

/// The motion bound certified for a ship for the next boundHorizon() seconds.
struct MotionPromise {
  Real acceleration = 0.0;  ///< M in |x''(t)| <= M, m/s^2
  CuttingPlane plane;       ///< along the heading of now
  bool hasPlane = false;    ///< not if the heading may turn away meanwhile
};

/// Whatever the controls in that time, or with `kept` in force all the time if it is not null.
/// Holds for the trajectory that integrate() computes, not only for the one that it approximates.
[[nodiscard]] MotionPromise motionPromise(const MotionState& state, const ShipControl* kept,
                                          const ShipLimits& limits, const Arena& arena,
                                          const InverseInertia& inverseInertia = {}) noexcept;

// Faults of a ship that no world can hold, by ship and field.

/// So far below what detectors take that no flight leaves their range.
inline constexpr Real maxStateSize = 1e50;
static_assert(maxStateSize < 1e-9 * maxPoseMagnitude);
/// Squared: a rotation this short has no direction.
inline constexpr Real minRotationSquare = 1e-100;

/// One field of a ship that no world can work with.
struct ShipFault {
  const char* field = "";   ///< as in ShipDef, "velocity.y" say
  const char* demand = "";  ///< the requirement, "finite" say
  Real value = 0.0;         ///< its value
};

/// The first fault, in the order of the fields of ShipDef: a bounding radius or limit that is
/// negative or not finite, a mass that is not above 0, a rotation of length 0; in pose and velocity
/// any number that is not finite or above 1e50 in size.
[[nodiscard]] std::optional<ShipFault> faultOf(const ShipDef& def) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOf(const Pose& pose) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOfVelocity(const Vec3& velocity) noexcept;

/// "ship 17: velocity.y is nan, but must be finite", where `name` is "ship 17". Unsupported.
[[nodiscard]] Error refusal(std::string_view name, const ShipFault& fault);

}  // namespace nearmiss::engine
