// SPDX-License-Identifier: MIT
#include <engine/drone_pilots.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

/// The least time between two draws, so that settings of 0 or below still end.
constexpr Real leastWait = 0.1;

/// Beyond this share of the arena's radius a drone turns home. Well inside the rim, or drones would
/// spread along it, where there is most room, and hardly ever meet.
constexpr Real homeShare = 0.45;

ShipControl drawControl(SplitMix& random) {
  // Named one by one: the order of draws must not be the compiler's choice
  ShipControl control;
  control.thrust = random.between(0.5, 1.0);
  control.pitch = random.between(-1.0, 1.0);
  control.yaw = random.between(-1.0, 1.0);
  control.roll = random.between(-1.0, 1.0);
  return control;
}

/// Turns the nose to the origin, the harder the farther off it points, and thrusts once it is
/// within a right angle. @pre `pose` is not at the origin.
ShipControl homeward(const Pose& pose) noexcept {
  const Vec3 home = glm::conjugate(pose.rotation) * -glm::normalize(pose.position);
  ShipControl control;
  const bool behind = home.z > 0.0;
  if (behind) {
    const Real aside = glm::length(Vec3(home.x, home.y, 0.0));
    control.yaw = aside > 0.0 ? -home.x / aside : 1.0;
    control.pitch = aside > 0.0 ? home.y / aside : 0.0;
  } else {
    control.yaw = -home.x;
    control.pitch = home.y;
    control.thrust = 1.0;
  }
  return control;
}

/// Until when a body cannot be farther than `range` from the origin, as far as it has promised.
Real withinUntil(const BodyState& body, Real range, Real time) noexcept {
  const Real room = range - glm::length(body.pose.position);
  if (!(room > 0.0)) return time;
  // speed s + M s^2 / 2 = room
  const Real speed = glm::length(body.velocity);
  const Real root = std::sqrt(speed * speed + 2.0 * body.accelerationBound * room);
  const Real s = 2.0 * room / (speed + root) * (1.0 - 1e-9);
  return std::min(time + s, body.boundHoldsUntil);
}

}  // namespace

void DronePilots::add(ShipId drone, const PilotSettings& settings) {
  pilots_.push_back({drone, SplitMix(random_.bits()), settings, 0.0});
}

void DronePilots::steer(World& world) {
  for (Pilot& pilot : pilots_) {
    if (!world.contains(pilot.drone)) continue;
    const std::size_t place = world.placeOf(pilot.drone);
    if (world.time() >= pilot.nextDraw) {
      world.setControl(place, drawControl(pilot.random));
      const Real wait =
          pilot.random.between(pilot.settings.retargetLow, pilot.settings.retargetHigh);
      pilot.nextDraw = world.time() + std::max(leastWait, wait);
    }
    const BodyState& body = world.states()[place];
    const Real range = homeShare * world.arena().radius;
    if (glm::dot(body.pose.position, body.pose.position) > range * range) {
      world.setControl(place, homeward(body.pose));
    } else {
      // Nothing will change it before the next draw or the edge of its range
      const Real until = withinUntil(body, range, world.time());
      world.setControl(place, world.control(place), std::min(pilot.nextDraw, until));
    }
  }
}

}  // namespace nearmiss::engine
