// SPDX-License-Identifier: MIT
/// The user's tow beam: grabs the body in front of the ship, tows it and throws it.
#pragma once

#include <engine/game/tow_beam.h>

#include <string>

#include "fly/modes/mode.h"

namespace nearmiss::app::fly {

/// Acts of the beam are part of the flight's input, so sessions replay them. The beam itself is not
/// part of the flight: it ends when the flight goes back, begins again or is replaced.
class TowMode : public Mode {
 public:
  [[nodiscard]] bool on() const noexcept { return beam_.on(); }
  [[nodiscard]] const engine::TowBeam& beam() const noexcept { return beam_; }
  /// Attaches the beam to the nearest body in front of the user's ship, or releases it. Shows a
  /// message if there is no such body, or if towing is not possible now.
  void toggle(FlightContext& context);
  /// Throws the towed body. Returns false if none is towed.
  bool throwAhead(FlightContext& context);
  /// Releases the body without a message.
  void release() noexcept { beam_.release(); }
  /// Adds the pushes of the next frame, of `dt` simulation seconds, to the acts of the flight. Call
  /// before the flight advances.
  void addPushes(FlightContext& context, double dt);
  /// Says what the keys do while a body is towed.
  [[nodiscard]] std::string line() const;

  /// Releases the body in modes that have no tow beam.
  bool advance(FlightContext& context) override;

 private:
  engine::TowBeam beam_;
};

}  // namespace nearmiss::app::fly
