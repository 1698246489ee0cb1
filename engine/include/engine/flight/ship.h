// SPDX-License-Identifier: MIT
/// A ship: its shape, its controls and its limits.
#pragma once

#include <engine/flight/articulation.h>
#include <engine/flight/inertia.h>
#include <nearmiss/advanced/body_state.h>

#include <memory>

namespace nearmiss::engine {

/// Stick positions, clamped to [-1, 1]. Turning stops as soon as a stick is released, because the
/// sticks set rotation rates, not torques [H96 §11.1].
struct ShipControl {
  Real thrust = 0.0;  ///< forward is -z of the body frame
  Real pitch = 0.0;   ///< nose up positive
  Real yaw = 0.0;     ///< nose left positive
  Real roll = 0.0;    ///< right wing down positive
};

/// Limits on motion for all control values, so that acceleration bounds can be certified.
struct ShipLimits {
  Real accelerationMax = 0.34;  ///< forward, metres per squared simulation second
  Real reverseMax = 0.17;       ///< backward
  Real turnMax = 0.28;          ///< radians per simulation second about each axis
  Real drag = 0.5;              ///< 1 / simulation second; final speed is accelerationMax / drag

  friend bool operator==(const ShipLimits&, const ShipLimits&) = default;
};

struct ShipDef {
  ShapeRef shape = ShapeRef::ofRadius(1.0);  ///< see Shapes::add()
  /// Replaces `shape` if the ship has joints; null for a rigid ship.
  std::shared_ptr<const Articulation> articulation;
  Pose pose;
  Vec3 velocity{0.0};
  /// kg. A ship of infinite mass pushes others and is never pushed, like the user's ship [H96
  /// §11.1].
  Real mass = 1.0;
  ShipLimits limits;
  bool unimportant = false;  ///< see BodyState::unimportant
  /// For Response::Tumble; zero: collisions do not turn the ship.
  InverseInertia inverseInertia{};
};

}  // namespace nearmiss::engine
