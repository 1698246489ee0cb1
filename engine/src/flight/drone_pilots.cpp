// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>

#include "flight/shared_pieces.h"

namespace nearmiss::engine {
namespace {

/// Pilots per unit of work.
constexpr std::size_t pilotsPerPiece = 128;

ShipControl drawControl(SplitMix& random) {
  // Separate statements: the order of draws must not depend on the compiler
  ShipControl control;
  control.thrust = random.between(0.5, 1.0);
  control.pitch = random.between(-1.0, 1.0);
  control.yaw = random.between(-1.0, 1.0);
  control.roll = random.between(-1.0, 1.0);
  return control;
}

/// Start of the outer zone of the arena, relative to its radius. A drone there turns if its nose
/// points outward; a drone outside the arena always turns.
constexpr Real wallShare = 0.85;

/// A turn ends when the nose is within 75 degrees of its goal: about cos 75 degrees.
constexpr Real turnedCosine = 0.25;

/// Defers the pilot's next choice until the turn is over.
constexpr Real whileTurning = std::numeric_limits<Real>::infinity();

/// Transforms a world direction of any length to a unit vector in the pilot's frame; ahead is -z. A
/// zero vector becomes ahead.
Vec3 seenFrom(const Pose& pose, const Vec3& direction) noexcept {
  const Real length = glm::length(direction);
  if (!(length > 0.0)) return {0.0, 0.0, -1.0};
  return glm::conjugate(pose.rotation) * (direction * (1.0 / length));
}

/// Turns the nose to `goal`, a unit vector in the pilot's frame, as fast as possible, and thrusts
/// towards it: backward while the goal is behind.
ShipControl towards(const Vec3& goal) noexcept {
  ShipControl control;
  const Real aside = std::max(std::abs(goal.x), std::abs(goal.y));
  control.yaw = aside > 0.0 ? -goal.x / aside : 1.0;
  control.pitch = aside > 0.0 ? goal.y / aside : 0.0;
  control.thrust = goal.z > 0.0 ? -1.0 : 1.0;
  return control;
}

/// Turns the nose to `goal` like towards(), but more slowly close to it, because a pilot keeps its
/// controls for a while and must not overshoot. Does not change thrust and roll.
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

}  // namespace

ShipControl steerTowards(ShipControl control, const Pose& pose, const Vec3& direction) noexcept {
  return aimed(control, seenFrom(pose, direction));
}

namespace {

/// Vector from a drone to its target, world frame. Predicts the user's ship by `seconds`.
Vec3 headingOf(Temper temper, const BodyState& drone, const BodyState& user, Real seconds) {
  constexpr Real beforeBow = 3.0;  // radii of the user's ship
  const Vec3 there = user.pose.position + seconds * user.velocity - drone.pose.position;
  const Vec3 ahead = user.pose.rotation * Vec3(0.0, 0.0, -1.0);
  if (temper == Temper::Flee) return -there;
  return temper == Temper::Cross ? there + beforeBow * user.shape.radius() * ahead : there;
}

/// Two ships are clear of each other if the gap of their bounding spheres is this multiple of their
/// radii.
constexpr Real clearShare = 0.5;

bool clear(const BodyState& a, const BodyState& b) noexcept {
  const Real enough = (1.0 + clearShare) * (a.shape.radius() + b.shape.radius());
  const Vec3 apart = a.pose.position - b.pose.position;
  return glm::dot(apart, apart) > enough * enough;
}

/// Time until which a body certainly stays within `range` of the origin, by its acceleration bound.
Real timeInside(const BodyState& body, Real range, Real time) noexcept {
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

/// Stores for each ship its last collision partner.
void DronePilots::recordCollisions(const Ships& ships, std::span<const BodyPair> struck) {
  const std::size_t count = ships.states().size();
  struckBy_.resize(count, nobody);
  for (const BodyPair& pair : struck) {
    // Ships may have been destroyed since
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

ShipControl DronePilots::applyTemper(Temper temper, const ShipControl& random, const Ships& ships,
                                     const BodyState& body, Real seconds) const {
  if (temper == Temper::Random || !ships.ids().contains(user_)) return random;
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  return steerTowards(random, body.pose, headingOf(temper, body, user, seconds));
}

/// In front of the user's ship, so that the user sees drones.
Sphere DronePilots::homeOf(const Ships& ships) const {
  constexpr Real lead = 0.8;      // relative to the radius, along the nose
  constexpr Real seconds = 0.75;  // prediction of the user's motion
  if (!gathering_ || !ships.ids().contains(user_)) return {Vec3(0.0), ships.arena().radius};
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  const Vec3 ahead = user.pose.rotation * Vec3(0.0, 0.0, -1.0);
  return {user.pose.position + seconds * user.velocity + lead * *gathering_ * ahead, *gathering_};
}

/// Returns a world direction for a drone that would pass too close to the user's ship if both keep
/// their velocity; `nullopt` otherwise.
std::optional<Vec3> DronePilots::wayAside(const Ships& ships, const BodyState& drone) const {
  constexpr Real foreseen = 1.2;  // seconds; about the duration of a turn
  if (!(clearance_ > 0.0) || !ships.ids().contains(user_)) return std::nullopt;
  const BodyState& user = ships.states()[ships.ids().indexOf(user_)];
  const Real enough = clearance_ * (drone.shape.radius() + user.shape.radius());
  const Vec3 place = drone.pose.position - user.pose.position;
  const Vec3 speed = drone.velocity - user.velocity;
  const Real square = glm::dot(speed, speed);
  const Real nearest = square > 0.0 ? std::max(0.0, -glm::dot(place, speed) / square) : 0.0;
  const Vec3 miss = place + std::min(nearest, foreseen) * speed;
  if (glm::dot(miss, miss) >= enough * enough) return std::nullopt;
  // Turn away to the side on which it would pass; brake if the course is head-on
  return miss + place;
}

void DronePilots::steer(Ships& ships, std::span<const BodyPair> struck, WorkerPool* pool) {
  recordCollisions(ships, struck);
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
  // End epochs in the order of the pilots, independent of threads
  for (std::vector<std::uint32_t>& ofPiece : broken_) {
    for (const std::uint32_t index : ofPiece) ships.endEpoch(index);
    ofPiece.clear();
  }
}

/// Returns the controls of a drone that turns back at the wall or away from a collision; `nullopt`
/// for free flight. After such a turn the pilot chooses new controls immediately.
std::optional<ShipControl> DronePilots::evasion(const Ships& ships, Pilot& pilot,
                                                const BodyState& body, const Sphere& home) const {
  // Avoiding the user has priority; choose new controls afterwards
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

/// Returns true if that broke a control promise. Modifies only the pilot and its ship.
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
    broken = ships.steer(index, applyTemper(pilot.settings.temper, random, ships, body, wait),
                         ships.time());
    pilot.nextDraw = ships.time() + wait;
  }
  // The gathering point moves with the user, so the controls cannot be promised
  if (gathering_) return broken;
  // The controls stay until the next choice or the wall
  const Real until = timeInside(body, wallShare * home.radius, ships.time());
  return ships.steer(index, ships.control(index), std::min(pilot.nextDraw, until)) || broken;
}

}  // namespace nearmiss::engine
