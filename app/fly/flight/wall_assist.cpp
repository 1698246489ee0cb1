// SPDX-License-Identifier: MIT
#include "fly/flight/wall_assist.h"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::app::fly {

engine::ShipControl steerAwayFromWall(engine::ShipControl control, const BodyState& ship,
                                      Real radius) noexcept {
  /// Cosine between heading and inward direction from which on the ship is left alone.
  constexpr Real inwards = 0.15;
  const Real outward = glm::length(ship.pose.position);
  const Real room = std::min(bendingRoom, 0.4 * radius);
  const Real near = std::clamp(1.0 - (radius - outward) / room, 0.0, 1.0);
  if (near <= 0.0 || control.thrust == 0.0) return control;
  // The direction of the thrust, and the way in, in the ship's axes
  const Vec3 in = glm::conjugate(ship.pose.rotation) * (-ship.pose.position / outward);
  const Real side = control.thrust > 0.0 ? -1.0 : 1.0;
  const Real cosine = side * in.z;
  if (cosine >= inwards) return control;
  // Straight at the wall any side will do: up
  const Real aside = std::sqrt(in.x * in.x + in.y * in.y);
  const Real yaw = aside > 0.05 ? -in.x / aside : 0.0, pitch = aside > 0.05 ? in.y / aside : 1.0;
  const Real strength = near * std::min(1.0, 2.0 * (inwards - cosine));
  const auto turned = [&](Real stick, Real way) {
    return std::clamp((1.0 - strength) * stick - side * 1.6 * strength * way, -1.0, 1.0);
  };
  control.yaw = turned(control.yaw, yaw);
  control.pitch = turned(control.pitch, pitch);
  return control;
}

}  // namespace nearmiss::app::fly
