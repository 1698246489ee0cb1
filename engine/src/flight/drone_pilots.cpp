// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "flight/shared_pieces.h"

namespace nearmiss::engine {
namespace {

/// Pilots that one worker steers at a time.
constexpr std::size_t pilotsPerPiece = 128;

ShipControl drawControl(SplitMix& random) {
  // Drawn one by one: the order of draws must not depend on the compiler
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

/// A turn is over once the nose points within 75 degrees of its goal: cos 75 degrees, about.
constexpr Real turnedCosine = 0.25;

/// Time of a pilot's next draw: not before the turn is over.
constexpr Real whileTurning = std::numeric_limits<Real>::infinity();

/// A direction of the ships, of any length, as seen from the pilot's seat: a unit vector, ahead is
/// -z. What has no length is ahead.
Vec3 seenFrom(const Pose& pose, const Vec3& direction) noexcept {
  const Real length = glm::length(direction);
  if (!(length > 0.0)) return {0.0, 0.0, -1.0};
  return glm::conjugate(pose.rotation) * (direction * (1.0 / length));
}

/// Turns the nose to `goal`, a unit vector seen from the seat, as fast as may be, and thrusts that
/// way all the while: backward as long as the goal is behind.
ShipControl towards(const Vec3& goal) noexcept {
  ShipControl control;
  const Real aside = std::max(std::abs(goal.x), std::abs(goal.y));
  control.yaw = aside > 0.0 ? -goal.x / aside : 1.0;
  control.pitch = aside > 0.0 ? goal.y / aside : 0.0;
  control.thrust = goal.z > 0.0 ? -1.0 : 1.0;
  return control;
}

/// Turns the nose to `goal` as towards() does, but the less the nearer it is to it: a pilot that
/// keeps its controls for a while must not turn past its goal. Thrust and roll stay.
ShipControl aimed(ShipControl control, const Vec3& goal) noexcept {
  constexpr Real fullTurn = 0.5;  // beyond 30 degrees aside
  if (goal.z > 0.0) {
    const ShipControl turn = towards(goal);
    control.yaw = turn.yaw;
    control.pitch = turn.pitch;
    return control;
  }
  control.yaw = std::clamp(-goal.x / fullTurn, -1.0, 1.0);
  control.pitch = std::clamp(goal.y / fullTurn, -1.0, 1.0);
  return control;
}

/// From a drone to where its temper heads, world frame, as the user's ship will be in `seconds`.
Vec3 headingOf(Temper temper, const BodyState& drone, const BodyState& user, Real seconds) {
  constexpr Real beforeBow = 3.0;  // radii of the user's ship
  const Vec3 there = user.pose.position + seconds * user.velocity - drone.pose.position;
  const Vec3 ahead = user.pose.rotation * Vec3(0.0, 0.0, -1.0);
  if (temper == Temper::Flee) return -there;
  return temper == Temper::Cross ? there + beforeBow * user.shape.radius() * ahead : there;
}

/// Two ships are clear of each other when their bounding spheres are this share of their radii
/// apart.
constexpr Real clearShare = 0.5;

bool clear(const BodyState& a, const BodyState& b) noexcept {
  const Real enough = (1.0 + clearShare) * (a.shape.radius() + b.shape.radius());
  const Vec3 apart = a.pose.position - b.pose.position;
  return glm::dot(apart, apart) > enough * enough;
}

/// Until when a body cannot be farther than `range` from the origin, by its acceleration bound.
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
  pilots_.push_back({drone, SplitMix(random_.bits()), settings, 0.0, 0, 0});
}

/// Notes whom each ship was struck by last.
void DronePilots::noteStruck(const Ships& ships, std::span<const BodyPair> struck) {
  const std::size_t count = ships.states().size();
  struckBy_.resize(count, nobody);
  for (const BodyPair& pair : struck) {
    // Ships may have gone since
    if (std::max(pair.a, pair.b) >= count) continue;
    struckBy_[pair.a] = pair.b;
    struckBy_[pair.b] = pair.a;
  }
}

void DronePilots::forgetStruck(std::span<const BodyPair> struck) noexcept {
  for (const BodyPair& pair : struck)
    for (const std::uint32_t ship : {pair.a, pair.b})
      if (ship < struckBy_.size()) struckBy_[ship] = nobody;
}

ShipControl DronePilots::tempered(Temper temper, const ShipControl& random, const Ships& ships,
                                  const BodyState& body, Real seconds) const {
  if (temper == Temper::Random || !ships.ids().contains(user_)) return random;
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  return aimed(random, seenFrom(body.pose, headingOf(temper, body, user, seconds)));
}

/// Before the user's ship, so that whoever looks ahead sees drones.
Sphere DronePilots::homeOf(const Ships& ships) const {
  constexpr Real lead = 0.8;      // of the radius, along the nose
  constexpr Real seconds = 0.75;  // of the user's way
  if (!gathering_ || !ships.ids().contains(user_)) return {Vec3(0.0), ships.arena().radius};
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  const Vec3 ahead = user.pose.rotation * Vec3(0.0, 0.0, -1.0);
  return {user.pose.position + seconds * user.velocity + lead * *gathering_ * ahead, *gathering_};
}

/// Where a drone turns that would come too near to the user's ship, if both drift on: a direction
/// of the world; nothing where it would not.
std::optional<Vec3> DronePilots::wayAside(const Ships& ships, const BodyState& drone) const {
  constexpr Real foreseen = 1.2;  // seconds: a turn takes about as long
  if (!(clearance_ > 0.0) || !ships.ids().contains(user_)) return std::nullopt;
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  const Real enough = clearance_ * (drone.shape.radius() + user.shape.radius());
  const Vec3 place = drone.pose.position - user.pose.position;
  const Vec3 speed = drone.velocity - user.velocity;
  const Real square = glm::dot(speed, speed);
  const Real nearest = square > 0.0 ? std::max(0.0, -glm::dot(place, speed) / square) : 0.0;
  const Vec3 miss = place + std::min(nearest, foreseen) * speed;
  if (glm::dot(miss, miss) >= enough * enough) return std::nullopt;
  // Turn to the side on which it would pass, and away; one that would hit head-on brakes
  return miss + place;
}

void DronePilots::steer(Ships& ships, std::span<const BodyPair> struck, WorkerPool* pool) {
  noteStruck(ships, struck);
  const Sphere home = homeOf(ships);
  const std::size_t pieces = (pilots_.size() + pilotsPerPiece - 1) / pilotsPerPiece;
  broken_.resize(std::max(broken_.size(), pieces));
  forEachPiece(pool, pieces, [&](std::size_t p) {
    const std::size_t end = std::min(pilots_.size(), (p + 1) * pilotsPerPiece);
    for (std::size_t i = p * pilotsPerPiece; i < end; ++i) {
      const ShipId drone = pilots_[i].drone;
      if (ships.ids().contains(drone) && steer(ships, pilots_[i], home))
        broken_[p].push_back(static_cast<std::uint32_t>(ships.ids().indexOf(drone)));
    }
  });
  forgetStruck(struck);
  // Epochs end in the order of the pilots, not of the threads
  for (std::vector<std::uint32_t>& ofPiece : broken_) {
    for (const std::uint32_t index : ofPiece) ships.endEpoch(index);
    ofPiece.clear();
  }
}

/// The control of a drone that turns back at the wall, or away from the ship that was struck.
/// Nothing for one that flies as it likes; if it has just turned, it is due to draw again.
std::optional<ShipControl> DronePilots::evasion(const Ships& ships, Pilot& pilot,
                                                const BodyState& body, const Sphere& home) const {
  // Make way for the user before anything else, then draw again
  if (const auto aside = wayAside(ships, body)) {
    pilot.nextDraw = ships.time();
    return towards(seenFrom(body.pose, *aside));
  }

  const Vec3 place = body.pose.position - home.centre;
  const Real away = glm::length(place);
  const bool outside = away > home.radius;
  const Vec3 inward = seenFrom(body.pose, -place);
  if (outside || (away > wallShare * home.radius && inward.z > 0.0)) pilot.nextDraw = whileTurning;
  if (pilot.nextDraw == whileTurning) {
    if (outside || -inward.z < turnedCosine) return towards(inward);
    pilot.nextDraw = ships.time();
  }

  if (pilot.otherKey == 0) return std::nullopt;
  const auto states = ships.states();
  if (pilot.other < states.size() && states[pilot.other].key == pilot.otherKey) {
    const BodyState& other = states[pilot.other];
    const Vec3 goal = seenFrom(body.pose, body.pose.position - other.pose.position);
    if (-goal.z < turnedCosine || !clear(body, other)) return towards(goal);
  }
  pilot.otherKey = 0;
  pilot.nextDraw = ships.time();
  return std::nullopt;
}

/// True if that broke a promise. Changes nothing but the pilot and its ship.
bool DronePilots::steer(Ships& ships, Pilot& pilot, const Sphere& home) const {
  const std::size_t index = ships.ids().indexOf(pilot.drone);
  const BodyState& body = ships.states()[index];
  if (const std::uint32_t other = struckBy_[index]; other != nobody) {
    pilot.other = other;
    pilot.otherKey = ships.states()[other].key;
  }
  if (const auto control = evasion(ships, pilot, body, home))
    return ships.steer(index, *control, ships.time());

  bool broken = false;
  if (ships.time() >= pilot.nextDraw) {
    const ShipControl random = drawControl(pilot.random);
    const Real drawnWait =
        pilot.random.between(pilot.settings.retargetLow, pilot.settings.retargetHigh);
    const Real wait = std::max(PilotSettings::shortestWait, drawnWait);
    broken = ships.steer(index, tempered(pilot.settings.temper, random, ships, body, wait),
                         ships.time());
    pilot.nextDraw = ships.time() + wait;
  }
  // Where they gather moves with the user, who promises nothing
  if (gathering_) return broken;
  // Nothing will change it before the next draw or the wall
  const Real until = withinUntil(body, wallShare * home.radius, ships.time());
  return ships.steer(index, ships.control(index), std::min(pilot.nextDraw, until)) || broken;
}

}  // namespace nearmiss::engine
