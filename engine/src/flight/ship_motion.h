// SPDX-License-Identifier: MIT
/// The equation of motion of one ship, solved by second-order Runge-Kutta steps [H96 §11.1].
#pragma once

#include <engine/flight/arena.h>
#include <engine/flight/ship.h>
#include <nearmiss/math.h>
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

/// A part of a motion with constant acceleration from `start` on. The path has continuous velocity
/// and its acceleration never exceeds the bound. So the horn at any instant of the path contains
/// the rest of it, for any step boundaries.
struct MotionPiece {
  Real from = 0.0;  ///< seconds since the first piece began
  MotionState start;
  Vec3 acceleration{0.0};            ///< m/s^2
  Quat spin{0.0, 0.0, 0.0, 0.0};     ///< derivative of the rotation at the start
  Quat bending{0.0, 0.0, 0.0, 0.0};  ///< its mean derivative
  Vec3 torque{0.0};                  ///< m^2/s^2
};

/// Returns the state `s` seconds after the start of the piece, with the accuracy of the integrator.
[[nodiscard]] MotionState stateAt(const MotionPiece& piece, Real s) noexcept;

/// The maximum step, in simulation seconds; also the first step tried.
inline constexpr Real longestStep = 0.1;

/// Duration for which a ship's acceleration bound is certified, in simulation seconds. Half of the
/// time in which drag and sticks can change the motion completely, because longer bounds would be
/// loose.
[[nodiscard]] Real boundHorizon(const ShipLimits& limits) noexcept;

/// Motion commanded by the sticks.
struct Steering {
  Real thrust = 0.0;  ///< m/s^2 along -z of the body frame
  Vec3 turning{0.0};  ///< rad/s about the axes of the body frame
};
[[nodiscard]] Steering steeringOf(const ShipControl& control, const ShipLimits& limits) noexcept;

/// Step size control of integrate(), in simulation seconds: compares one step with two half steps.
class StepRule {
 public:
  StepRule() noexcept : StepRule(ShipLimits{0.0, 0.0, 0.0, 0.0}) {}
  explicit StepRule(const ShipLimits& limits) noexcept;
  [[nodiscard]] Real longest() const noexcept { return longest_; }
  /// Returns true if a step of length `h` is accepted.
  [[nodiscard]] bool accepts(Real error, Real h) const noexcept;
  /// Returns the next step to try after an accepted one of length `h`; `step` is the current step
  /// size.
  [[nodiscard]] Real next(Real step, Real h, Real error) const noexcept;

 private:
  Real longest_, shortest_;
};

/// Predicts the motion of one ship for `dt` > 0 seconds and appends it to `pieces`; the last piece
/// has zero length and is the end state. Updates `step`, the current step size. Returns the number
/// of steps.
std::uint64_t integrate(const MotionState& state, const ShipControl& control,
                        const ShipLimits& limits, const Arena& arena, Real dt, Real& step,
                        std::vector<MotionPiece>& pieces,
                        const InverseInertia& inverseInertia = {});

/// The motion bound of a ship, certified for the next boundHorizon() seconds.
struct MotionPromise {
  Real acceleration = 0.0;  ///< M in |x''(t)| <= M, m/s^2
  CuttingPlane plane;       ///< along the current heading
  bool hasPlane = false;    ///< false if the heading may turn away within that time
};

/// Certifies a bound for any controls in that time, or for constant controls `kept` if it is not
/// null. Holds for the trajectory that integrate() computes, not only for the exact solution.
[[nodiscard]] MotionPromise motionPromise(const MotionState& state, const ShipControl* kept,
                                          const ShipLimits& limits, const Arena& arena,
                                          const InverseInertia& inverseInertia = {}) noexcept;

// Faults in a ship's definition, by ship and field.

/// Far below the range of detectors, so that no flight leaves that range.
inline constexpr Real maxStateSize = 1e50;
static_assert(maxStateSize < 1e-9 * maxPoseMagnitude);
/// Squared; a shorter rotation has no direction.
inline constexpr Real minRotationSquare = 1e-100;

/// An invalid field of a ship.
struct ShipFault {
  const char* field = "";   ///< as in ShipDef, such as "velocity.y"
  const char* demand = "";  ///< the requirement, such as "finite"
  Real value = 0.0;         ///< its value
};

/// Returns the first invalid field, in the order of ShipDef: a bounding radius or limit that is
/// negative or not finite; a mass that is not above 0; a rotation of length 0; in pose and
/// velocity, a number that is not finite or above 1e50 in magnitude.
[[nodiscard]] std::optional<ShipFault> faultOf(const ShipDef& def) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOf(const Pose& pose) noexcept;
[[nodiscard]] std::optional<ShipFault> faultOfVelocity(const Vec3& velocity) noexcept;

/// "ship 17: velocity.y is nan, but must be finite", if `name` is "ship 17". Unsupported.
[[nodiscard]] Error refusal(std::string_view name, const ShipFault& fault);

}  // namespace nearmiss::engine
