// SPDX-License-Identifier: MIT
#include <engine/game/tow_beam.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <utility>

// Uses only + - * / and square roots, like the motion of the ships.

namespace nearmiss::engine {
namespace {

/// Maximum displacement that the spring feels [m]. It limits the closing speed, so that even heavy
/// bodies stop before they reach the ship.
constexpr Real maxStretch = 0.8;
/// Maximum speed of the held place due to turning [m/s].
constexpr Real maxSwing = 8.0;

Vec3 noseOf(const BodyState& ship) noexcept { return ship.pose.rotation * Vec3(0.0, 0.0, -1.0); }

/// Metres between the bounding spheres; negative if they overlap.
Real gapBetween(const BodyState& a, const BodyState& b) noexcept {
  return glm::distance(a.pose.position, b.pose.position) - a.shape.radius() - b.shape.radius();
}

Vec3 limited(const Vec3& vector, Real most) noexcept {
  const Real length = glm::length(vector);
  return length > most ? vector * (most / length) : vector;
}

}  // namespace

struct TowBeam::Ends {
  const BodyState& ship;
  const BodyState& body;
  Real shipMass, bodyMass;  ///< kg
  /// The mass that resists a change of the relative velocity [kg].
  [[nodiscard]] Real reducedMass() const noexcept {
    return std::isfinite(shipMass) ? bodyMass * (shipMass / (shipMass + bodyMass)) : bodyMass;
  }
};

std::optional<TowBeam::Ends> TowBeam::ends(const Ships& ships) const noexcept {
  const auto states = ships.states();
  const auto ship = std::ranges::find(states, ship_, &BodyState::key);
  const auto body = std::ranges::find(states, body_, &BodyState::key);
  if (ship == states.end() || body == states.end()) return std::nullopt;
  const auto massOf = [&](auto at) {
    return ships.definition(static_cast<std::size_t>(at - states.begin())).mass;
  };
  return Ends{*ship, *body, massOf(ship), massOf(body)};
}

std::optional<std::size_t> TowBeam::target(const Ships& ships, std::size_t ship,
                                           std::span<const std::uint32_t> excluded) noexcept {
  const auto states = ships.states();
  const BodyState& from = states[ship];
  const Vec3 nose = noseOf(from);
  std::optional<std::size_t> nearest;
  Real least = reach;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const BodyState& body = states[i];
    if (i == ship || !std::isfinite(ships.definition(i).mass)) continue;
    if (std::ranges::find(excluded, body.key) != excluded.end()) continue;
    const Vec3 apart = body.pose.position - from.pose.position;
    const Real ahead = glm::dot(apart, nose);
    const Real aside = glm::length(apart - ahead * nose);
    if (!(ahead > 0.0) || !(aside <= body.shape.radius() + cone * ahead)) continue;
    const Real between = gapBetween(from, body);
    if (!(between <= least) || (nearest && between == least)) continue;
    nearest = i;
    least = between;
  }
  return nearest;
}

bool TowBeam::attach(const Ships& ships, std::size_t ship,
                     std::span<const std::uint32_t> excluded) noexcept {
  release();
  const auto body = target(ships, ship, excluded);
  if (!body) return false;
  state_ = State::On;
  ship_ = ships.states()[ship].key;
  body_ = ships.states()[*body].key;
  return true;
}

void TowBeam::release() noexcept { end(State::Off); }

void TowBeam::end(State state) noexcept {
  *this = TowBeam();
  state_ = state;
}

std::span<const HandAct> TowBeam::pull(const Ships& ships, Real dt) noexcept {
  if (!on()) return {};
  const auto both = ends(ships);
  const bool stretched = both && !(gapBetween(both->ship, both->body) <= breakGap);
  if (!both || stretched) {
    end(stretched ? State::Broken : State::Gone);
    return {};
  }
  if (!(dt > 0.0)) return {};

  // The place turns with the nose
  const Vec3 nose = noseOf(both->ship);
  const Real length = both->ship.shape.radius() + both->body.shape.radius() + gap;
  const Vec3 turned = turnTime_ > 0.0 ? (nose - nose_) * (length / turnTime_) : Vec3(0.0);
  nose_ = nose;
  turnTime_ = dt;

  // Along the line between both the spring holds the distance; across it, it turns the body before
  // the nose. A spring to the place itself would pull the body through the ship
  const Vec3 apart = both->body.pose.position - both->ship.pose.position;
  const Real distance = glm::length(apart);
  const Vec3 line = distance > 0.0 ? apart / distance : nose;
  const Vec3 across = nose - glm::dot(nose, line) * line;
  const Vec3 stretch = limited((distance - length) * line - length * across, maxStretch);
  const Vec3 speed = both->body.velocity - both->ship.velocity - limited(turned, maxSwing);

  // Backward Euler is stable for every step
  const Real stiffness = rate * rate, damping = 2.0 * rate;
  const Vec3 change = -(dt / (1.0 + dt * damping + dt * dt * stiffness)) *
                      (stiffness * (stretch + dt * speed) + damping * speed);
  return pushes(*both, limited(both->reducedMass() * change, force * dt));
}

std::span<const HandAct> TowBeam::throwAhead(const Ships& ships) noexcept {
  if (!on()) return {};
  const auto both = ends(ships);
  end(both ? State::Off : State::Gone);
  if (!both) return {};
  return pushes(*both, both->reducedMass() * throwSpeed * noseOf(both->ship));
}

/// Makes the acts that give this momentum to the body, and the opposite one to the ship.
std::span<const HandAct> TowBeam::pushes(const Ends& both, const Vec3& momentum) noexcept {
  using enum HandAct::Kind;
  acts_[0] = {Push, both.body.key, Vec3(0.0), momentum / both.bodyMass, {}};
  acts_[1] = {Push, both.ship.key, Vec3(0.0), -momentum / both.shipMass, {}};
  return std::span(acts_).first(std::isfinite(both.shipMass) ? 2 : 1);
}

}  // namespace nearmiss::engine
