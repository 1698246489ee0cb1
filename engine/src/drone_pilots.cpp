// SPDX-License-Identifier: MIT
#include <engine/drone_pilots.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

namespace nearmiss::engine {
namespace {

/// The least time between two draws, so that settings of 0 or below still end.
constexpr Real leastWait = 0.1;

ShipControl drawControl(SplitMix& random) {
  // Named one by one: the order of draws must not be the compiler's choice
  ShipControl control;
  control.thrust = random.between(0.5, 1.0);
  control.pitch = random.between(-1.0, 1.0);
  control.yaw = random.between(-1.0, 1.0);
  control.roll = random.between(-1.0, 1.0);
  return control;
}

/// Where the outer part of the arena begins, in radii: a drone there turns if its nose points
/// outward, and one outside the arena in any case.
constexpr Real wallShare = 0.85;

/// A turn is over once the nose points within 75 degrees of the origin: cos 75 degrees, about.
constexpr Real homeCosine = 0.25;

/// Of a pilot's next draw: none before the turn is over.
constexpr Real turning = std::numeric_limits<Real>::infinity();

/// Where home is, seen from the pilot's seat: a unit vector, ahead is -z. At home it is ahead.
Vec3 homeSeenFrom(const Pose& pose) noexcept {
  const Real away = glm::length(pose.position);
  if (!(away > 0.0)) return {0.0, 0.0, -1.0};
  return glm::conjugate(pose.rotation) * (pose.position * (-1.0 / away));
}

/// Turns the nose to the origin as fast as may be, and thrusts that way all the while: backward as
/// long as home is behind.
ShipControl homeward(const Vec3& home) noexcept {
  ShipControl control;
  const Real aside = std::max(std::abs(home.x), std::abs(home.y));
  control.yaw = aside > 0.0 ? -home.x / aside : 1.0;
  control.pitch = aside > 0.0 ? home.y / aside : 0.0;
  control.thrust = home.z > 0.0 ? -1.0 : 1.0;
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
    const BodyState& body = world.states()[place];
    const Real wall = wallShare * world.arena().radius;
    const Real away = glm::length(body.pose.position);
    const bool outside = away > world.arena().radius;

    // Turn at the wall; whoever has turned draws anew
    const Vec3 home = homeSeenFrom(body.pose);
    if (outside || (away > wall && home.z > 0.0)) pilot.nextDraw = turning;
    if (pilot.nextDraw == turning) {
      if (outside || -home.z < homeCosine) {
        world.setControl(place, homeward(home));
        continue;
      }
      pilot.nextDraw = world.time();
    }

    if (world.time() >= pilot.nextDraw) {
      world.setControl(place, drawControl(pilot.random));
      const Real wait =
          pilot.random.between(pilot.settings.retargetLow, pilot.settings.retargetHigh);
      pilot.nextDraw = world.time() + std::max(leastWait, wait);
    }
    // Nothing will change it before the next draw or the wall
    const Real until = withinUntil(body, wall, world.time());
    world.setControl(place, world.control(place), std::min(pilot.nextDraw, until));
  }
}

}  // namespace nearmiss::engine
