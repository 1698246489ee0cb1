// SPDX-License-Identifier: MIT
#include <engine/drone_pilots.h>

#include <algorithm>
#include <glm/geometric.hpp>

namespace nearmiss::engine {
namespace {

/// The least time between two draws, so that settings of 0 or below still end.
constexpr Real leastWait = 0.1;

/// Beyond this share of the arena's radius a drone turns home. Well inside the rim, or drones would
/// spread along it, where there is most room, and hardly ever meet.
constexpr Real homeShare = 0.45;

ShipControl drawControl(Random& random) {
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

}  // namespace

void DronePilots::add(ShipId drone, const PilotSettings& settings) {
  pilots_.push_back({drone, Random(random_.next()), settings, 0.0});
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
    const Pose& pose = world.states()[place].pose;
    const Real range = homeShare * world.arena().radius;
    if (glm::dot(pose.position, pose.position) > range * range)
      world.setControl(place, homeward(pose));
  }
}

}  // namespace nearmiss::engine
