// SPDX-License-Identifier: MIT
/// A ship: what it is made of, how it is steered, what it can do.
#pragma once

#include <engine/flight/articulation.h>
#include <engine/flight/inertia.h>
#include <nearmiss/body_state.h>

#include <memory>

namespace nearmiss::engine {

/// Stick positions, each in [-1, 1]; outside they are clamped. Released turning stops at once: the
/// sticks set rotation rates, not torques [H96 §11.1].
struct ShipControl {
  Real thrust = 0.0;  ///< forward is -z of the body frame
  Real pitch = 0.0;   ///< nose up positive
  Real yaw = 0.0;     ///< nose left positive
  Real roll = 0.0;    ///< right wing down positive
};

/// The envelope that every control stays in, so that acceleration bounds can be certified.
struct ShipLimits {
  Real accelerationMax = 0.34;  ///< forward, metres per squared simulation second
  Real reverseMax = 0.17;       ///< backward
  Real turnMax = 0.28;          ///< radians per simulation second about each axis
  Real drag = 0.5;              ///< 1 / simulation second; final speed is accelerationMax / drag
};

struct ShipDef {
  ShapeRef shape = ShapeRef::ofRadius(1.0);  ///< see Shapes::add()
  /// Replaces `shape` for a ship with joints; null for a rigid one.
  std::shared_ptr<const Articulation> articulation;
  Pose pose;
  Vec3 velocity{0.0};
  /// kg. Infinity: moves others and is not moved, as the user's ship is [H96 §11.1].
  Real mass = 1.0;
  ShipLimits limits;
  bool unimportant = false;  ///< see BodyState::unimportant
  /// For Response::Tumble; zero: hits do not turn the ship.
  InverseInertia inverseInertia{};
};

}  // namespace nearmiss::engine
