// SPDX-License-Identifier: MIT
#include "fly/modes/game/second_player.h"

#include <engine/game/duel_pilot.h>

#include "fly/flight/flight.h"
#include "fly/flight/wall_assist.h"
#include "fly/host/input.h"

namespace nearmiss::app::fly {
namespace {

constexpr std::size_t secondPlayer = 1;

std::uint32_t keyOf(const Flight& flight, const engine::Duel& duel) noexcept {
  return flight.output().bodies[duel.ship(secondPlayer)].key;
}

}  // namespace

bool SecondPlayer::choose(const Gamepad& pad) noexcept {
  if (human_ == pad.connected()) return false;
  human_ = !human_;
  towDown_ = shootDown_ = thrown_ = false;
  throttle_ = {};
  release();
  return true;
}

engine::ShipControl SecondPlayer::control(const Flight& flight, const engine::Duel& duel,
                                          const Gamepad& pad, double dt) {
  const BodyState& own = flight.output().bodies[duel.ship(secondPlayer)];
  const Real wall = flight.world().ships().arena().radius;
  if (!human_)
    return steerAwayFromWall(engine::DuelPilot::control(shipsOf(flight), duel.ship(secondPlayer),
                                                        duel.ship(0), flight.world().time()),
                             own, wall);
  engine::ShipControl control = steerAwayFromWall(pad.control(), own, wall);
  // As the user's ship; the assist is on
  if (isHeavy(flight.scene()))
    control.thrust = throttle_.apply(control.thrust, pad.boosts(), true, own, dt);
  return control;
}

void SecondPlayer::tow(Flight& flight, engine::Duel& duel, const Gamepad& pad,
                       std::span<const std::uint32_t> excluded, double dt) {
  const engine::Ships& ships = flight.world().ships();
  const bool towDown = pad.held(PadButton::Tow), shootDown = pad.held(PadButton::Shoot);
  const bool towPressed = towDown && !towDown_, shootPressed = shootDown && !shootDown_;
  towDown_ = towDown;
  shootDown_ = shootDown;
  thrown_ = thrown_ && shootDown;
  if (towPressed) {
    if (beam_.on())
      beam_.release();
    else
      (void)beam_.attach(ships, duel.ship(secondPlayer), excluded);
  }
  if (!beam_.on()) return;
  if (shootPressed) {
    duel.noteThrow(secondPlayer, beam_.body());
    launched_ = thrown_ = true;
  }
  for (const engine::HandAct& act : thrown_ ? beam_.throwAhead(ships) : beam_.pull(ships, dt))
    flight.acts().add(act);
}

bool SecondPlayer::shoots(const Flight& flight, const engine::Duel& duel) const {
  using engine::DuelPilot;
  if (human_) return shootDown_ && !thrown_ && !beam_.on() && duel.mayShoot(secondPlayer);
  return duel.mayShoot(secondPlayer, DuelPilot::reload) &&
         DuelPilot::hasAim(shipsOf(flight), duel.ship(secondPlayer), duel.ship(0));
}

void SecondPlayer::act(Flight& flight, engine::Duel& duel, const Gamepad& pad,
                       std::span<const std::uint32_t> excluded, double dt) {
  using enum engine::HandAct::Kind;
  launched_ = false;
  engine::HandAct act;
  act.kind = Steer;
  act.ship = keyOf(flight, duel);
  act.control = control(flight, duel, pad, dt);
  flight.acts().add(act);
  if (human_) tow(flight, duel, pad, excluded, dt);
  if (!shoots(flight, duel)) return;
  act.kind = Shoot;
  flight.acts().add(act);
  launched_ = true;
}

}  // namespace nearmiss::app::fly
