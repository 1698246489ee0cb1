// SPDX-License-Identifier: MIT
#include <engine/flight/hand_acts.h>

#include <algorithm>
#include <optional>

namespace nearmiss::engine {
namespace {

/// The ship that an act refers to, by its index.
std::optional<std::size_t> shipOf(const Ships& ships, ShipId user, const HandAct& act) {
  if (act.ship == 0)
    return ships.ids().contains(user) ? std::optional(ships.ids().indexOf(user)) : std::nullopt;
  const auto states = ships.states();
  const auto ship = std::ranges::find(states, act.ship, &BodyState::key);
  if (ship == states.end()) return std::nullopt;
  return static_cast<std::size_t>(ship - states.begin());
}

}  // namespace

void putShip(Ships& ships, const HandAct& act) {
  const auto states = ships.states();
  const auto ship = std::ranges::find(states, act.ship, &BodyState::key);
  if (act.ship == 0 || ship == states.end()) return;
  const auto index = static_cast<std::size_t>(ship - states.begin());
  // Set both or neither
  const Vec3 before = ship->velocity;
  if (!ships.setVelocity(index, act.velocity)) return;
  if (!ships.setPose(index, {act.position, ship->pose.rotation}))
    (void)ships.setVelocity(index, before);
}

void steerShips(Ships& ships, ShipId user, std::span<const HandAct> acts) {
  for (const HandAct& act : acts)
    if (act.kind == HandAct::Kind::Steer)
      if (const auto ship = shipOf(ships, user, act)) ships.setControl(*ship, act.control);
}

void Shots::act(Ships& ships, ShipId user, std::span<const HandAct> acts) {
  for (const HandAct& act : acts) {
    if (act.kind == HandAct::Kind::Put) {
      putShip(ships, act);
      continue;
    }
    const auto ship = shipOf(ships, user, act);
    if (!ship) continue;
    if (act.kind == HandAct::Kind::Shoot && armed()) shoot(ships, ships.states()[*ship]);
    if (act.kind == HandAct::Kind::Push)
      (void)ships.setVelocity(*ship, ships.states()[*ship].velocity + act.velocity);
  }
}

std::size_t Shots::countAfter(std::span<const HandAct> acts) const noexcept {
  if (!armed()) return count();
  const auto shots = std::ranges::count(acts, HandAct::Kind::Shoot, &HandAct::kind);
  return std::min(most, count() + static_cast<std::size_t>(shots));
}

void Shots::shoot(Ships& ships, const BodyState& from) {
  constexpr Real clearance = 1.5;  // relative to the radius of the body, in front of the bow
  const Vec3 ahead = from.pose.rotation * Vec3(0.0, 0.0, -1.0);
  ShipDef def = *body_;
  const Real way = from.shape.radius() + clearance * def.shape.radius();
  def.pose = {from.pose.position + way * ahead, from.pose.rotation};
  def.velocity = from.velocity + speed * ahead;
  if (flying_.size() < most) {
    // Do not shoot if the start position is invalid
    if (const auto shot = ships.create(def)) flying_.push_back(*shot);
    return;
  }
  const std::size_t index = ships.ids().indexOf(flying_[oldest_]);
  oldest_ = (oldest_ + 1) % most;
  (void)ships.setPose(index, def.pose);
  // Response::Teleport may return the body to its start
  (void)ships.setStart(index, def.pose);
  (void)ships.setVelocity(index, def.velocity);
  (void)ships.setAngularMomentum(index, Vec3(0.0));
}

}  // namespace nearmiss::engine
