// SPDX-License-Identifier: MIT
/// The second ship of a duel: flown with a controller, or by the computer.
#pragma once

#include <engine/game/duel.h>
#include <engine/game/tow_beam.h>

#include <cstdint>
#include <span>
#include <string_view>

#include "fly/flight/throttle.h"

namespace nearmiss::app::fly {

class Flight;
class Gamepad;
struct SteeringChoice;

/// All that it does are acts of the flight's input, so sessions replay them.
class SecondPlayer {
 public:
  /// Looks for a controller. Returns true if another player flies now.
  bool choose(const Gamepad& pad) noexcept;
  /// Returns true if somebody flies with a controller.
  [[nodiscard]] bool human() const noexcept { return human_; }
  [[nodiscard]] std::string_view name() const noexcept { return human_ ? "Player 2" : "Computer"; }

  /// Adds the acts of the next frame, of `dt` simulation seconds, to those of the flight.
  /// `excluded`: keys of bodies that cannot be towed.
  /// @pre the flight is that of the duel
  void act(Flight& flight, engine::Duel& duel, const Gamepad& pad,
           std::span<const std::uint32_t> excluded, double dt);
  /// Releases what is towed.
  void release() noexcept { beam_.release(); }
  [[nodiscard]] const engine::TowBeam& beam() const noexcept { return beam_; }
  [[nodiscard]] const Throttle& throttle() const noexcept { return throttle_; }
  /// Returns true if the last act() shot or threw something.
  [[nodiscard]] bool launched() const noexcept { return launched_; }

 private:
  [[nodiscard]] engine::ShipControl control(const Flight& flight, const engine::Duel& duel,
                                            const Gamepad& pad, double dt);
  void tow(Flight& flight, engine::Duel& duel, const Gamepad& pad,
           std::span<const std::uint32_t> excluded, double dt);
  [[nodiscard]] bool shoots(const Flight& flight, const engine::Duel& duel) const;

  bool human_ = false;
  bool towDown_ = false, shootDown_ = false;  ///< the buttons, in the last frame
  bool thrown_ = false;                       ///< since the button was pressed
  bool launched_ = false;
  engine::TowBeam beam_;
  Throttle throttle_;
};

}  // namespace nearmiss::app::fly
