// SPDX-License-Identifier: MIT
#include <engine/flight/drone_pilots.h>
#include <engine/flight/hand_acts.h>
#include <engine/game/duel_pilot.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>

// Uses only + - * / and square roots, like the motion of the ships.

namespace nearmiss::engine {
namespace {

/// From a ship to the place at which its shot would meet the other ship, if that does not turn.
Vec3 wayToAim(const BodyState& own, const BodyState& target) noexcept {
  constexpr Real foreseen = 2.0;  // seconds
  const Vec3 apart = target.pose.position - own.pose.position;
  const Real flight = std::min(glm::length(apart) / Shots::speed, foreseen);
  return apart + flight * (target.velocity - own.velocity);
}

/// Triangle wave of period 1 between -1 and 1.
Real wave(Real phase) noexcept { return 4.0 * std::abs(phase - std::floor(phase) - 0.5) - 1.0; }

/// A body between two ships, and where the line of sight passes it.
struct Obstacle {
  std::size_t index = 0;
  Vec3 miss{0.0};  ///< from its centre to the nearest point of the line
};

/// Returns the nearest body whose sphere, enlarged by `room`, meets the line between two ships.
std::optional<Obstacle> obstacle(std::span<const BodyState> ships, std::size_t own,
                                 std::size_t target, Real room) noexcept {
  const Vec3 from = ships[own].pose.position, apart = ships[target].pose.position - from;
  const Real distance = glm::length(apart);
  std::optional<Obstacle> found;
  Real nearest = distance;
  for (std::size_t i = 0; i < ships.size() && distance > 0.0; ++i) {
    if (i == own || i == target) continue;
    const Vec3 to = ships[i].pose.position - from;
    const Real along = glm::dot(to, apart) / distance;
    const Vec3 miss = along / distance * apart - to;
    const Real enough = ships[i].shape.radius() + room;
    if (along <= 0.0 || along >= nearest || glm::dot(miss, miss) > enough * enough) continue;
    nearest = along;
    found = Obstacle{i, miss};
  }
  return found;
}

/// Way to a place beside a body, on the side on which the line of sight passes it.
Vec3 wayAround(std::span<const BodyState> ships, std::size_t own, const Obstacle& body) noexcept {
  constexpr Real room = 1.5;  // metres between the spheres
  const BodyState &ship = ships[own], &other = ships[body.index];
  const Real miss = glm::length(body.miss);
  const Vec3 aside = miss > 1e-6 ? body.miss / miss : ship.pose.rotation * Vec3(1.0, 0.0, 0.0);
  const Real enough = other.shape.radius() + ship.shape.radius() + room;
  return other.pose.position + enough * aside - ship.pose.position;
}

/// Away from bodies nearby, longer the nearer they are; up to about 1 for each.
Vec3 wayAside(std::span<const BodyState> ships, std::size_t own, std::size_t target) noexcept {
  constexpr Real room = 4.0;  // metres between the spheres
  const BodyState& ship = ships[own];
  Vec3 aside(0.0);
  for (std::size_t i = 0; i < ships.size(); ++i) {
    if (i == own || i == target) continue;
    const Vec3 apart = ship.pose.position - ships[i].pose.position;
    const Real distance = glm::length(apart);
    const Real gap = distance - ship.shape.radius() - ships[i].shape.radius();
    const bool nears = glm::dot(apart, ship.velocity - ships[i].velocity) < 0.0;
    if (gap < room && nears && distance > 0.0) aside += (1.0 - gap / room) / distance * apart;
  }
  return aside;
}

/// Where it turns: to its target, past it once it is near, straight on until there is room to turn.
Vec3 wayToFly(std::span<const BodyState> ships, std::size_t own, std::size_t target) noexcept {
  constexpr Real near = 5.0, far = 11.0, leaving = 1.5;  // metres, metres, m/s
  const BodyState& ship = ships[own];
  if (const auto body = obstacle(ships, own, target, 0.5 * ship.shape.radius()))
    return wayAround(ships, own, *body);
  const Vec3 apart = ships[target].pose.position - ship.pose.position;
  const Real distance = glm::length(apart);
  if (distance >= far || !(distance > 0.0)) return wayToAim(ship, ships[target]);
  const Vec3 towards = apart / distance;
  const Vec3 nose = ship.pose.rotation * Vec3(0.0, 0.0, -1.0);
  if (distance < near) {
    const Vec3 across = nose - glm::dot(nose, towards) * towards;
    const Real length = glm::length(across);
    const Vec3 aside = length > 1e-3 ? across / length : ship.pose.rotation * Vec3(1.0, 0.0, 0.0);
    return aside - 0.3 * towards;
  }
  const bool leaves = glm::dot(towards, ship.velocity - ships[target].velocity) < -leaving;
  return leaves ? nose : wayToAim(ship, ships[target]);
}

}  // namespace

ShipControl DuelPilot::control(std::span<const BodyState> ships, std::size_t own,
                               std::size_t target, Real time) noexcept {
  constexpr Real wander = 0.05;            // relative to the distance
  constexpr Real grip = 0.5, limit = 0.6;  // thrust for each missing m/s, and at most
  const BodyState& ship = ships[own];
  const Vec3 goal = wayToFly(ships, own, target);
  const Vec3 drift(wave(time / 2.6), wave(time / 3.7), 0.0);
  const Vec3 way = goal + glm::length(goal) * (wander * (ship.pose.rotation * drift) +
                                               1.5 * wayAside(ships, own, target));
  ShipControl control = steerTowards({}, ship.pose, way);
  const Vec3 nose = ship.pose.rotation * Vec3(0.0, 0.0, -1.0);
  if (glm::dot(nose, way) > 0.0)
    control.thrust = std::clamp(grip * (cruise - glm::dot(ship.velocity, nose)), -limit, limit);
  return control;
}

bool DuelPilot::hasAim(std::span<const BodyState> ships, std::size_t own,
                       std::size_t target) noexcept {
  const BodyState& ship = ships[own];
  const Vec3 apart = ships[target].pose.position - ship.pose.position;
  if (glm::dot(apart, apart) > range * range || obstacle(ships, own, target, 0.0)) return false;
  const Vec3 aim = wayToAim(ship, ships[target]);
  return glm::dot(ship.pose.rotation * Vec3(0.0, 0.0, -1.0), aim) >= aimCosine * glm::length(aim);
}

}  // namespace nearmiss::engine
